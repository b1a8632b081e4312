"""The compilation cache, tried out on a toy package in processes of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import pytest

import solvers.compilation
from solvers.bakers_dozen.limits import Limits, Watch

KERNELS = {
    "__init__.py": "",
    "limits.py": "STEP = 3\n",
    "inner.py": """\
from solvers.compilation import njit
from .limits import STEP

@njit
def step(x):
    return x + STEP
""",
    "outer.py": """\
from solvers.compilation import njit
from solvers import inner

step = inner.step

@njit(nogil=True)
def run(n):
    x = 0
    for _ in range(n):
        x = step(x)
    return x
""",
    "unrelated.py": "",
}
MAIN = """\
import solvers.outer
from solvers.compilation import on_compile
compiled = []
with on_compile(compiled.append):
    print(solvers.outer.run(10))
print(*compiled)
"""
REFUSE = """\
import os, pathlib
def refuse(*arguments, **options):
    raise PermissionError(13, "Permission denied")
"""
OUTER, INNER = "solvers.outer.run", "solvers.inner.step"


@dataclass
class Toy:
    """A copy of `solvers.compilation` with two small kernels, and a home directory."""

    root: Path

    @property
    def package(self) -> Path:
        return self.root / "solvers"

    @property
    def beside(self) -> Path:
        """Cache directory inside the package."""
        return self.package / "__pycache__" / "kernels"

    def kept(self, directory: Path) -> list[Path]:
        return sorted(directory.rglob("*.nbc"))

    def start(self, *, script: str = MAIN, **variables: str) -> subprocess.Popen[str]:
        ours = ("NUMBA_", "XDG_", "PYTHON")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        home = {"HOME": str(self.root / "home"), "LOCALAPPDATA": str(self.root / "home" / ".cache")}
        return subprocess.Popen(
            [sys.executable, "-c", script],
            cwd=self.root,
            env=inherited | home | {"PYTHONPATH": str(self.root)} | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *, script: str = MAIN, **variables: str) -> tuple[int, set[str]]:
        """Result of the kernel, and the kernels that were compiled for it."""
        return self.finish(self.start(script=script, **variables))

    @staticmethod
    def finish(process: subprocess.Popen[str]) -> tuple[int, set[str]]:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        assert err == ""
        result, compiled = out.split("\n")[:2]
        return int(result), set(compiled.split())


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    package = tmp_path / "solvers"
    package.mkdir()
    (tmp_path / "home").mkdir()
    for name, text in KERNELS.items():
        (package / name).write_text(text)
    shutil.copy(solvers.compilation.__file__, package)
    return Toy(tmp_path)


def test_compiles_once_and_stays_silent(toy: Toy) -> None:
    assert toy.run() == (30, {OUTER, INNER})
    kept = toy.kept(toy.beside)
    assert {path.name.split("-")[0] for path in kept} == {OUTER, INNER}
    assert toy.run() == (30, set())
    assert toy.kept(toy.root) == kept, "nothing is kept elsewhere, and nothing twice"


def test_change_in_another_module_recompiles_what_depends_on_it(toy: Toy) -> None:
    toy.run()
    files = len(toy.kept(toy.beside))
    (toy.package / "unrelated.py").write_text("x = 1\n")
    assert toy.run() == (30, set())
    (toy.package / "limits.py").write_text("STEP = 4\n")
    assert toy.run() == (40, {OUTER, INNER})
    (toy.package / "inner.py").write_text(KERNELS["inner.py"].replace("x + STEP", "x - STEP"))
    assert toy.run() == (-40, {OUTER, INNER})
    assert len(toy.kept(toy.beside)) == files, "outdated files are removed"


def test_package_without_write_permission_uses_the_users_directory(toy: Toy) -> None:
    # Root may write anywhere, so permissions alone would test nothing; a file in the way binds root too.
    (toy.package / "__pycache__").write_text("")
    assert toy.run() == (30, {OUTER, INNER})
    assert toy.run() == (30, set())
    assert toy.kept(toy.root / "home") == toy.kept(toy.root) != []


@pytest.mark.parametrize("home", ["/nonexistent/home", "relative", ""])
def test_no_place_to_write_at_all(toy: Toy, home: str) -> None:
    (toy.package / "__pycache__").write_text("")
    # Root could make even the missing directory. A relative one must not be tried at all.
    script = REFUSE + "os.mkdir = refuse\n" + MAIN if home.startswith("/") else MAIN
    assert toy.run(script=script, HOME=home, LOCALAPPDATA=home) == (30, {OUTER, INNER})
    assert not (toy.root / "relative").exists()
    assert toy.kept(toy.root) == []


def test_unknown_home_is_no_error(toy: Toy) -> None:
    (toy.package / "__pycache__").write_text("")
    # Without HOME the password file is asked, and it may have no entry for this user either.
    script = "import os\ndel os.environ['HOME']\nos.path.expanduser = lambda path: path\n"
    assert toy.run(script=script + MAIN, LOCALAPPDATA="") == (30, {OUTER, INNER})
    assert toy.kept(toy.root) == []


def test_warm_kernels_are_read_where_nothing_can_be_written(toy: Toy) -> None:
    toy.run()
    assert toy.run(script=REFUSE + "pathlib.Path.write_bytes = refuse\n" + MAIN) == (30, set())


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _flip_a_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


def _whole_but_not_a_kernel(path: Path) -> None:
    path.unlink()
    solvers.compilation._write(path, b"something else")


@pytest.mark.parametrize("damage", [_truncate, _empty, _flip_a_bit, _whole_but_not_a_kernel])
def test_damaged_files_are_compiled_and_written_anew(toy: Toy, damage: Callable[[Path], None]) -> None:
    toy.run()
    for path in toy.kept(toy.beside):
        damage(path)
    assert toy.run() == (30, {OUTER, INNER})
    assert toy.run() == (30, set())


def test_directory_in_the_place_of_a_file_does_not_stop_the_program(toy: Toy) -> None:
    toy.run()
    for path in toy.kept(toy.beside):
        path.unlink()
        path.mkdir()
    assert toy.run() == (30, {OUTER, INNER})
    assert toy.run() == (30, set()), "the next directory takes it"


def test_processes_starting_cold_together(toy: Toy) -> None:
    processes = [toy.start() for _ in range(4)]
    assert {toy.finish(process)[0] for process in processes} == {30}
    assert toy.run() == (30, set())
    assert [path for path in toy.beside.iterdir() if path.suffix != ".nbc"] == []


def test_chosen_directory_is_the_only_one(toy: Toy) -> None:
    chosen = toy.root / "chosen"
    toy.run(NUMBA_CACHE_DIR=str(chosen))
    assert toy.run(NUMBA_CACHE_DIR=str(chosen)) == (30, set())
    assert toy.kept(chosen) == toy.kept(toy.root) != []


def test_without_compilation(toy: Toy) -> None:
    assert toy.run(NUMBA_DISABLE_JIT="1") == (30, set())
    assert toy.kept(toy.root) == []


def test_bounds_checks_are_not_served_from_a_cache_without_them(toy: Toy) -> None:
    (toy.package / "outer.py").write_text(
        "import numpy\nfrom solvers.compilation import njit\n\n@njit\ndef first(a):\n    return a[0]\n\n"
        "def run(n):\n    try:\n        first(numpy.zeros(1)[n:])\n"
        "    except IndexError:\n        return 1\n    return 0\n"
    )
    assert toy.run()[0] == 0
    assert toy.run(NUMBA_BOUNDSCHECK="1")[0] == 1


def test_time_of_a_search_leaves_out_that_of_compiling() -> None:
    source: dict[str, Any] = {}
    exec("def kernel(x):\n    return x + 1", source)
    # In this order: if nothing were left out, both would show more than was taken.
    watch, clock = Watch(Limits()), solvers.compilation.working_time()
    started = time.perf_counter()
    assert numba.njit(source["kernel"])(1) == 2
    taken = time.perf_counter() - started
    assert 0 < solvers.compilation.working_time() - clock < taken
    assert 0 < watch.seconds < taken


def test_callback_ends_with_its_block() -> None:
    names: list[str] = []
    with pytest.raises(KeyError), solvers.compilation.on_compile(names.append):
        raise KeyError
    assert solvers.compilation._listeners == []
