"""The headline figures show what the results say, and are the same for the same results."""

from __future__ import annotations

from pathlib import Path

import pytest

from solvers.errors import InputError

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
for _package in ("matplotlib", "pyarrow"):
    pytest.importorskip(_package, reason=f"{_package} is not installed")

from solvers.games import GAMES  # noqa: E402
from solvers.studies.players import plan_players  # noqa: E402
from solvers.studies.run import run_study  # noqa: E402
from solvers.studies.verdicts import read_study  # noqa: E402
from solvers.view.headlines import effort_figure, family_figure, write_headlines  # noqa: E402

TABLE = "game,winnable,unwinnable,undecided\ngood-measure,90,10,0\nbakers-dozen,99,0,1\n"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    (folder / "family").mkdir()
    (folder / "family" / "table.csv").write_text(TABLE)
    run_study(plan_players("random:7/0-9", budget=2_000), folder / "players")
    return folder


def test_family_is_sorted_by_share(results: Path) -> None:
    (axes,) = family_figure(pandas.read_csv(results / "family" / "table.csv")).axes
    titles = [label.get_text() for label in axes.get_yticklabels()]
    assert titles == [GAMES[name].title for name in ("bakers-dozen", "good-measure")]
    counted = [tuple(end[0] for end in line) for line in axes.collections[1].get_segments()]
    assert counted == [(0.99, 1.0), (0.9, 0.9)]


def test_effort_ends_at_the_share_that_was_won(results: Path) -> None:
    frame = read_study(results / "players")
    (axes,) = effort_figure(frame).axes
    curve = axes.lines[0]
    won = frame.loc[frame["take-back won"], "take-back looked"]
    shares = [float((won < effort).sum()) / len(frame) for effort in curve.get_xdata()]
    assert list(curve.get_ydata()) == pytest.approx(shares)
    greedy = axes.lines[2]
    assert greedy.get_label() == "greedy"
    assert list(greedy.get_ydata()) == [frame["greedy won"].mean()]
    assert list(greedy.get_xdata()) == [frame["greedy looked"].mean()]


def test_files_are_the_same_for_the_same_results(results: Path) -> None:
    files = write_headlines(results)
    assert [str(file.relative_to(results)) for file in files] == [
        str(Path("family/figures/winnable.svg")), str(Path("players/figures/effort.svg")),
    ]  # fmt: skip
    before = [file.read_bytes() for file in files]
    assert all(text.startswith(b"<?xml") for text in before)
    assert [file.read_bytes() for file in write_headlines(results)] == before


def test_without_results_there_is_nothing_to_draw(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"neither family/table\.csv nor"):
        write_headlines(tmp_path)


def test_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "family").mkdir()
    (tmp_path / "family" / "table.csv").write_text(TABLE)
    (tmp_path / "family" / "figures").write_text("in the way")
    with pytest.raises(InputError, match=r"winnable\.svg: cannot be written"):
        write_headlines(tmp_path)
