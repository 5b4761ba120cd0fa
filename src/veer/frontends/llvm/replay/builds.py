"""The builds in which tests are replayed: a program's units without instrumentation, linked against runtime/replay.

                  user's units                 veer's own (harness, stubs)    and
    plain         as the compiler wrote them   as the compiler wrote them     runtime/replay
    counters      a mark on each edge, line    as the compiler wrote them     runtime/replay, runtime/counters

No build depends on the tests, so that they can be made beside the search. The units are the campaign's own, from the
same IR, so that the counters build has the program's own site numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from veer.frontends.llvm.assembly import base_object, linked
from veer.frontends.llvm.makeunits import make_units
from veer.frontends.llvm.replay.found import replay_key
from veer.frontends.llvm.replay.made import ReplayBuilds, UnitBase
from veer.frontends.llvm.unit import MadeUnit, UnitRequest
from veer.model.coverage import CountedLine
from veer.model.errors import ToolchainError
from veer.model.program import Site, SiteKind
from veer.toolchain.cache import digest
from veer.toolchain.compiler import Toolchain
from veer.toolchain.runtime import counters_object, front_end_version, replay_objects

COUNTED_LINES = 1 << 22
"""Bytes for lines in a file of counters: runtime/counters/counters.c."""
_Decision = tuple[str, str, int, int]
_DECISIONS = (SiteKind.BRANCH, SiteKind.CASE, SiteKind.SELECT, SiteKind.CHECK)
Stage = Callable[[str], None]


class Parts(Struct, frozen=True):
    """What the builds of a program are made of: the user's units in their order, the entry's last, and veer's own."""

    users: tuple[UnitRequest, ...]
    own: tuple[UnitRequest, ...]


class Bench(Struct, frozen=True):
    """What every build needs: the program's executable, sites and units, what links, whom to tell what is worked on."""

    executable: Path
    sites: tuple[Site, ...]
    bases: tuple[UnitBase, ...]
    toolchain: Toolchain
    linker: Toolchain
    link: tuple[str, ...]
    stage: Stage

    @property
    def key(self) -> str:
        """Of the builds in the cache."""
        return replay_key(self.executable)

    def made(self, requests: Sequence[UnitRequest], mode: str) -> tuple[MadeUnit, ...]:
        """The units in this mode, which needs no optimisation: a test is one run."""
        asked = [_in_mode(request, mode) for request in requests]
        version = digest(front_end_version(), self.toolchain.identity)
        return make_units(asked, version, self.toolchain.cache, self.stage)

    def linked(self, objects: Sequence[Path], output: Path) -> Path:
        """Links with the replay runtime. Raises ToolchainError."""
        every = [*objects, *replay_objects(self.toolchain)]
        missing = linked(self.linker, every, output, self.link)
        if missing:
            raise ToolchainError(f"what tests are replayed in lacks {', '.join(sorted(missing))}")
        return output


def build_replay(parts: Parts, bench: Bench, unchecked: Sequence[UnitRequest] | None = None) -> ReplayBuilds:
    """The plain and the counters build. Raises ToolchainError.

    `unchecked`: the user's units as the plain build has them, where that is not as they are instrumented.
    """
    cache = bench.toolchain.cache
    bench.stage("what tests are replayed in")
    own = bench.made(parts.own, "plain")
    plain = bench.made(parts.users if unchecked is None else unchecked, "plain")
    counted = bench.made(parts.users, "counters")
    first = _bases(bench, counted)
    lines, line_bases = _numbered_lines(counted)
    with cache.scratch() as scratch:
        as_it_is = bench.linked(objects_of([*plain, *own]), scratch / "plain")
        numbers = base_object(first, scratch, line_bases)
        marked = [*objects_of([*counted, *own]), numbers, counters_object(bench.toolchain)]
        counting = bench.linked(marked, scratch / "counters")
        return ReplayBuilds(
            cache.publish(as_it_is, "counters", bench.key, "-plain"),
            cache.publish(counting, "counters", bench.key, "-counted"),
            lines,
        )


def objects_of(units: Sequence[MadeUnit]) -> list[Path]:
    """The objects of these units."""
    return [Path(unit.object) for unit in units]


def _in_mode(request: UnitRequest, mode: str) -> UnitRequest:
    return UnitRequest(
        request.label,
        request.ir,
        mode,
        uninstrumented=request.uninstrumented if mode == "counters" else frozenset(),
        redirect=request.redirect,
        last=request.last,
        aside=request.aside,
        find=request.find if mode == "counters" else (),
        avoid=request.avoid if mode == "counters" else (),
        level=0,
    )


def _bases(bench: Bench, units: Sequence[MadeUnit]) -> dict[str, int]:
    """The first site of each unit in the program. Raises ToolchainError where its decisions are not the program's."""
    by_label = {unit.label: unit for unit in bench.bases if not unit.is_library}
    for unit in units:
        known = by_label[unit.label]
        sites = bench.sites[known.base : known.base + known.count]
        if not _begin_alike(_decisions(sites), _decisions(unit.sites), unit.label):
            raise ToolchainError(
                f"the branches of {unit.label} are numbered otherwise in the counters build: coverage is not measured"
            )
    return {unit.name: by_label[unit.label].base for unit in units}


def _begin_alike(known: Sequence[_Decision], found: Sequence[_Decision], label: str) -> bool:
    """Whether a unit has the program's decisions; a harness that is a part of it has some behind them."""
    return known == found[: len(known)] and all(file != label for _, file, _, _ in found[len(known) :])


def _decisions(sites: Sequence[Site]) -> list[_Decision]:
    return [(site.kind, site.file, site.line, site.column) for site in sites if site.kind in _DECISIONS]


def _numbered_lines(units: Sequence[MadeUnit]) -> tuple[tuple[CountedLine, ...], dict[str, int]]:
    """All counted lines, and where each unit's start."""
    lines: list[CountedLine] = []
    bases: dict[str, int] = {}
    for unit in units:
        bases[unit.name] = len(lines)
        lines += unit.lines
    if len(lines) > COUNTED_LINES:
        raise ToolchainError(f"the counters build has {len(lines)} lines and counts {COUNTED_LINES} at most")
    return tuple(lines), bases
