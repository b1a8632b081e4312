"""Pictures: cards as SVG, a page that replays a solution, and plots for print.

Nothing outside asks for these modules before there is something to show, so a solver does not load them.
"""
