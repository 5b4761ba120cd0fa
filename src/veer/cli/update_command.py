"""`veer update`: makes committed suites again, and tells what changed. Each says in its head how it was made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

from rich.console import Console

from veer.campaign import run as campaign
from veer.campaign.commandline import placed
from veer.campaign.keywords import Options
from veer.campaign.requests import build_options, search_options
from veer.campaign.sources import project
from veer.campaign.update import Update, command_in, updated, write
from veer.cli.arguments import Command, Given
from veer.cli.commands import COMMANDS
from veer.cli.exit_codes import DIFFERENT, INTERRUPTED, NOTHING_FOUND
from veer.cli.test_command import entries
from veer.model.ending import EndingKind
from veer.model.errors import UsageError
from veer.model.result import Result
from veer.report.terminal import ProgressDisplay


def run(given: Given) -> int:
    """Tells of each suite what changed; writes nothing without --accept. The exit code says whether something changed
    that is not written. A search that was stopped changes nothing."""
    is_changed = False
    for folder, words in _suites(given["suites"]):
        result, format = _tested(folder.absolute(), words)
        if result.ending.kind is EndingKind.STOPPED:
            return INTERRUPTED
        update = updated(result, folder.absolute(), words, format)
        tell(update, result, folder)
        if given.get("accept"):
            write(update, folder, result.program.entry)
        else:
            is_changed = is_changed or is_certain(update, result)
    return DIFFERENT if is_changed else NOTHING_FOUND


def _suites(named: Sequence[Path]) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The folder of each suite, and the words of its command; of several files of one suite once.

    Raises UsageError for a file that is no suite, and for a folder without any.
    """
    found: dict[tuple[Path, tuple[str, ...]], None] = {}
    for path in named:
        is_folder = path.is_dir()
        commands = [command_in(file) for file in (sorted(path.iterdir()) if is_folder else [path])]
        if not any(commands):
            kind = "no suite in this folder says" if is_folder else "its head does not say"
            raise UsageError(f"{path}: {kind} how it was made; write it with `veer test` or `veer export` once more")
        found |= {(path if is_folder else path.parent, words): None for words in commands if words}
    if not found:
        raise UsageError("no suite was given: name a file that veer wrote, or the folder of several")
    yield from found


def _tested(folder: Path, words: Sequence[str]) -> tuple[Result, str]:
    """The result of the command, and the format of its suite ("": the one that every campaign writes)."""
    asked = _test_command().parse(words)
    given = placed(asked, folder)
    options = cast(Options, {name: value for name, value in given.items() if name in Options.__annotations__})
    sources, flags_of = project(given["sources"], None)
    names = entries(given)
    if len(names) > 1:
        raise UsageError(f"{folder}: the head of a suite names {len(names)} entries; a suite has one")
    build, search = build_options(sources, names[0], options, flags_of), search_options(options)
    with ProgressDisplay(Console(stderr=True, emoji=False, highlight=False), quiet=True) as display:
        result = campaign.run(build, search, display)
    return result, next(iter(asked.get("format", ())), "")


def _test_command() -> Command:
    return next(each for each in COMMANDS if each.name == "test")


def is_certain(update: Update, result: Result) -> bool:
    """Whether what differs is a change of the program: a search that a budget has ended may choose other tests."""
    return bool(update.sentences) or (update.is_change and result.ending.kind is not EndingKind.BUDGET)


def tell(update: Update, result: Result, folder: Path) -> None:
    file = folder / update.name
    if result.ending.kind is not EndingKind.BUDGET:
        print("\n  ".join([f"{file}: {update.summary}", *update.sentences, *update.others]))
        return
    count = len(update.sentences)
    told = f"{count} change{'s' if count > 1 else ''}" if count else "no expectation changed"
    print("\n  ".join([f"{file}: {told}", *update.sentences]))
    if update.others:
        print(
            f"  The search spent its budget, and chose {len(update.others)} tests otherwise: that need be no change of"
            " the program. Build and run the suite for what it expects of the others."
        )
