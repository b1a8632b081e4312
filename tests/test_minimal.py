"""The core does without what it does not need: optional packages, and heavy ones where they have no part."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import solvers

OPTIONAL = ("pandas", "pyarrow", "matplotlib", "jupyter", "IPython", "dask", "distributed")
HEAVY = ("numpy", "numba", "scipy", "rich", "pysol_cards")


def run_without(packages: tuple[str, ...], script: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a process in which importing any of `packages` raises ImportError."""
    assert solvers.__file__
    block = f"import sys\nsys.modules.update(dict.fromkeys({packages!r}))\n"
    return subprocess.run(
        [sys.executable, "-c", block + script],
        env=os.environ | {"PYTHONPATH": str(Path(solvers.__file__).parent.parent)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def patience(line: str) -> str:
    return f"from solvers.cli import main\nsys.exit(main({line.split()!r}))\n"


def test_blocking_blocks() -> None:
    assert "ModuleNotFoundError" in run_without(("numpy",), "import numpy").stderr


@pytest.mark.parametrize(
    ("line", "unneeded"),
    [
        ("--help", HEAVY),
        ("solve --help", HEAVY),
        ("games", HEAVY),
        ("exact clock", ("numba", "scipy", "rich", "pysol_cards")),
        ("deal bakers-dozen pysolfc:24", ("numba", "scipy", "rich")),
        ("solve bakers-dozen pysolfc:24", ("scipy", "rich")),
        ("simulate clock --games 1000", ("rich", "pysol_cards")),
    ],
)
def test_command_runs_without_what_it_does_not_need(line: str, unneeded: tuple[str, ...]) -> None:
    done = run_without(OPTIONAL + unneeded, patience(line))
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_every_public_name_is_there_without_the_optional_packages() -> None:
    script = "import solvers\nprint([name for name in solvers.__all__ if not hasattr(solvers, name)])\n"
    done = run_without(OPTIONAL, script)
    assert done.stdout == "[]\n", done.stderr


def test_public_names_are_listed_once_each() -> None:
    assert sorted(name for names in solvers._HOMES.values() for name in names) == sorted(solvers.__all__)


def test_importing_the_package_loads_nothing_heavy() -> None:
    script = f"import solvers\nprint([name for name in {HEAVY!r} if name in sys.modules])\n"
    assert run_without((), script).stdout == "[]\n"


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'quidditch'"):
        _ = solvers.quidditch
