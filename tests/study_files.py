"""Studies as they lie on the disk, for the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from solvers.studies.plan import Progress
from solvers.studies.run import run_study
from solvers.studies.store import read_json
from tests.reference.plans import SquarePlan

SMALL = SquarePlan(last=22)


def repeatable_bytes(path: Path) -> dict[str, bytes]:
    """Bytes of each column of a Parquet file as they lie on the disk, but for the times."""
    data, found = path.read_bytes(), {}
    metadata = pq.ParquetFile(path).metadata
    for group in range(metadata.num_row_groups):
        for index in range(metadata.num_columns):
            column = metadata.row_group(group).column(index)
            start = column.dictionary_page_offset or column.data_page_offset
            if column.path_in_schema != "seconds":
                found[f"{group} {column.path_in_schema}"] = data[start : start + column.total_compressed_size]
    return found


def assert_same_study(one: Path, other: Path, table: str) -> None:
    first, second = read_json(one / "manifest.json"), read_json(other / "manifest.json")
    assert first["data_sha256"] == second["data_sha256"]
    assert repeatable_bytes(one / table) == repeatable_bytes(other / table)
    # Not even the length depends on the times.
    assert (one / table).stat().st_size == (other / table).stat().st_size
    assert not (one / "parts").exists()
    unneeded = {"seconds", "workers"}
    summaries = [read_json(place / "summary.json") for place in (one, other)]
    assert [{name: s[name] for name in s if name not in unneeded} for s in summaries].count(
        {name: summaries[0][name] for name in summaries[0] if name not in unneeded}
    ) == 2


def part_files(place: Path) -> list[Path]:
    return sorted((place / "parts").glob("*.parquet"))


def interrupted_after(blocks: int, place: Path, plan: Any = SMALL) -> dict[str, Any]:
    """Run a study and press Ctrl-C when that many blocks are finished."""

    def press(progress: Progress) -> None:
        if progress.done >= blocks * plan.block:
            raise KeyboardInterrupt

    return run_study(plan, place, progress=press)
