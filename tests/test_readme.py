"""The README's examples do what it says they do."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import solvers
from solvers.cli import app

README = Path(__file__).parent.parent / "README.md"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = re.compile(r"\b[0-9]+\.[0-9]+ s\b")


def blocks(language: str) -> list[str]:
    return [text for name, text in FENCE.findall(README.read_text("utf-8")) if name == language]


def console_examples() -> list[tuple[str, str]]:
    """Each command after a dollar sign, with the output shown for it."""
    examples = []
    for block in blocks("console"):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = example.partition("\n")
            examples.append((command, output))
    return examples


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty working directory with a command ``patience`` that runs this package."""
    folder = tmp_path_factory.mktemp("readme")
    command = folder / "bin" / "patience"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m solvers "$@"\n')
    command.chmod(0o755)
    return folder


@pytest.mark.skipif(shutil.which("bash") is None, reason="the examples are for a POSIX shell")
@pytest.mark.parametrize(("command", "shown"), console_examples())
def test_command_prints_what_the_readme_shows(folder: Path, command: str, shown: str) -> None:
    assert solvers.__file__
    variables = {
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(solvers.__file__).parent.parent),
    }
    # Both streams in one, as on a terminal; the announcement of a first compilation is not part of it.
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    printed = re.sub(r"^compiling for the first time.*\n", "", done.stdout, flags=re.MULTILINE)
    # Times differ from run to run; where the README says "...", anything may stand.
    wanted, got = SECONDS.sub("0.00 s", shown), SECONDS.sub("0.00 s", printed)
    if not doctest.OutputChecker().check_output(wanted, got, doctest.ELLIPSIS):
        assert got == wanted


def test_library_example() -> None:
    (example,) = blocks("pycon")
    test = doctest.DocTestParser().get_doctest(example, {}, "README", str(README), 0)
    assert test.examples
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert result.failed == 0, "".join(report)


def test_every_command_and_path_that_is_named_exists() -> None:
    text = README.read_text("utf-8")
    commands = set(re.findall(r"\bpatience ([a-z]+)\b", text)) - {"is"}
    listed = typer.main.get_command(app).commands  # type: ignore[attr-defined]  # it is a group
    assert commands <= listed.keys()
    tree = text.split("## The tree")[1].split("## ")[0]
    for first, *others in (re.findall(r"`([^`]+)`", line.split("|")[1]) for line in tree.splitlines()[4:-1]):
        for name in (first, *(str(Path(first).parent / other) for other in others)):
            assert (README.parent / name).exists(), name


def test_simulated_result_is_the_one_that_the_example_prints() -> None:
    text = README.read_text("utf-8")
    results = text.split("## Results")[1].split("## ")[0]
    shown = re.search(r"^won ([0-9,]+): .*\n.*, (z = \S+)$", text, re.MULTILINE)
    assert shown is not None
    assert f"{shown[1]}, {shown[2]}" in results


def test_verdicts_on_claims_are_the_kept_ones() -> None:
    kept = json.loads((README.parent / "results" / "claims" / "claims.json").read_text("utf-8"))
    wanted = [f"| {row['claim'].rstrip('.')} | {row['verdict']} |" for row in kept["claims"]]
    table = README.read_text("utf-8").split("| What is said | Verdict |\n|---|---|\n")[1]
    assert table.split("\n\n")[0].splitlines() == wanted


def test_table_of_the_family_is_the_kept_one() -> None:
    kept = (README.parent / "results" / "family" / "table.md").read_text("utf-8").strip()
    assert kept in README.read_text("utf-8")
