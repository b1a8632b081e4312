"""What test modules share, and ``tests`` importable.

Not at the price of hiding an installed `solvers` behind the checkout.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

# At the end, not at the front: where the package is installed, the installed one is tested.
sys.path.append(str(Path(__file__).resolve().parent.parent))
pytest.register_assert_rewrite("tests.command_line", "tests.study_files")

if TYPE_CHECKING:
    from solvers.view.replay import Replay
    from tests.command_line import Patience

# Imported where used: most modules need one of these at most, and pandas takes its time.


@pytest.fixture
def patience(capsys: pytest.CaptureFixture[str]) -> Patience:
    """The command line, run in this process."""
    from solvers.cli import main
    from tests.command_line import Ran

    def run(*words: str) -> Ran:
        capsys.readouterr()
        code = main(words)
        return Ran(code, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def winnable() -> Replay:
    """The page of a deal that can be won."""
    from solvers.bakers_dozen.solve import solve
    from solvers.deals import load_deal
    from solvers.view.replay import Replay

    deal = load_deal("bakers-dozen", "pysolfc:24")
    return Replay(deal, solve(deal.position))


@pytest.fixture(scope="session")
def squares(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small study of squares, run without a hitch."""
    from solvers.studies.run import run_study
    from tests.study_files import SMALL

    place = tmp_path_factory.mktemp("squares") / "study"
    run_study(SMALL, place)
    return place
