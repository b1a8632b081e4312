"""Comparisons: pairs counted one by one, and inclusions played out by the referee."""

from __future__ import annotations

import json
import random
from itertools import pairwise, permutations, product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.bakers_dozen.rules import IllegalMove, apply, legal_moves
from solvers.cli import main
from solvers.deals import load_deal
from solvers.errors import InputError
from solvers.games import GAMES, Kings, TableauRules
from solvers.studies.compare import at_least_as_free, compare_studies, pair_up, plan_games, same_layout
from solvers.studies.proportion import mcnemar_test, paired_difference
from solvers.studies.run import run_study

TABLEAU = [game for game in GAMES.values() if isinstance(game, TableauRules)]
WON, LOST, OPEN = (True, True), (False, False), (False, True)


def arrays(outcomes: list[tuple[bool, bool]]) -> tuple[np.ndarray, np.ndarray]:
    table = np.array(outcomes, dtype=bool).reshape(-1, 2)
    return table[:, 0], table[:, 1]


OUTCOMES = st.sampled_from([WON, LOST, OPEN])
TABLE = [(True, True), (True, False), (False, True), (False, False)]


@settings(deadline=None)
@given(st.lists(st.tuples(OUTCOMES, OUTCOMES), max_size=6))
def test_pairs_are_counted_and_undecided_ones_taken_at_their_worst(
    deals: list[tuple[tuple[bool, bool], tuple[bool, bool]]],
) -> None:
    found = pair_up(arrays([one for one, _ in deals]), arrays([other for _, other in deals]))
    assert found.both == deals.count((WON, WON))
    assert found.only_first == deals.count((WON, LOST))
    assert found.only_second == deals.count((LOST, WON))
    assert found.neither == deals.count((LOST, LOST))
    assert found.undecided == sum(OPEN in deal for deal in deals)
    possible = [[pair for pair in TABLE if pair[0] in one and pair[1] in two] for one, two in deals]
    discordant = {(all_.count((True, False)), all_.count((False, True))) for all_ in product(*possible)}
    assert found.p_value == pytest.approx(max(mcnemar_test(*counts) for counts in discordant))
    for only_first, only_second in discordant:
        share = (only_first - only_second) / max(1, len(deals))
        assert found.difference.low <= share <= found.difference.high


def test_decided_pairs_have_the_usual_interval() -> None:
    counts = (30, 12, 4, 14)
    wins = np.repeat(TABLE, counts, axis=0)
    found = pair_up((wins[:, 0], wins[:, 0]), (wins[:, 1], wins[:, 1]))
    assert found.difference == paired_difference(*counts)


def test_known_inclusions() -> None:
    def free(harder: str, easier: str) -> bool:
        return at_least_as_free(GAMES[harder], GAMES[easier])

    chain = ["bakers-dozen", "portuguese-solitaire", "spanish-patience-ii", "spanish-patience-jair"]
    for harder, easier in pairwise(chain):
        assert free(harder, easier)
        assert not free(easier, harder)
    assert free("bakers-dozen-fill", "bakers-dozen-easy")
    assert free("bakers-dozen-group", "bakers-dozen-easy")
    assert free("bakers-dozen-fill", "spanish-patience-ii")
    assert free("spanish-patience-ii", "bakers-dozen-fill")
    assert free("castles-in-spain", "spanish-patience-ii")
    assert free("bakers-dozen-same-suit", "bakers-dozen")
    assert not free("bakers-dozen-same-suit", "bakers-dozen-red-black")
    assert not free("bakers-dozen", "good-measure")
    assert not free("clock", "bakers-dozen")


def imitates(harder: TableauRules, easier: TableauRules, chance: random.Random) -> bool:
    """Whether the other game allows all moves of a random play on the same layout."""
    source = f"random:3/{chance.randrange(1000)}"
    here, there = (load_deal(game, source, Kings.AS_DEALT).position for game in (harder, easier))
    for _ in range(150):
        moves = legal_moves(here, harder)
        if not moves:
            break
        # Sequences and spaces are where the games differ: seek them.
        move = max(chance.sample(moves, min(3, len(moves))), key=lambda move: (move.count, move.target == -1))
        here = apply(here, move, harder)
        try:
            there = apply(there, move, easier)
        except IllegalMove:
            return False
    return True


@pytest.mark.parametrize("harder", TABLEAU, ids=lambda game: game.name)
def test_freer_games_allow_every_move(harder: TableauRules) -> None:
    chance = random.Random(1)
    for easier in TABLEAU:
        if same_layout(harder, easier):
            free = at_least_as_free(harder, easier)
            plays = (imitates(harder, easier, chance) for _ in range(12 if free else 400))
            assert all(plays) == free, easier.name


def test_inclusions_are_an_order() -> None:
    for one, two, three in permutations(TABLEAU, 3):
        if at_least_as_free(one, two) and at_least_as_free(two, three):
            assert at_least_as_free(one, three)
    assert all(at_least_as_free(game, game) for game in TABLEAU)


def test_games_of_one_shape_are_given_one_layout() -> None:
    plans = plan_games(["spanish-patience-ii", "bakers-dozen"], "random:7/0-9")
    assert [plan.kings for plan in plans] == [Kings.AS_DEALT] * 2
    plans = plan_games(["bakers-dozen", "spanish-patience-ii"], "random:7/0-9")
    assert [plan.kings for plan in plans] == [Kings.SLIDE] * 2
    plans = plan_games(["spanish-patience-ii", "bakers-dozen"], "random:7/0-9", kings="swap")
    assert [plan.kings for plan in plans] == [Kings.SWAP] * 2
    plans = plan_games(["good-measure", "spanish-patience-ii"], "random:7/0-9")
    assert [plan.kings for plan in plans] == [Kings.SLIDE, Kings.AS_DEALT]


@pytest.mark.parametrize(
    ("games", "says"),
    [
        (["clock"], "at least two"),
        (["bakers-dozen", "Baker's Dozen"], "bakers-dozen is to be compared with itself"),
        (["bakers-dozen", "quidditch"], "quidditch"),
    ],
)
def test_comparisons_that_cannot_be_are_refused(games: list[str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        plan_games(games, "random:7/0-9")


def test_command_compares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", "bakers-dozen", "good-measure", "--deals", "pysolfc:60-79", "--workers", "1"]
    assert main([*words, "--out", str(tmp_path / "kept"), "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert [game["game"] for game in fields["games"]] == ["bakers-dozen", "good-measure"]
    assert [game["kings"] for game in fields["games"]] == ["swap", "swap"]
    (pair,) = fields["pairs"]
    first, second = (game["winnable"] for game in fields["games"])
    assert pair["both"] + pair["only_first"] == first == 19
    assert pair["both"] + pair["only_second"] == second
    assert sum(pair[name] for name in ("both", "only_first", "only_second", "neither", "undecided")) == 20
    assert pair["p_value"] == mcnemar_test(pair["only_first"], pair["only_second"])
    assert fields["inclusions"] == []
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["bakers-dozen", "good-measure"]
    assert main([*words, "--out", str(tmp_path / "kept")]) == 0
    out = capsys.readouterr().out
    assert "bakers-dozen / good-measure" in out
    assert "pysolfc:60-79: 20 deals" in out


def test_violated_inclusion_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plans = plan_games(["bakers-dozen-same-suit", "bakers-dozen"], "random:7/0-4")
    places = [tmp_path / plan.game.name for plan in plans]
    for plan, place, outcome in zip(plans, places, ("winnable", "unwinnable"), strict=True):
        run_study(plan, place)
        table = pq.read_table(place / "deals.parquet")
        forged = pa.array(["unwinnable", outcome, "undecided", "unwinnable", "unwinnable"])
        pq.write_table(table.set_column(1, "outcome", forged), place / "deals.parquet")
    (inclusion,) = compare_studies(plans, places).inclusions
    assert (inclusion.harder, inclusion.easier) == ("bakers-dozen-same-suit", "bakers-dozen")
    assert inclusion.deals == 1
    assert inclusion.violations == ("random:7/1",)


def test_studies_of_other_deals_are_not_compared(tmp_path: Path) -> None:
    plans = plan_games(["bakers-dozen", "good-measure"], "random:7/0-1")
    for plan in plan_games(["bakers-dozen", "good-measure"], "random:7/1-2"):
        run_study(plan, tmp_path / plan.game.name)
    with pytest.raises(InputError, match="bakers-dozen is not of all of random:7/0-1"):
        compare_studies(plans, [tmp_path / plan.game.name for plan in plans])


def test_command_reports_a_violation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from solvers.outcome import Outcome, SolveResult
    from solvers.studies import judge as module
    from solvers.studies import verdicts

    def forged(game: TableauRules, *_: object) -> SolveResult:
        return SolveResult(Outcome.WINNABLE if game.name == "bakers-dozen" else Outcome.UNWINNABLE)

    forged.__module__ = module.__name__
    monkeypatch.setattr(verdicts, "judge", forged)
    words = ["compare", "bakers-dozen", "bakers-dozen-fill", "--deals", "random:7/0-1", "--workers", "1"]
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert "all but 2 of the 2 won in bakers-dozen are won in bakers-dozen-fill" in out
    assert err.startswith("random:7/0 is won in bakers-dozen and not in bakers-dozen-fill")
