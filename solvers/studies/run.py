"""Run a study block by block, by whatever workers there are, and keep each block once it is finished.

A study is a range of deals and what is done with each of them: a `Plan`. The deals are worked on in
blocks of fixed size, which depend on nothing but the plan. So the rows do not depend on the number of
workers, nor on how often the run was interrupted; only the times do.
"""

from __future__ import annotations

import contextlib
import queue
import shlex
import time
from collections import Counter
from collections.abc import Callable, Generator
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from solvers.compilation import source_fingerprint
from solvers.errors import InputError
from solvers.formats.files import shown
from solvers.sources import SourceKind
from solvers.studies import provenance
from solvers.studies.plan import Columns, Plan, Progress
from solvers.studies.store import MANIFEST, SUMMARY, Store, needed, read_json
from solvers.studies.workers import Workers, is_lost_worker

if TYPE_CHECKING:
    import pyarrow

__all__ = ["run_study"]

MOST_LOSSES = 5
"""A block whose worker was lost this often is given up, and the study with it."""
_MANIFEST_SECONDS = 5.0
_MANIFEST_KEYS = {"study", "parameters", "block", "program", "machine", "libraries", "end", "runs"}
_LOOK_SECONDS = 0.2
MOST_BLOCKS = 1_000_000
"""A file each until the study is finished."""
_LIBRARIES = ("numpy", "numba", "scipy", "pandas", "pyarrow", "pysol-cards", "dask")


class _Count(NamedTuple):
    """What is finished: deals of all runs, those of this run, the tally of all, and the block counted last.

    It is replaced as a whole, since Ctrl-C may come between any two steps.
    """

    done: int
    fresh: int
    tally: Counter[str]
    last: int | None


@dataclass(slots=True)
class _Run:
    """One run of a study, and what is known of it so far."""

    plan: Plan
    store: Store
    manifest: dict[str, Any]
    workers: Workers
    progress: Callable[[Progress], None]
    count: _Count = field(default_factory=lambda: _Count(0, 0, Counter(), None))
    started: float = field(default_factory=time.perf_counter)
    saved: float = 0.0
    in_writing: tuple[int, Columns] | None = None

    @property
    def blocks(self) -> int:
        """Number of blocks; their size is that of the run that began the study."""
        return -(-len(self.plan.deals) // self.manifest["block"])

    def sources(self, number: int) -> list[str]:
        """Sources of the deals of a block."""
        first = number * self.manifest["block"]
        last = min(first + self.manifest["block"], len(self.plan.deals))
        return [self.plan.deals[index] for index in range(first, last)]

    def read_back(self) -> list[int]:
        """Take in what earlier runs wrote; return the blocks that are left to do."""
        left = set(range(self.blocks))
        for number, table in self.store.read_parts(self.blocks, self.sources):
            if table is None:
                self.manifest["runs"][-1].setdefault("damaged_blocks", []).append(number)
            else:
                left.discard(number)
                done, _, tally, _ = self.count
                tally = tally + self.plan.tally(table.to_pydict())
                self.count = _Count(done + len(self.sources(number)), 0, tally, None)
        self.save()
        return sorted(left)

    def keep(self, number: int, columns: Columns) -> None:
        """Write a finished block."""
        import pyarrow as pa

        self.in_writing = number, columns
        self.store.write_part(number, pa.table(columns, schema=self.store.schema))
        self.count_written()
        if time.perf_counter() - self.saved > _MANIFEST_SECONDS:
            self.save()

    def count_written(self) -> None:
        """Count the block handed out last for writing, if it was written and is not counted yet."""
        if self.in_writing is None:
            return
        number, columns = self.in_writing
        done, fresh, tally, last = self.count
        if number != last and self.store.wrote(number):
            deals = len(self.sources(number))
            self.count = _Count(done + deals, fresh + deals, tally + self.plan.tally(columns), number)

    def save(self, **more: Any) -> None:
        """Write the manifest, with how far this run is."""
        self.saved = time.perf_counter()
        seconds = round(self.saved - self.started, 3)
        self.manifest["runs"][-1] |= {"end": provenance.now(), "seconds": seconds, "deals": self.count.fresh}
        self.manifest |= more
        self.store.write_json(MANIFEST, self.manifest)

    def report(self) -> None:
        """Tell whoever wants to know how far it is."""
        seconds = time.perf_counter() - self.started
        done, fresh, tally, _ = self.count
        self.progress(Progress(done, len(self.plan.deals), fresh, seconds, tally.copy()))

    def summary(self) -> dict[str, Any]:
        """Sum up the deals done so far."""
        seconds = sum(one["seconds"] for one in self.manifest["runs"])
        return self.plan.summary(self.count.tally) | {
            "seconds": round(seconds, 3),
            "workers": self.workers.number,
        }


def run_study(
    plan: Plan,
    out: Path | str,
    workers: Workers | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> dict[str, Any]:
    """Run a study, or go on with one, until it is finished or interrupted.

    Parameters
    ----------
    plan : Plan
    out : path
        Directory of the study, made if need be.
    workers : Workers, optional
        By default this process alone.
    progress : callable, optional
        Called a few times a second, and at the end.

    Returns
    -------
    dict
        The summary: what the plan has to say, with `seconds` of wall time of all runs, `workers` of the last,
        and `interrupted`. After Ctrl-C it is that of the deals finished by then, which are kept.

    Raises
    ------
    InputError
        If the directory cannot be used, belongs to another study or was damaged; what was finished is kept.
        If there are too many deals.
    """
    workers = workers or Workers()
    if len(plan.deals) > MOST_BLOCKS * plan.block:
        raise InputError(
            f"{plan.deals}: too many deals for one study, which has at most {MOST_BLOCKS * plan.block:,}"
        )
    with Store(Path(out), _schema(plan), f"{plan.kind}.parquet") as store:
        manifest = _manifest(plan, str(out), store, workers)
        if manifest["end"] is not None:
            store.check_table(manifest["file_sha256"])
            store.remove_parts()
            return read_json(store.directory / SUMMARY) | {"interrupted": False}
        run = _Run(plan, store, manifest, workers, progress or (lambda _: None))
        left = run.read_back()
        try:
            with contextlib.closing(_blocks(run, left)) as finished:
                for number, columns in finished:
                    run.keep(number, columns)
                    run.report()
        except KeyboardInterrupt:
            run.count_written()
            run.save()
            return run.summary() | {"interrupted": True}
        digests = store.finish(run.blocks)
        run.save()
        summary = run.summary()
        store.write_json(SUMMARY, summary)
        run.save(end=provenance.now(), **digests)
        store.remove_parts()
        run.report()
        return summary | {"interrupted": False}


def _schema(plan: Plan) -> pyarrow.Schema:
    needed("pandas", "studies")  # for reading it back: better said now than in the end
    pa = needed("pyarrow", "studies")
    return pa.schema([(name, pa.type_for_alias(kind)) for name, (kind, _) in plan.fields().items()])


def _manifest(plan: Plan, out: str, store: Store, workers: Workers) -> dict[str, Any]:
    """The manifest of a new study, or that of one to go on with; this run is added to it."""
    program = provenance.program(plan.code)
    place = {"machine": provenance.machine(), "libraries": provenance.library_versions(_LIBRARIES)}
    manifest = store.manifest()
    if manifest is None:
        manifest = {
            "study": plan.kind,
            "command": shlex.join(plan.command(out)),
            "parameters": plan.parameters(),
            "seed": plan.deals.seed if plan.deals.kind is SourceKind.RANDOM else None,
            "block": plan.block,
            "columns": {name: meaning for name, (_, meaning) in plan.fields().items()},
            "program": program,
            **place,
            "start": provenance.now(),
            "end": None,
            "runs": [],
        }
    else:
        _check_same(manifest, plan, program, shown(str(store.directory)))
    if manifest["end"] is None:
        differs = {name: value for name, value in place.items() if value != manifest[name]}
        manifest["runs"].append({"start": provenance.now(), "workers": workers.number, **differs})
    return manifest


def _check_same(manifest: dict[str, Any], plan: Plan, program: dict[str, Any], where: str) -> None:
    """Refuse a directory that holds another study, or the same one by another program."""
    if not manifest.keys() >= _MANIFEST_KEYS:
        raise InputError(f"{where}: {MANIFEST} is not that of a study")
    there = {"study": manifest["study"], **manifest["parameters"]}
    here = {"study": plan.kind, **plan.parameters()}
    for name in there | here:
        if there.get(name) != here.get(name):
            raise InputError(
                f"{where}: holds another study: {name} is {there.get(name)} there and {here.get(name)} here"
            )
    begun = manifest["program"]
    if manifest["end"] is None and (begun["version"], begun["sources"]) != (
        program["version"],
        program["sources"],
    ):
        raise InputError(
            f"{where}: was begun by version {begun['version']} (commit {begun['commit'] or 'unknown'}), and"
            " the code has changed since: finish it with that, or begin again in another directory"
        )


def _blocks(run: _Run, left: list[int]) -> Generator[tuple[int, Columns]]:
    """Let the workers do the blocks that are left, and yield each as it is finished."""
    finished: queue.SimpleQueue[Any] = queue.SimpleQueue()
    in_hand: dict[Any, int] = {}
    losses: Counter[int] = Counter()
    waiting = left[::-1]
    if waiting and run.workers.start_cold:
        # Compile here, once, what every process would compile for itself.
        run.plan.decide(run.sources(waiting[-1])[:1])
    with run.workers.at_work() as executor:
        try:
            while waiting or in_hand:
                while waiting and len(in_hand) < run.workers.in_hand:
                    number = waiting.pop()
                    future = executor.submit(_work, run.plan, run.sources(number))
                    in_hand[future] = number
                    future.add_done_callback(finished.put)
                run.report()
                try:
                    future = finished.get(timeout=_LOOK_SECONDS)
                except queue.Empty:
                    continue
                number = in_hand.pop(future)
                columns = _result(future, run.manifest["program"]["sources"])
                if columns is not None:
                    yield number, columns
                    continue
                losses[number] += 1
                if losses[number] == MOST_LOSSES:
                    first = run.sources(number)[0]
                    raise InputError(
                        f"the worker was lost {MOST_LOSSES} times over the deals from {first} on"
                    )
                waiting.append(number)
        finally:
            for future in in_hand:
                future.cancel()


def _work(plan: Plan, sources: list[str]) -> tuple[str, Columns]:
    """Do one block, in a worker; say by which code."""
    file = import_module(plan.code).__file__
    return source_fingerprint(file) if file else "", plan.decide(sources)


def _result(future: Any, expected_code: str) -> Columns | None:
    """What a worker made of a block; None if the worker was lost."""
    try:
        code, columns = future.result()
    except CancelledError:
        raise InputError("the workers are gone") from None
    except ImportError as error:
        raise InputError(f"a worker lacks what it needs: {error}") from None
    except Exception as error:
        if is_lost_worker(error):
            return None
        raise
    if code != expected_code:
        raise InputError("a worker runs other code than this: install the same version of patience-lab there")
    return cast(Columns, columns)
