"""The study writes whole tables that say what they rest on."""

from __future__ import annotations

import csv
import json
import shlex
from fractions import Fraction
from pathlib import Path

import pytest

from solvers.clock.policies import GAMES
from solvers.clock.simulate import simulate
from solvers.compilation import source_fingerprint
from solvers.studies import clock as study
from solvers.studies.clock import write_study


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("study") / "clock"
    write_study(out, 5000, 300, seed=40)
    return out


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_row_for_each_game_and_policy(folder: Path) -> None:
    table = rows(folder / "variants.csv")
    variants = [variant for variants in GAMES.values() for variant in variants]
    assert [(row["game"], row["policy"]) for row in table] == [(v.game, v.policy or "") for v in variants]
    watch = table[1]
    again = simulate("watch", 5000, int(watch["seed"]), policy=watch["policy"])
    assert int(watch["wins"]) == again.wins
    assert float(watch["z"]) == pytest.approx(again.z)
    assert Fraction(watch["exact"]) == again.exact
    assert float(watch["low"]) < float(watch["rate"]) < float(watch["high"])
    assert again.fit is not None
    assert float(watch["p_value"]) == pytest.approx(again.fit.p_value)


def test_distributions_are_whole(folder: Path) -> None:
    table = rows(folder / "cards_left.csv")
    for variants in GAMES.values():
        for variant in variants:
            own = [
                row for row in table if (row["game"], row["policy"]) == (variant.game, variant.policy or "")
            ]
            assert sum(int(row["games"]) for row in own) == 5000
            assert sum(Fraction(row["probability"]) for row in own) == 1


def test_a_row_for_each_shuffle(folder: Path) -> None:
    table = {row["shuffle"]: row for row in rows(folder / "shuffles.csv")}
    assert len(table) == 2 * 3 * 2 * 11
    assert table["riffle:0"]["exact"] == "0"
    assert Fraction(table["riffle:1,start=gathered-won"]["exact"]) == Fraction(2729521, 2**50)
    assert table["overhand:3,start=gathered"]["exact"] == ""
    row = table["riffle:0,start=gathered-won"]
    assert float(row["z_uniform"]) == pytest.approx(-(1 / 13) / (12 / 169 / 300) ** 0.5)


def test_manifest_says_what_was_done(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["parameters"] == {
        "games": 5000,
        "shuffled_games": 300,
        "two_riffles": False,
        "seed": 40,
    }
    command = "python -m solvers.studies.clock --games 5000 --shuffled-games 300 --seed 40 --out "
    assert manifest["command"] == command + shlex.quote(str(folder))
    assert manifest["program"]["name"] == "patience-lab"
    assert manifest["program"]["sources"] == source_fingerprint(study.__file__)
    assert {"numba", "numpy", "scipy"} <= set(manifest["libraries"])
    assert manifest["machine"]["processors"] >= 1
    assert manifest["start"] <= manifest["end"]
