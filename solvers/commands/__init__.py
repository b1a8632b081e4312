"""The sub-commands of ``patience``, one module a subject; `solvers.cli` puts them together.

Modules here import at the top only what costs nothing: the rest where it is used, so that
``patience --help`` does not wait for Numba.
"""
