"""The program ``patience``, also started as ``python -m solvers``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; Ctrl-C counts from here on, and what it needs is imported only then."""
    try:
        from solvers.cli import main as command_line
    except KeyboardInterrupt:
        return 130  # ExitCode.INTERRUPTED, which may not have been imported
    return command_line()


if __name__ == "__main__":
    sys.exit(main())
