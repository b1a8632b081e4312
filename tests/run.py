"""Set up an environment of its own and run every check in it, with nothing but Python and pip.

Usage: ``python3 tests/run.py [--environment DIRECTORY] [PYTEST_ARGUMENT ...]``

Needs no package beforehand. It installs the project and its test tools with plain pip into
DIRECTORY (``.venv`` of the checkout unless given), lints, checks the types, runs the installed
command away from the checkout, runs the tests marked as quick without compilation without it, and
then all tests. It stops at the first that fails, with the exit code of what failed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import venv
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST, NEWEST = (3, 11), (3, 13)


def make_environment(place: Path) -> Path:
    """Make a virtual environment with the project and its test tools, and return its folder of programs."""
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        sys.exit(f"tests/run.py: Python 3.11 to 3.13 is needed; this is {sys.version.split()[0]}")
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    # Debian and its kin leave ensurepip out of python3, and some of them still have pip.
    bundled = find_spec("ensurepip") is not None
    if not bundled and find_spec("pip") is None:
        sys.exit(
            "tests/run.py: this Python can make no environment with pip: install its venv package "
            "(on Debian and Ubuntu: apt install python3-venv) or use another Python"
        )
    venv.create(place, with_pip=bundled)
    python = str(programs / "python")
    pip = [python, "-m", "pip"] if bundled else [sys.executable, "-m", "pip", "--python", python]
    check(*pip, "install", "--quiet", f"{ROOT}[test]")
    return programs


def check(*command: str | Path, folder: Path = ROOT, **variables: str) -> None:
    """Show and run a command in `folder`; leave with its exit code if that is not 0."""
    words = [str(word) for word in command]
    settings = [f"{name}={value}" for name, value in variables.items()]
    print("+", *settings, *words, flush=True)
    code = subprocess.run(words, cwd=folder, env=os.environ | variables, check=False).returncode
    if code:
        sys.exit(code)


def main() -> None:
    """Run everything, in the order that shows a fault soonest."""
    parser = argparse.ArgumentParser(description="Set up an environment and run every check in it.")
    parser.add_argument("--environment", type=Path, default=ROOT / ".venv", metavar="DIRECTORY")
    arguments, rest = parser.parse_known_args()
    place = arguments.environment.resolve()
    programs = make_environment(place)
    check(programs / "ruff", "check", ".")
    check(programs / "ruff", "format", "--check", ".")
    check(programs / "mypy")
    check(programs / "patience", "solve", "bakers-dozen", "pysolfc:24", folder=place)
    check(programs / "pytest", "-q", "-m", "interpreted", NUMBA_DISABLE_JIT="1")
    check(programs / "pytest", *rest)


if __name__ == "__main__":
    main()
