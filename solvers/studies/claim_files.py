"""The table of claims as files: Markdown to read, CSV and JSON to go on with, and a manifest."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from solvers.formats.files import explained
from solvers.studies import provenance
from solvers.studies.readings import Row
from solvers.studies.store import make_directory, write_whole

__all__ = ["markdown", "open_directory", "origin", "write_claims"]

_TABLE = "claims.json"
_ROOM = 200_000
"""Bytes that the files take, and more."""
_COLUMNS = tuple(field.name for field in fields(Row))
_LIBRARIES = ("numpy", "numba", "scipy", "pandas", "pyarrow")


def open_directory(out: str) -> Path:
    """Make the directory and see that it can be written, before there is anything to lose.

    Raises
    ------
    InputError
        If it cannot be made or written, or holds something else than claims.
    """
    directory = Path(out)
    trial = directory / f".{_TABLE}.trial"
    with explained(directory, "cannot be used"):
        make_directory(directory, _TABLE)
        try:
            trial.write_bytes(bytes(_ROOM))
        finally:
            trial.unlink(missing_ok=True)
    return directory


def origin(command: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """The manifest as it stands before the work: what is run, by which program, on what."""
    return provenance.origin("solvers.studies.claims", command, parameters, _LIBRARIES)


def write_claims(directory: Path, rows: Sequence[Row], manifest: dict[str, Any]) -> None:
    """Write ``claims.md``, ``claims.csv``, ``claims.json`` and ``manifest.json``.

    Raises
    ------
    InputError
        If one of them cannot be written.
    """
    records = [asdict(row) for row in rows]
    table = io.StringIO()
    writer = csv.DictWriter(table, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    for name, text in (
        ("claims.md", markdown(rows)),
        ("claims.csv", table.getvalue()),
        (_TABLE, json.dumps({"claims": records}, indent=2) + "\n"),
        ("manifest.json", json.dumps(manifest | {"end": provenance.now()}, indent=2) + "\n"),
    ):
        path = directory / name
        with explained(path):
            write_whole(path, text.encode())


def markdown(rows: Sequence[Row]) -> str:
    """Return the claims as a table of Markdown, a row each."""
    heads = ("Claim", "Verdict", "Why", "Value, 95 % interval", "Test", "Rule as read here", "Source")
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for row in rows:
        cells = (row.claim, str(row.verdict), row.why, row.value, row.test, row.rule, row.source)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "# Claims, judged\n\n" + "\n".join(lines) + "\n"
