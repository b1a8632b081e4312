"""Arguments that several sub-commands take, and how they speak to the user.

Results go to standard output; whatever else there is to say goes to standard error.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator
from contextvars import ContextVar
from enum import IntEnum
from importlib import import_module
from types import TracebackType
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.progress import Progress

Game = Annotated[
    str, typer.Argument(metavar="GAME", help="Name of the game, see patience games; or a JSON file of rules.")
]
SOURCE_FORMS = (
    "Where the deal comes from: pysolfc:N, ms:N, random:SEED/INDEX, a file, or - for standard input."
)
Source = Annotated[str, typer.Argument(metavar="SOURCE", help=SOURCE_FORMS)]
KingsOption = Annotated[
    str | None,
    typer.Option(
        "--kings",
        metavar="slide|swap|as-dealt",
        help="What is done with Kings: slide under the column, swap to the bottom as PySolFC does, or"
        " nothing. By default what PySolFC does for pysolfc: and ms: deals, the game's rule for random:"
        " ones; a file stays as it is.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


class ExitCode(IntEnum):
    """What ``patience`` tells the program that started it."""

    DONE = 0
    """Also: winnable; legal and complete."""
    NOT_WON = 1
    """Unwinnable; an illegal or incomplete move list."""
    BAD_INPUT = 2
    """Bad input or usage."""
    UNDECIDED = 3
    """A limit was met before the deal was decided."""
    INTERRUPTED = 130
    """Ctrl-C; what was finished was kept."""
    BROKEN_PIPE = 141
    """Nobody reads the output any more; what a shell reports of a program that this ends."""


PATIENCE_SECONDS = 2.0
"""How long a command may take before it shows how far it is."""


def print_json(fields: dict[str, Any]) -> None:
    """Print one JSON object on a line of its own."""
    print(json.dumps(fields))


def note(message: str) -> None:
    """Print a line on standard error, if that can be written: the exit code counts without it."""
    if sys.stderr is None:  # closed before the program started; print would turn to standard output
        return
    try:
        print(message, file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def discard(stream: IO[str]) -> None:
    """Send what Python still holds of a stream nowhere: it flushes once more at exit, and would complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def on_terminal() -> bool:
    """Whether standard error is a terminal, where a bar can be shown."""
    return sys.stderr is not None and sys.stderr.isatty()


_announcing: ContextVar[bool] = ContextVar("announcing", default=False)


@contextlib.contextmanager
def compilation_announced() -> Iterator[None]:
    """Inside the block, say once when kernels have to be compiled, so that it does not look like a hang.

    A block inside another leaves it to that one.
    """
    from solvers.compilation import on_compile

    if _announcing.get():
        yield
        return
    announced = False

    def announce(_kernel: str) -> None:
        nonlocal announced
        if not announced:
            announced = True
            note("compiling for the first time (up to a minute); later runs start at once")

    token = _announcing.set(True)
    try:
        with on_compile(announce):
            yield
    finally:
        _announcing.reset(token)


def load_statistics() -> None:
    """Load what intervals need, which takes half a second.

    To be called while others are at work: loaded in the end, it would keep Ctrl-C waiting.
    """
    import_module("scipy.stats")


class SlowProgress:
    """A progress bar with the time left, on a terminal and once the work has taken a while.

    Call it with the amount done, and with what else there is to say.

    Parameters
    ----------
    title : str
        What is being done.
    total : int or None
        Amount that is the whole; None if that is not known.

    Attributes
    ----------
    done : int
        Amount that is done, as it was last said.
    """

    def __init__(self, title: str, total: int | None) -> None:
        self._title = title
        self._total = total
        self._started = time.monotonic()
        self._bar: Progress | None = None
        self.done = 0

    def __enter__(self) -> SlowProgress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, detail: str = "") -> None:
        """Show that `done` of the whole is done, and `detail` behind the bar."""
        self.done = done
        if self._bar is None:
            if time.monotonic() - self._started < PATIENCE_SECONDS or not on_terminal():
                return
            self._bar = self._start()
        self._bar.update(self._bar.task_ids[0], completed=done, detail=detail)

    def _start(self) -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        # Counted from the start of the work, not of the bar: the time left is right at once.
        bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[detail]}"),
            console=Console(stderr=True),
            transient=True,
        )
        bar.add_task(self._title, total=self._total, detail="")
        bar.start()
        return bar
