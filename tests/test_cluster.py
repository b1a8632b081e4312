"""Studies on a Dask cluster, one on this machine, also with a worker killed at work."""

from __future__ import annotations

import gc
import json
import os
import signal
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solvers.cli import main
from solvers.errors import InputError
from solvers.studies.plan import Progress
from solvers.studies.run import run_study
from solvers.studies.verdicts import plan_study
from solvers.studies.workers import dask_cluster
from tests.reference.plans import SquarePlan
from tests.study_files import assert_same_study

distributed = pytest.importorskip("distributed")
# Dask's own, of which a killed worker causes plenty.
pytestmark = pytest.mark.filterwarnings("ignore")
PLAN = plan_study("bakers-dozen", "random:9/0-79", block=5)


def cluster_of(workers: int) -> Any:
    """A cluster on this machine. Dask gives its event loop ten seconds to start, too few at times."""
    for attempt in range(3):
        try:
            return distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                silence_logs=50,
            )
        except AssertionError:
            if attempt == 2:
                raise
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ResourceWarning)  # the cluster that did not start
                gc.collect()
    return None


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with cluster_of(2) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("whole") / "study"
    run_study(PLAN, place)
    return place


def test_cluster_finds_the_same(tmp_path: Path, whole: Path, address: str) -> None:
    with dask_cluster(address) as workers:
        assert workers.number == 2
        run_study(PLAN, tmp_path / "study", workers)
    assert_same_study(tmp_path / "study", whole, "deals.parquet")


def test_command_uses_the_cluster(address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["study", "clock", "random:9/0-9", "--out", str(tmp_path / "study"), "--cluster", address]
    assert main([*words, "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert (fields["deals"], fields["workers"]) == (10, 2)


def test_killed_worker_changes_nothing(tmp_path: Path, whole: Path, address: str) -> None:
    client = distributed.Client(address)
    killed: list[int] = []

    def kill_one(progress: Progress) -> None:
        if progress.done and not killed:
            killed.extend(client.run(os.getpid).values())
            os.kill(killed[0], signal.SIGKILL)

    with dask_cluster(address) as workers:
        run_study(PLAN, tmp_path / "study", workers, kill_one)
    client.close()
    assert len(killed) == 2
    assert_same_study(tmp_path / "study", whole, "deals.parquet")


def test_interrupted_run_goes_on_in_this_process(tmp_path: Path, whole: Path, address: str) -> None:
    def press(progress: Progress) -> None:
        if progress.done:
            raise KeyboardInterrupt

    with dask_cluster(address) as workers:
        assert run_study(PLAN, tmp_path / "study", workers, press)["interrupted"]
    run_study(PLAN, tmp_path / "study")
    assert_same_study(tmp_path / "study", whole, "deals.parquet")


def test_fault_of_the_work_is_not_hidden(tmp_path: Path, address: str) -> None:
    with dask_cluster(address) as workers, pytest.raises(ZeroDivisionError, match="deal 3"):
        run_study(SquarePlan(last=9, raises_at=3), tmp_path / "study", workers)


@pytest.mark.parametrize("where", ["tcp://127.0.0.1:1", "nonsense://1:2", "no address"])
def test_no_scheduler_is_one_line(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from solvers.studies import workers as module

    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.5)
    with pytest.raises(InputError, match=f"no Dask scheduler at '{where}': ") as caught, dask_cluster(where):
        pass
    assert "\n" not in str(caught.value)


def test_worker_lost_again_and_again_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from solvers.studies import run as module

    monkeypatch.setattr(module, "MOST_LOSSES", 1)
    plan: Any = SquarePlan(last=4, dies_at=2)
    with (
        cluster_of(1) as cluster,
        dask_cluster(cluster.scheduler_address) as workers,
        pytest.raises(InputError, match="lost 1 times over the deals from random:0/0 on"),
    ):
        run_study(plan, tmp_path / "study", workers)


def test_cluster_that_goes_away_is_one_line_and_what_is_finished_is_kept(tmp_path: Path, whole: Path) -> None:
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    )

    def close(progress: Progress) -> None:
        if progress.done >= 10 and cluster.status != distributed.Status.closed:
            cluster.close()

    with (
        pytest.raises(InputError, match="the workers are gone"),
        dask_cluster(cluster.scheduler_address) as workers,
    ):
        run_study(PLAN, tmp_path / "study", workers, close)
    assert len(list((tmp_path / "study" / "parts").iterdir())) >= 2
    run_study(PLAN, tmp_path / "study")
    assert_same_study(tmp_path / "study", whole, "deals.parquet")
