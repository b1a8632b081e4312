"""The table of the family, made from small studies."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pytest

from solvers.studies import family


def test_table_of_two_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["family", "--out", str(tmp_path), "--deals", "random:3/0-19"]
    monkeypatch.setattr(sys, "argv", [*words, "bakers-dozen-easy", "castles-in-spain"])
    family.main()
    table = pd.read_csv(tmp_path / "table.csv")
    assert list(table["game"]) == ["bakers-dozen-easy", "castles-in-spain"]
    assert (table["winnable"] + table["unwinnable"] + table["undecided"] == 20).all()
    assert (table["ci95_low"] < table["ci95_high"]).all()
    assert (table["memory_MB"] > 50).all()
    lines = (tmp_path / "table.md").read_text().splitlines()
    assert len(lines) == 4
    assert lines[2].startswith("| bakers-dozen-easy | ")
    # What is there is kept, so the table can be made again at no cost.
    before = (tmp_path / "bakers-dozen-easy" / "deals.parquet").read_bytes()
    family.main()
    assert (tmp_path / "bakers-dozen-easy" / "deals.parquet").read_bytes() == before
