"""``python -m solvers``: the same as ``patience``."""

from __future__ import annotations

import sys

from solvers.cli import main

if __name__ == "__main__":
    sys.exit(main())
