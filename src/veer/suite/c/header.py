"""What all suites of a format share: `veer_support.h`, the same bytes whatever the unit is.

    #define VEER_INPUTS              the parts of it that a suite uses
    #define VEER_MOCKS
    #include "veer_support.h"

So a suite holds what is its own, its tests, and a change of the unit shows there. A part that is not asked for is not
compiled: some ask more of the machine than others (registers: x86-64).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import resources

from msgspec import Struct

from veer.model.buildoptions import FAIL
from veer.model.program import Fact, HarnessKind, Program
from veer.model.result import Test
from veer.model.stubcalls import MOST_SEEN
from veer.model.variadic import takes_list
from veer.suite.c import behind, devices, interfaces
from veer.suite.c.files import has_files
from veer.suite.c.frees import sees_frees
from veer.suite.c.libraryclash import looked_up, through_macro
from veer.suite.c.mocks import MOST_KEPT, mocked
from veer.suite.c.shims import stub_names
from veer.suite.c.template_files import compiled, template

NAME = "veer_support.h"
SECONDS_PER_TEST = 10
_FAILURES = """
/* ---- calls that fail where they failed in the recorded run ----------------------------------------------------- */

#define VEER_F_ASK(value, input) veer_take(value, sizeof *(value), input)
#define VEER_F_FUNCTION VEER_UNUSED static
#ifndef VEER_SEES_FREE
#define veer_allocated(block) (block)
#define veer_moved(before, size, moved) (moved)
#endif
"""


class _Part(Struct, frozen=True):
    """A part of the header: the macro that asks for it, and its text."""

    macro: str
    text: Callable[[], str]


def _runtime(*path: str) -> Callable[[], str]:
    return lambda: resources.files("veer").joinpath("runtime", *path).read_text(encoding="utf-8")


def _template(name: str) -> Callable[[], str]:
    return lambda: template(name)


_PARTS = (
    _Part("VEER_ARGUMENTS", _template("arguments.c")),
    _Part("VEER_SEES_FREE", _template("freed.c")),
    _Part("VEER_INPUTS", _template("feed.c")),
    _Part("VEER_WRITES", _template("behind.c")),
    _Part("VEER_REGISTERS", _template("devices.c")),
    _Part("VEER_ANSWERS", _template("environment.c")),
    _Part("VEER_FAILURES", lambda: _FAILURES + _runtime("environment", "failures.c")()),
    *(_Part(f"VEER_{kind.upper()}_FAILURES", _runtime("environment", f"{kind}_failures.c")) for kind in FAIL),
    _Part("VEER_ZONE", _template("zone.c")),
    _Part("VEER_STANDARD_INPUT", _template("program.c")),
    _Part("VEER_FILES", _runtime("files", "named.c")),
    _Part("VEER_WATCH", _template("specifications.c")),
    _Part("VEER_MOCKS", lambda: compiled("mocks.c").render(most=MOST_SEEN, kept=MOST_KEPT)),
)
"""In the order of the header: each may use those before it."""


_OF_BOARDS = ("VEER_SEES_FREE", "VEER_INPUTS", "VEER_WRITES", "VEER_MOCKS")


class Header(Struct, frozen=True):
    """The header of one format. `before` and `runner`: what the format itself needs ahead of the rest, and behind it;
    `compares`: whether expectations are veer's own statements, and no framework's; `is_of_board`: for a machine without
    processes, files and an address of each function of the C library."""

    before: str
    runner: str
    compares: bool
    is_of_board: bool = False

    @property
    def text(self) -> str:
        """The file."""
        parts = [f"\n#ifdef {part.macro}\n{part.text().strip()}\n#endif\n" for part in self._parts]
        body = "".join([self._always, *parts, "\n", self.runner])
        body = body if self.is_of_board else through_macro(body)
        return self._around(body)

    def _around(self, body: str) -> str:
        return compiled("veer_support.h").render(before=self.before, body=body)

    @property
    def _parts(self) -> tuple[_Part, ...]:
        return tuple(part for part in _PARTS if not self.is_of_board or part.macro in _OF_BOARDS)

    @property
    def _always(self) -> str:
        first = template("board.c" if self.is_of_board else "library.c")
        return first + template("support.c") + ("\n" + template("expect.c") if self.compares else "")

    def included(self, program: Program, tests: Sequence[Test]) -> tuple[str, str]:
        """The lines by which a suite includes it, and the text that they bring."""
        wanted = _used(program, tests)
        used = [part for part in self._parts if part.macro in wanted]
        body = "".join([self._always, *(part.text() for part in used), self.runner])
        lines = [f"#define {part.macro}\n" for part in used]
        if not self.is_of_board:
            lines += [looked_up(program, body), devices.tables(program)]
        return "".join([*lines, f'#include "{NAME}"\n']), self._around(body)


def _used(program: Program, tests: Sequence[Test]) -> set[str]:
    """The macros of the parts that these tests use."""
    is_given = program.stubs or stub_names(program) or program.asked or program.failing or program.device
    kinds = [kind for kind, names in FAIL.items() if not {*names}.isdisjoint(program.failing)]
    wanted = {
        "VEER_ARGUMENTS": takes_list(program),
        "VEER_SEES_FREE": sees_frees(program, tests),
        "VEER_INPUTS": bool(is_given or interfaces.definitions(program)),
        "VEER_WRITES": behind.is_used(program),
        "VEER_REGISTERS": program.device is not None,
        "VEER_ANSWERS": bool(program.asked),
        "VEER_FAILURES": bool(program.failing),
        "VEER_ZONE": bool(program.known_to(Fact.ASKS_ZONE)),
        "VEER_STANDARD_INPUT": program.harness is HarnessKind.PROGRAM or bool(program.files),
        "VEER_FILES": has_files(program),
        "VEER_MOCKS": bool(mocked(program, tests)),
    }
    return {name for name, is_wanted in wanted.items() if is_wanted} | {
        f"VEER_{kind.upper()}_FAILURES" for kind in kinds
    }
