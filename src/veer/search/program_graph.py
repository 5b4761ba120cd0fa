"""The program as a graph: control flow within each function, calls between them, coverage items on the way.

Over-approximated wherever it is not known: an indirect call, and a call of code that veer has no graph of, may call any
function; a program that jumps or registers functions for later (setjmp, atexit, signal) has no graph at all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct

from veer.model.program import Fact, Function, Program, Site, SiteKind
from veer.search.remembered import remembered

UNKNOWN = -1
"""The procedure of a site whose function has no graph."""

Call = tuple[int, tuple[int, ...]]
"""A call: its site, and the procedures that it may call (directly; none for a function without a graph)."""

_LIBRARY = "veer_libc_"
_OWN_PREFIXES = ("veer_", "klee_", "__VERIFIER_")


class Procedure(Struct, frozen=True):
    """A function with its graph; all tuples by block. A block without successors returns (or ends the run)."""

    name: str
    successors: tuple[tuple[int, ...], ...]
    decisions: tuple[tuple[Site, ...], ...]
    calls: tuple[tuple[Call, ...], ...]


class ProgramGraph:
    """The procedures of a program. `is_known` is False if control may go where no edge of the graph leads."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._sites = program.sites
        self._stubs = frozenset((*program.stubs, *program.asked, *program.failing))
        self._library = {s.function.removeprefix(_LIBRARY) for s in program.sites if s.kind is SiteKind.LIBRARY}
        self._calls_back = program.known_to(Fact.CALLS_BACK)
        self._calls_nothing = program.known_to(Fact.CALLS_NOTHING)
        self._functions = [function for function in program.functions if function.successors]
        self._by_name: dict[str, list[int]] = defaultdict(list)
        for index, function in enumerate(self._functions):
            self._by_name[function.name].append(index)
        self.all = tuple(range(len(self._functions)))
        jumps = program.known_to(Fact.JUMPS, Fact.DEFERS)
        self.is_known = not any(s.text in jumps for s in program.sites if s.kind is SiteKind.CALL)

    @cached_property
    def procedures(self) -> tuple[Procedure, ...]:
        """All functions that have a graph. Made at the first use, since who asks only for calls needs none of it."""
        return self._build(self._functions)

    @cached_property
    def _of_site(self) -> list[int]:
        return [self._find(site.function, site.file) for site in self._sites]

    def site(self, site: int) -> Site:
        """The site of that number."""
        return self._sites[site]

    def __contains__(self, site: int) -> bool:
        return site < len(self._sites)

    def procedure_of(self, site: int) -> int:
        """The procedure that a site lies in, UNKNOWN if that has no graph."""
        return self._of_site[site]

    def callees(self, site: Site) -> tuple[int, ...]:
        """The procedures that a call site, of the user's or of veer's library, may call."""
        name = site.text
        if name in self._by_name:
            return self._named(name, site.file)
        is_harmless = name in self._stubs or name in self._calls_nothing or name.startswith(_OWN_PREFIXES)
        if name and (is_harmless or (name in self._library and name not in self._calls_back)):
            return ()
        return self.all

    def is_last_call(self, site: Site) -> bool:
        """Whether the harness calls the entry here: behind it nothing of the program runs."""
        return self._of_site[site.id] == UNKNOWN and site.text == self._program.entry

    def may_call_back(self, site: Site) -> bool:
        """Whether the function around a site without a graph may call the program's functions."""
        if site.kind is SiteKind.LIBRARY:
            return site.function.removeprefix(_LIBRARY) in self._calls_back
        return site.function not in self._stubs

    def counts_as_call(self, site: Site) -> bool:
        """Whether a call leads one level deeper into the program (veer's library and the harness do not)."""
        return self._of_site[site.id] != UNKNOWN and (not site.text or site.text in self._by_name)

    def _named(self, name: str, file: str) -> tuple[int, ...]:
        found = self._by_name[name]
        own = [index for index in found if self._functions[index].file == file]
        return tuple(own or [index for index in found if not self._functions[index].is_static] or found)

    def _find(self, name: str, file: str) -> int:
        found = self._by_name.get(name, [])
        own = [index for index in found if self._functions[index].file == file]
        if own or len(found) == 1:
            return (own or found)[0]
        return UNKNOWN

    def _build(self, functions: Sequence[Function]) -> tuple[Procedure, ...]:
        decisions: dict[tuple[int, int], list[Site]] = defaultdict(list)
        calls: dict[tuple[int, int], list[Call]] = defaultdict(list)
        for site, procedure in zip(self._sites, self._of_site, strict=True):
            if site.kind in (SiteKind.BRANCH, SiteKind.CASE, SiteKind.SELECT):
                decisions[procedure, site.block].append(site)
            elif site.kind is SiteKind.CALL and procedure != UNKNOWN:
                calls[procedure, site.block].append((site.id, self.callees(site)))
        return tuple(
            Procedure(
                function.name,
                function.successors,
                tuple(tuple(decisions[index, block]) for block in range(len(function.successors))),
                tuple(tuple(calls[index, block]) for block in range(len(function.successors))),
            )
            for index, function in enumerate(functions)
        )


graph_of = remembered(ProgramGraph)
"""The graph of a program."""


def targets(site: Site, decisions: Sequence[Site], successors: tuple[int, ...], side: int) -> tuple[int, ...]:
    """The blocks that may follow when a decision goes to `side`; `decisions` and `successors` are its block's.

    A block without an edge of its own (a select's) is followed by all that follow its block.
    """
    if site.kind is SiteKind.BRANCH and len(successors) == 2:
        return (successors[1 - side],)
    if site.kind is SiteKind.CASE:
        links = [other.id for other in decisions if other.kind is SiteKind.CASE]
        if len(links) + 1 == len(successors):
            position = links.index(site.id)
            if side == 1:
                return (successors[1 + position],)
            return (successors[0], *successors[position + 2 :])
    return successors
