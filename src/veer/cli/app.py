"""The command line: `veer test|list|replay|compare|fuzz-helper|export|update|report|init|doctor|completion|man`.

It turns every error into one sentence and an exit code; the commands are declared in `commands.py`.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from importlib import import_module
from types import FrameType
from typing import NoReturn

from veer import __version__
from veer.cli.arguments import Parser
from veer.cli.commands import COMMANDS
from veer.cli.exit_codes import EXIT_CODES, FAILED, INTERRUPTED, NOTHING_FOUND, USAGE
from veer.model.errors import MissingExtraError, UsageError, VeerError

_OBJECTS_PER_COLLECTION = 200_000
"""Between two looks of Python's collector. Of itself it has 700: 162 looks while veer loads what a test needs, which
find 700 objects that nobody uses."""
_OF_A_PATH = frozenset((errno.ENAMETOOLONG, errno.ELOOP, errno.EACCES, errno.ENOTDIR, errno.ENODEV, errno.ENXIO))
"""What no path that a user gives may be, wherever it is looked at first."""
_MOST_SHOWN = 200
_EXIT_CODES = f"Exit code: {', '.join(f'{code} {said}' for code, said in EXIT_CODES.items())}."


def command() -> NoReturn:
    """The program `veer`: runs a command, and ends.

    It does not take Python's objects apart one by one, as an interpreter does at its end: a fifth of the processor time
    of a small `veer test`. Threads are waited for, and what is registered for the end is done.
    """
    code = main()
    await_threads, finish = getattr(threading, "_shutdown", None), getattr(atexit, "_run_exitfuncs", None)
    if await_threads is None or finish is None:  # another Python may name them otherwise
        sys.exit(code)
    await_threads()
    finish()
    with contextlib.suppress(OSError, ValueError):  # whoever reads has left
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; every error that veer raises on purpose becomes one sentence on stderr and an exit code."""
    # numpy starts a thread a core for linear algebra, of which there is none: half of the time of its import.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(_OBJECTS_PER_COLLECTION)
    with _ends_by_signals():
        return _ended(arguments)


@contextlib.contextmanager
def _ends_by_signals() -> Iterator[None]:
    """SIGTERM and SIGHUP end the command as Ctrl-C does, but where whoever started veer has them ignored (nohup)."""
    is_main = threading.current_thread() is threading.main_thread()
    taken = [each for each in (signal.SIGTERM, signal.SIGHUP) if is_main and signal.getsignal(each) is signal.SIG_DFL]
    for each in taken:
        signal.signal(each, _stop)
    try:
        yield
    finally:
        for each in taken:
            signal.signal(each, signal.SIG_DFL)


def _stop(number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt(signal.Signals(number).name)


def _ended(arguments: Sequence[str] | None) -> int:
    """The exit code of a command, however it ended."""
    try:
        code = _run(sys.argv[1:] if arguments is None else list(arguments))
        sys.stdout.flush()
    except MissingExtraError as error:
        import_module("veer.cli.extras").begun_again(error, sys.argv[1:] if arguments is None else arguments)
        return _say(str(error), error.exit_code)
    except VeerError as error:
        return _say(str(error), error.exit_code)
    except KeyboardInterrupt as stop:
        import_module("veer.toolchain.session").end_children()
        return _say(f"stopped by {stop.args[0] if stop.args else 'Ctrl-C'}", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOTHING_FOUND
    except SystemExit as stop:  # argparse has printed the help or the version
        return stop.code if isinstance(stop.code, int) else NOTHING_FOUND
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _OF_A_PATH and isinstance(error.filename, str):
            return _say(f"{error.filename[:_MOST_SHOWN]}: {error.strerror}; give another path", USAGE)
        traceback.print_exc()
        return _say("this is a fault of veer itself: please report it with the lines above", FAILED)
    return code


def _run(words: list[str]) -> int:
    command = next((each for each in COMMANDS if words[:1] == [each.name]), None)
    if command is None:
        return _without_command(words)
    if command.argument is not None and not command.argument.is_optional and len(words) == 1:
        command.parser().print_help(sys.stderr)
        return USAGE
    given = command.parse(words[1:])
    if command.ahead:
        import_module(command.ahead).start(given)
    return int(import_module(command.module).run(given))


def _without_command(words: list[str]) -> int:
    """Help, the version, or a UsageError that says which commands there are."""
    parser = Parser(
        "veer",
        "veer COMMAND [OPTIONS] ...",
        "Explores C functions path by path, and writes the tests and the bugs that it finds.",
        f"`veer COMMAND --help` tells of a command. {_EXIT_CODES}",
    )
    parser.add_argument(
        "--version", action="version", version=f"veer {__version__}", help="Print the version and stop."
    )
    commands = parser.add_argument_group("Commands")
    for each in COMMANDS:
        commands.add_argument(each.name, help=each.help, nargs="?")
    if not words:
        parser.print_help(sys.stderr)
        return USAGE
    if not words[0].startswith("-"):
        known = ", ".join(each.name for each in COMMANDS)
        raise UsageError(f"{words[0]}: there is no such command; there are {known}")
    parser.parse_args(words[:1])
    raise UsageError(f"{words[0]} stands before no command; `veer --help` tells more")


def _say(message: str, code: int) -> int:
    print(f"veer: {message}", file=sys.stderr)
    return code
