"""Make ``tests.reference`` importable without hiding an installed `solvers` behind the checkout."""

from __future__ import annotations

import sys
from pathlib import Path

# At the end, not at the front: where the package is installed, the installed one is tested.
sys.path.append(str(Path(__file__).resolve().parent.parent))
