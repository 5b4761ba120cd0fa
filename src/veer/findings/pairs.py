"""Tests in pairs: the same input but for one decision, on each side of its edge, with effects that a test can see.

A condition may be covered both ways, and by tests for MC/DC, and still nobody would notice that it is gone: where what
it decides is masked further on. Observable MC/DC (Whalen, Gay, You, Heimdahl, Staats, ICSE 2013) asks for an effect
that is seen. Here, for each source branch that no pair shows yet, on the path of a kept test:

    a test           x = 9, y = 4, ...    path ... x > y ...     result 1
    turned round     x = 3, y = 4, ...    path ... x <= y        result 0     its effect is seen: a pair
    to the edge      x = 5 and x = 4      the path of each       1, 0         x >= y is noticed, too

The first of the two takes the place of the test that it was made of, and the second one that of a test on its path, or
it is a new one. A branch that asks about terms of several forms may have a pair for each of the first few:
`limit() > y` where limit returns x, or x + 100. Runs are probes: they leave nothing in the tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from veer.findings.deadline import NEVER, Deadline
from veer.findings.probes import TOLD, Leaf, Path, Probes, parting
from veer.findings.readable import between
from veer.smt.arena import Arena, operands
from veer.smt.protocol import Literal, Query, Sat, Solver
from veer.wire.layout import Kind, LeafKind

_MOST_PROBES = 20_000  # of a campaign
MOST_SECONDS = 4.0
_MOST_SECONDS_A_QUERY = 0.5  # where the answer is hard to find, another test may show the branch
_MOST_TRIES = 12  # to turn one form of a branch round
_MOST_DECISIONS = 2000  # of a path that are looked at
_MOST_MOVED = 8  # numbers of an input
_DEEPEST = 8  # a form is told by the operators down to here


class Kept(Struct):
    """An input of the suite. `test`: the number of the test whose place it takes; -1 for one that is new."""

    data: bytes
    test: int = -1
    is_held: bool = False  # a pair needs it as it is


class _Base(Struct, frozen=True):
    """A run whose decisions are turned round, one at a time."""

    kept: Kept
    path: Path
    trace: npt.NDArray[Any]


_Form = tuple[int, ...]  # a branch's site, and a hash of the form of the term that it asked about


class Pairs(Struct):
    """Looks for pairs. `sites`: the source branches that are to be shown, each in at most `most_forms`.

    Where nothing `adds` to the suite, for it has a test of each path, only tests give way. `deadline`: when it
    ends at the latest, if it has not taken MOST_SECONDS before.
    """

    probes: Probes
    solver: Solver
    arena: Arena
    sites: frozenset[int]
    most_forms: int = 1
    adds: bool = True
    stopped: Callable[[], bool] = lambda: False
    deadline: Deadline = NEVER
    _kept: list[Kept] = field(default_factory=list)
    _on: dict[Path, Kept] = field(default_factory=dict)  # the first input on a path
    _shown: set[_Form] = field(default_factory=set)
    _pairs_of: Counter[int] = field(default_factory=Counter)  # by site
    _tries: Counter[_Form] = field(default_factory=Counter)
    _forms: dict[int, int] = field(default_factory=dict)  # by expression
    _known: npt.NDArray[Any] = field(default_factory=lambda: np.empty(0, np.uint64))

    def __post_init__(self) -> None:
        self._known = np.sort(self.probes.shared.published("paths")["hash"])

    def find(self, tests: Sequence[bytes], others: Iterable[bytes]) -> tuple[Kept, ...]:
        """The inputs of the suite, the tests' first. `tests`: those that are kept; `others`: of paths of the search."""
        self.deadline = self.deadline.usually(MOST_SECONDS)
        self.probes.allow(_MOST_PROBES, self.deadline)
        self._kept = [Kept(data, number) for number, data in enumerate(tests)]
        for kept in self._kept:
            if (path := self.probes.path_of(kept.data)) is not None:
                self._on.setdefault(path, kept)
        further = [Kept(data) for data in others]
        for most in range(1, self.most_forms + 1):  # every branch once before any of them for another form
            for kept in self._growing(further):
                if self._is_over(most):
                    break
                self._turn_round(kept, most)
        return tuple(self._kept)

    def _growing(self, further: Sequence[Kept]) -> Iterator[Kept]:
        yield from self._kept  # its end moves
        yield from further

    def _is_over(self, most: int) -> bool:
        is_out = self.probes.left <= 0 or self.stopped() or self.deadline.is_over
        return is_out or all(self._pairs_of[site] >= most for site in self.sites)

    def _turn_round(self, kept: Kept, most: int) -> None:
        """Looks at the decisions of this input's path that no pair shows yet."""
        path = self.probes.path_of(kept.data)
        if path is None or path.outcome not in TOLD:
            return
        base = _Base(kept, path, self.probes.trace())
        literals: list[Literal] = []
        for place, (kind, site, literal, side) in enumerate(_decisions(base.trace[:_MOST_DECISIONS])):
            if kind == Kind.BRANCH and site in self.sites and self._pairs_of[site] < most:
                form = (site, self._form(literal, _DEEPEST))
                if form not in self._shown and self._tries[form] < _MOST_TRIES and not self._is_over(most):
                    self._tries[form] += 1
                    end = self.deadline.usually(_MOST_SECONDS_A_QUERY)
                    query = Query((*literals, (literal, side != 1)), kept.data, end.end)
                    if self._is_pair(base, place, query):
                        self._shown.add(form)
                        self._pairs_of[site] += 1
            if kind != Kind.CHOICE:
                literals.append((literal, side == 1))

    def _is_pair(self, base: _Base, place: int, query: Query) -> bool:
        """Keeps the pair that the query's answer makes of this input, if its effect is seen."""
        here, answer = query.parent, self.solver.solve(query)
        if not isinstance(answer, Sat) or self.probes.path_of(here) != base.path:
            return False
        shown, leaves = self.probes.shown(), tuple(self.probes.leaves())

        def differs(data: bytes) -> bool:
            return self._parts(data, base.trace, place) and self.probes.shown() != shown

        if not differs(answer.input):
            return False
        there = _with_fewer_moves(here, answer.input, leaves, differs)
        near, far = self._at_the_edge(here, there, leaves, base.path, differs)
        if near != here or far != there:
            self.probes.path_of(near)
            shown = self.probes.shown()
            near, far = (near, far) if differs(far) else (here, there)
        self._hold(base.kept, near)
        self._take(far)
        return True

    def _parts(self, data: bytes, trace: npt.NDArray[Any], place: int) -> bool:
        """Whether the input takes the other side of that decision first, on a path of the search that returns."""
        path = self.probes.path_of(data)
        if path is None or path.outcome not in TOLD or not self._is_known(path):
            return False
        return parting(trace, self.probes.trace()) == place

    def _is_known(self, path: Path) -> bool:
        """Whether the search has taken it: what it left out, or has not come to, is not for a test to show."""
        place = int(np.searchsorted(self._known, np.uint64(path.hash)))
        return place < len(self._known) and int(self._known[place]) == path.hash

    def _at_the_edge(
        self, here: bytes, there: bytes, leaves: Sequence[Leaf], path: Path, differs: Callable[[bytes], bool]
    ) -> tuple[bytes, bytes]:
        """The two inputs, next to each other where one number makes the difference: at the first one, if it can be."""
        moved = _moved(here, there, leaves)
        if len(moved) != 1 or moved[0].kind is LeafKind.FLOAT:
            return here, there
        leaf = moved[0]
        bad = leaf.value(there)
        for neighbour in (leaf.value(here) + 1, leaf.value(here) - 1):
            if leaf.low <= neighbour <= leaf.high and differs(leaf.put(here, neighbour)):
                return here, leaf.put(here, neighbour)
        good = between(leaf.value(here), bad, lambda value: self.probes.path_of(leaf.put(here, value)) == path)
        return leaf.put(here, good), leaf.put(here, good + (1 if bad > good else -1))

    def _hold(self, kept: Kept, data: bytes) -> None:
        """Keeps an input that was made of another one: in its place, if no other pair needs that."""
        if kept.is_held or kept not in self._kept:
            self._take(data)
        else:
            kept.data, kept.is_held = data, True

    def _take(self, data: bytes) -> None:
        """Keeps an input: in the place of a test on the same path that no pair needs, or as a new test."""
        path = self.probes.path_of(data)
        if path is None or any(each.data == data for each in self._kept):
            return
        there = self._on.get(path)
        if there is not None and not there.is_held:
            there.data, there.is_held = data, True
            return
        if not self.adds:
            return
        new = Kept(data, is_held=True)
        self._kept.append(new)
        self._on.setdefault(path, new)

    def _form(self, expression: int, depth: int) -> int:
        """The operators and widths of an expression, without its leaves and numbers."""
        if depth == _DEEPEST and expression in self._forms:
            return self._forms[expression]
        node = self.arena.node(expression)
        below = (self._form(each, depth - 1) for each in operands(node)) if depth else ()
        found = hash((node.op, node.width, *below))
        if depth == _DEEPEST:
            self._forms[expression] = found
        return found


def _decisions(trace: npt.NDArray[Any]) -> Iterator[tuple[int, int, int, int]]:
    return zip(*(trace[name].tolist() for name in ("kind", "site", "literal", "alternative")), strict=True)


def _moved(here: bytes, there: bytes, leaves: Sequence[Leaf]) -> list[Leaf]:
    return [leaf for leaf in leaves if leaf.value(here) != leaf.value(there)]


def _with_fewer_moves(here: bytes, there: bytes, leaves: Sequence[Leaf], differs: Callable[[bytes], bool]) -> bytes:
    """`there` with each number put back that need not differ from `here`."""
    moved = _moved(here, there, leaves)
    for leaf in moved if 1 < len(moved) <= _MOST_MOVED else ():
        back = leaf.put(there, leaf.value(here))
        if len(_moved(here, there, leaves)) > 1 and differs(back):
            there = back
    return there
