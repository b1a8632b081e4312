"""Running the command line for the tests, in this process and in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import solvers

SOLVE_24 = ("solve", "bakers-dozen", "pysolfc:24")


class Ran(NamedTuple):
    """What a run of the command line in this process gave."""

    code: int
    out: str
    err: str

    @property
    def fields(self) -> dict[str, Any]:
        assert self.out.count("\n") == 1, "one object on one line"
        fields = json.loads(self.out)
        assert isinstance(fields, dict)
        return fields


Patience = Callable[..., Ran]


def start(*words: str, stdout: int | TextIO = subprocess.PIPE, **variables: str) -> subprocess.Popen[str]:
    """Start ``patience`` in a process of its own."""
    assert solvers.__file__
    path = {"PYTHONPATH": str(Path(solvers.__file__).parent.parent)}
    return subprocess.Popen(
        [sys.executable, "-m", "solvers", *words],
        env=os.environ | path | variables,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
    )
