"""The command ``patience``.

Its exit codes are `solvers.commands.shared.ExitCode`. Bad input and bad usage get one line on standard error.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

import typer

from solvers.commands import claims, clock, deals, players, studies, verdicts
from solvers.commands.shared import ExitCode, discard, note
from solvers.errors import InputError

# Typer brings its own copy of click, or click itself in older releases; either has this base of its errors.
_UsageError: type[Exception] = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="patience",
    help="Patience card games: decided exactly, simulated fast, and known exactly.",
    epilog="Example: patience solve bakers-dozen pysolfc:24",
    add_completion=False,
    rich_markup_mode=None,
)
for _command, _examples in (
    (deals.games, "patience games --search clock"),
    (deals.deal, "patience deal bakers-dozen random:7/0"),
    (verdicts.solve, "patience solve bakers-dozen pysolfc:24 --explain"),
    (verdicts.verify, "patience verify bakers-dozen pysolfc:24 moves.json"),
    (clock.simulate, "patience simulate clock --games 10000000 --seed 7"),
    (clock.exact, "patience exact clock"),
    (studies.study, "patience study bakers-dozen random:7/0-9999 --out bakers-dozen-7"),
    (studies.compare, "patience compare bakers-dozen bakers-dozen-fill --deals random:7/0-999"),
    (players.players, "patience players random:1/0-1999 --out players"),
    (claims.claims, "patience claims --quick --out claims"),
):
    app.command(epilog=f"Example: {_examples}")(_command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        By default those the program was started with. Without any, the help is shown.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as standard error does what it cannot show
    command = typer.main.get_command(app)
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        # Not through the app itself, which answers bad usage with a page and gives a broken pipe the code
        # that means unwinnable here.
        with command.make_context("patience", words) as context:
            command.invoke(context)
        if sys.stdout is not None:  # it is None if it was closed before the program started
            sys.stdout.flush()
    except typer.Exit as end:
        return end.exit_code
    except InputError as error:
        return _complain("patience", str(error))
    except _UsageError as error:
        return _complain_of_usage(error)
    except KeyboardInterrupt:
        note("interrupted")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        discard(sys.stdout)
        return ExitCode.BROKEN_PIPE
    except OSError as error:  # reading is done by then, with an InputError if it failed
        discard(sys.stdout)
        return _complain("patience", f"cannot write: {error.strerror}")
    return ExitCode.DONE


def _complain_of_usage(error: Exception) -> int:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "patience"
    message = error.format_message().rstrip(".")  # type: ignore[attr-defined]
    return _complain(path, f"{message}; see {path} --help")


def _complain(who: str, message: str) -> int:
    """Print one line, whatever the message, and return the exit code for it."""
    note(f"{who}: {' '.join(message.split())}")
    return ExitCode.BAD_INPUT
