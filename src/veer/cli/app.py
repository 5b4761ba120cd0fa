"""The command line: `veer test|list|replay|export|report|doctor`.

It turns every error into one sentence and an exit code; the commands are declared in `commands.py`.
"""

from __future__ import annotations

import gc
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer
from typer.exceptions import TyperException

from veer import __version__
from veer.cli import commands
from veer.cli.exit_codes import FAILED, INTERRUPTED, NOTHING_FOUND, USAGE
from veer.model.errors import VeerError

_OBJECTS_PER_COLLECTION = 200_000
"""Between two looks of Python's collector. Of itself it has 700: 162 looks while veer loads what a test needs, which
find 700 objects that nobody uses."""

app = typer.Typer(
    name="veer",
    help="Explores C functions path by path, and writes the tests and the bugs that it finds.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)
app.command("test", no_args_is_help=True)(commands.test)
app.command("list", no_args_is_help=True)(commands.list_functions)
app.command("replay", no_args_is_help=True)(commands.replay)
app.command("export", no_args_is_help=True)(commands.export)
app.command("report", no_args_is_help=True)(commands.report)
app.command("doctor")(commands.doctor)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"veer {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Exit code: 0 nothing found, 1 bugs found, 2 the call was wrong, 3 veer failed, 130 stopped by Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; every error that veer raises on purpose becomes one sentence on stderr and an exit code."""
    # numpy starts a thread a core for linear algebra, of which there is none: half of the time of its import.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(_OBJECTS_PER_COLLECTION)
    try:
        code = app(args=arguments if arguments is None else list(arguments), prog_name="veer", standalone_mode=False)
        sys.stdout.flush()
    except VeerError as error:
        return _say(str(error), error.exit_code)
    except TyperException as error:
        message = error.format_message()
        # With no arguments at all the message is the help itself.
        return _say(message if message.startswith("Usage:") else _usage(message), USAGE)
    except (KeyboardInterrupt, typer.Abort):
        return _say("stopped", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOTHING_FOUND
    except typer.Exit as stop:
        return stop.exit_code
    except Exception:
        traceback.print_exc()
        return _say("this is a fault of veer itself: please report it with the lines above", FAILED)
    return code if isinstance(code, int) else NOTHING_FOUND


def _usage(message: str) -> str:
    return f"{message.rstrip('.')}; `veer --help` and `veer COMMAND --help` tell more"


def _say(message: str, code: int) -> int:
    prefix = "" if message.startswith("Usage:") else "veer: "
    print(f"{prefix}{message}", file=sys.stderr)
    return code
