"""Who does the work of a study: this process, processes of its own, or a Dask cluster.

All a study asks for is `Executor`: ``submit`` as `concurrent.futures` has it. So whatever else offers
that will do, too.

Processes, not threads. Measured with two workers on two processors, their start included: Baker's Dozen
(4,000 deals) is 1.7 times as fast as with one worker either way, Castles in Spain (1,000) 1.4 times with
threads and 1.3 with processes, Clock (100,000, played in Python) 1.0 times with threads and 1.4 with
processes. And a process that is killed takes no more with it than its block. They are started afresh
(``spawn``): a process forked from one in which kernels have run may hang.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Protocol

from solvers.errors import InputError, quote
from solvers.studies.store import needed

__all__ = ["Executor", "InThisProcess", "Processes", "Workers", "dask_cluster", "is_lost_worker"]

CONNECT_SECONDS = 10.0


class Executor(Protocol):
    """Anything that takes a function and its arguments, and returns a future.

    The future has ``add_done_callback``, ``result`` and ``cancel`` of `concurrent.futures.Future`. Function
    and arguments can be pickled.
    """

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Any:
        """Return the future of ``function(*arguments)``."""
        ...


class InThisProcess:
    """One worker: whoever submits does it at once."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Call the function and return its result, or its error, as a future."""
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future


class Processes:
    """Processes on this machine, used in a ``with`` block.

    They end with the block at once, whatever they are doing, and also when this process is killed. If one
    of them is killed the work in hand fails with `BrokenExecutor`, and new ones take over.

    Parameters
    ----------
    workers : int
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._context = multiprocessing.get_context("spawn")
        self._pool: ProcessPoolExecutor | None = None
        self._lifelines: list[Connection] = []

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        for lifeline in self._lifelines:
            lifeline.close()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Hand the call to a process."""
        if self._pool is not None:
            with contextlib.suppress(BrokenExecutor):
                return self._pool.submit(function, *arguments)
            self._pool.shutdown()
        # Nobody writes to this pipe. It ends when this end of it is closed, by whatever cause.
        watched, lifeline = self._context.Pipe(duplex=False)
        self._lifelines += [watched, lifeline]
        self._pool = ProcessPoolExecutor(self._workers, self._context, _begin, (watched,))
        return self._pool.submit(function, *arguments)


def _begin(watched: Connection) -> None:
    """Set a worker up: Ctrl-C is for the process that started it, and without that one it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end_with_parent() -> None:
        with contextlib.suppress(EOFError, OSError):
            watched.recv_bytes()
        os._exit(0)

    threading.Thread(target=end_with_parent, daemon=True).start()


@dataclass(frozen=True, slots=True)
class Workers:
    """Who does the work.

    Parameters
    ----------
    number : int
        Processes of their own; with 1, this process does it all. With an `executor`, how many things it can
        do at the same time.
    executor : Executor or None
        Anything with ``submit`` as in `concurrent.futures`.
    """

    number: int = 1
    executor: Executor | None = None

    def __post_init__(self) -> None:
        if self.number < 1:
            raise InputError(f"the number of workers is at least 1, not {self.number}")

    @property
    def start_cold(self) -> bool:
        """Whether they are processes that begin with nothing."""
        if self.executor is None:
            return self.number > 1
        return isinstance(self.executor, Processes)

    @contextlib.contextmanager
    def kept(self) -> Iterator[Workers]:
        """The same workers for several studies, started once: that takes a second or two a study."""
        if self.executor is not None or self.number == 1:
            yield self
            return
        with Processes(self.number) as processes:
            yield Workers(self.number, processes)

    @property
    def in_hand(self) -> int:
        """Blocks to hand out at a time, so that no worker waits for its next."""
        return 1 if self.number == 1 and self.executor is None else 2 * self.number

    @contextlib.contextmanager
    def at_work(self) -> Iterator[Executor]:
        """The executor, ended with the block if it is ours."""
        if self.executor is not None:
            yield self.executor
        elif self.number == 1:
            yield InThisProcess()
        else:
            with Processes(self.number) as processes:
                yield processes


@contextlib.contextmanager
def dask_cluster(address: str) -> Iterator[Workers]:
    """Use a Dask cluster that is running.

    Parameters
    ----------
    address : str
        Of its scheduler, as in ``tcp://10.0.0.7:8786``.

    Yields
    ------
    Workers
        As many as its workers have threads just now. Dask does again what a worker had in hand when it
        was lost.

    Raises
    ------
    InputError
        If Dask is not installed, or no scheduler answers there.
    """
    distributed = needed("distributed", "cluster")
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TypeError) as error:
        reason = " ".join(str(error).split()) or "no answer"
        raise InputError(f"no Dask scheduler at {quote(address)}: {reason}") from None
    try:
        threads = sum(client.nthreads().values())
        # Impure: a block that failed is computed again when it is submitted again.
        yield Workers(max(1, threads), client.get_executor(pure=False))
    finally:
        client.close()


def is_lost_worker(error: BaseException) -> bool:
    """Whether an error means that the worker was lost, and not that the work is at fault."""
    distributed = sys.modules.get("distributed")
    return isinstance(error, BrokenExecutor) or (
        distributed is not None and isinstance(error, distributed.KilledWorker)
    )
