"""The notebooks run from first to last cell, on small samples here, and are kept as they should be."""

from __future__ import annotations

import ast
import os
from pathlib import Path
from typing import Any

import pytest

import solvers

nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
for _package in ("ipykernel", "matplotlib", "pandas", "pyarrow"):
    pytest.importorskip(_package, reason=f"{_package} is not installed")

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))
MOST_BYTES = 300_000
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def errors(notebook: Any) -> list[str]:
    outputs = (output for cell in code_cells(notebook) for output in cell.outputs)
    return [
        output.get("evalue") or output.get("text", "")
        for output in outputs
        if output.output_type == "error" or output.get("name") == "stderr"
    ]


def test_there_are_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS][:2] == ["01_clock", "02_bakers_dozen"]


@every_notebook
def test_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert solvers.__file__
    monkeypatch.setenv("PATIENCE_SAMPLE", "small")
    # The package under test, for the kernel too.
    monkeypatch.setenv(
        "PYTHONPATH",
        os.pathsep.join([str(Path(solvers.__file__).parent.parent), os.environ.get("PYTHONPATH", "")]),
    )
    notebook = read(path)
    resources = {"metadata": {"path": str(path.parent)}}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    assert errors(notebook) == []


@every_notebook
def test_committed_outputs_are_of_one_run_from_the_top(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    assert [cell.execution_count for cell in code_cells(notebook)] == list(
        range(1, len(code_cells(notebook)) + 1)
    )
    assert errors(notebook) == []
    assert any(cell.outputs for cell in code_cells(notebook))
    assert path.stat().st_size < MOST_BYTES
    # Not the small samples of the tests.
    assert 'SMALL = os.environ.get("PATIENCE_SAMPLE") == "small"' in code_cells(notebook)[0].source


@every_notebook
def test_only_public_names_are_used(path: Path) -> None:
    """A notebook asks the package; what it knows of a game is there and tested there."""
    for cell in code_cells(read(path)):
        source = "\n".join(line for line in cell.source.split("\n") if not line.startswith("%"))
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "solvers":
                names = [*(node.module or "").split("."), *(name.name for name in node.names)]
                assert not [name for name in names if name.startswith("_") or name.endswith("kernel")]
            if isinstance(node, ast.Attribute):
                assert not node.attr.startswith("_")
            assert not isinstance(node, ast.ClassDef | ast.While), "that is logic"
