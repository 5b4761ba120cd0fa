"""Suites for boards: which of their tests depend on the machine is looked at once, before they are written."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import cast

from veer import plugins
from veer.campaign.confining import confinement
from veer.campaign.languages import language, renderer
from veer.frontends.protocol import LooksAtBoards, WrittenSuite
from veer.model.boards import BoardLook
from veer.model.result import Result
from veer.model.values import replace
from veer.suite.protocol import SUITES, SuiteFormat
from veer.toolchain.compiler import find
from veer.toolchain.session import scratch_root

_FORMAT = "board"
_EXIT = "veer_board_exit"
_SECONDS = 1.0
_MOST_NAMED = 4


def looked_at(result: Result, formats: Iterable[str]) -> Result:
    """The result with what was seen of its tests on other machines, where one of the formats is for boards.

    It compiles and runs the suite, confined as the campaign was. Raises ToolchainError, ExecutorError, UsageError.
    """
    own = plugins.own_names(SUITES)
    wanted = any(name in own and cast(SuiteFormat, plugins.find(SUITES, name)).is_for_boards for name in formats)
    of = language(result.program.language)
    if not wanted or result.board_looks or not isinstance(of, LooksAtBoards) or not result.tests:
        return result
    program = result.program
    given = result.options
    read = [str(each) for each in cast(Iterable[object], given.get("read", ()))]
    mode, sockets = str(given.get("sandbox", "on")), bool(given.get("sockets"))
    confined, _ = confinement(find(None), mode, read, program.link_flags, sockets=sockets)
    with tempfile.TemporaryDirectory(prefix="veer-board-", dir=scratch_root()) as scratch:
        folder = Path(scratch)
        name = renderer(program.language).file_name(program)
        bare = replace(result, program=replace(program, suite_folder=None, command=()))
        files = cast(SuiteFormat, plugins.find(SUITES, _FORMAT)).files(bare)
        for each, data in files.items():
            (folder / each).write_bytes(data)
        commands = renderer(program.language).commands(bare.program)
        if f"#define exit {_EXIT}".encode() in files[name]:
            first, *words = shlex.split(commands[0])
            others = [f"-Dexit={_EXIT}", f"-D_exit={_EXIT}", f"-D_Exit={_EXIT}"] if len(program.sources) > 1 else []
            commands = (shlex.join([first, *others, *words]), *commands[1:])
        suite = WrittenSuite(folder / name, commands, confined)
        shown = [
            test.name for test in result.tests if not test.outcome.is_bug and f'"{test.name}"'.encode() in files[name]
        ]
        looks = of.board_looks(suite, shown, _SECONDS, folder)
    notes = (*program.notes, *_notes(looks))
    return replace(result, program=replace(program, notes=notes), board_looks=looks)


def _notes(looks: Iterable[BoardLook]) -> Iterable[str]:
    """What the user should know, a sentence for each trait."""
    for look in looks:
        count, more = len(look.failing), len(look.failing) - _MOST_NAMED
        if count:
            named = ", ".join([*look.failing[:_MOST_NAMED], *([f"and {more} more"] if more > 0 else [])])
            verb, whom = ("depends", "test") if count == 1 else ("depend", "tests")
            yield f"{whom} {named} {verb} on {look.trait}: left out on boards where that is otherwise"
        elif look.note:
            yield f"{look.note[:1].lower()}{look.note[1:].rstrip('.')}"
