"""Which tests a suite needs: a smallest set that covers the branches that all of them cover, and the functions that
their indirect calls reach, and a witness of each bug.

A test that crashes or exits stops in the midst of a block, so it covers a branch only where no test that returns does:

    1  tests that return cover all that they can        3  tests that show bugs cover what is still missing;
    2  tests that exit cover what only they can            the witness of each bug is kept in any case

In each of these, tests that begin with static data as initialised come first, then those that call other functions
before, then those that set it; of tests that cover the same, those whose pointers lead to objects of their own.

Of few tests the set is a smallest one; of many it is what is left of the greedy choice (Chvatal) when everything
that the others cover as well is taken away.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from itertools import combinations
from types import MappingProxyType

from veer.model.inputs import shared_objects
from veer.model.outcome import Outcome
from veer.model.result import Bug, Test
from veer.model.state import Origin
from veer.model.values import replace

_MOST_EXACT = 12  # tests of which every subset is tried

Items = frozenset[Hashable]
NO_ROUNDS: Mapping[str, frozenset[int]] = MappingProxyType({})
NOTHING_SHOWN: Mapping[str, Items] = MappingProxyType({})


def selected(
    tests: Sequence[Test],
    bugs: Sequence[Bug],
    rounds: Mapping[str, frozenset[int]] = NO_ROUNDS,
    shown: Mapping[str, Items] = NOTHING_SHOWN,
) -> tuple[tuple[Test, ...], tuple[Bug, ...]]:
    """The tests that are needed, in their order, numbered anew, and the bugs with the new names of their witnesses.

    `rounds`: the sites of loops of which a test that passes runs a second round, by its name; `shown`: what else one
    shows: in which orders it calls the functions of a sequence, how it ends.
    """
    witnesses = {bug.test for bug in bugs}
    kept: set[str] = set()
    covered: set[Hashable] = set()
    for group in _groups(tests):
        items = {
            test.name: _items(test) | _again(rounds.get(test.name, ())) | shown.get(test.name, frozenset())
            for test in sorted(group, key=lambda test: shared_objects(test.inputs))
        }
        must = {name for name in items if name in witnesses}
        for name in must:
            covered |= items[name]
        chosen = must | smallest_cover({name: own - covered for name, own in items.items() if name not in must})
        for name in chosen:
            covered |= items[name]
        kept |= chosen
    return _renamed(tests, bugs, kept)


def selected_holding(
    tests: Sequence[Test], bugs: Sequence[Bug], extra: Mapping[str, Items], holds: Callable[[frozenset[str]], bool]
) -> tuple[tuple[Test, ...], tuple[Bug, ...]]:
    """As `selected`, of tests that must also hold something together: `holds(names)`, which depends on `extra` only,
    what each of them shows; more of it never harms."""
    witnesses = frozenset(bug.test for bug in bugs)
    items = {test.name: _items(test) for test in tests}
    alike: dict[tuple[Items, Items], str] = {}
    for test in sorted(tests, key=lambda test: (test.outcome.is_bug, test.outcome is not Outcome.RETURNED)):
        alike.setdefault((items[test.name], extra[test.name]), test.name)
    wanted = frozenset().union(*items.values())
    names = [*dict.fromkeys([*(test.name for test in tests if test.name in witnesses), *alike.values()])]

    def is_enough(kept: frozenset[str]) -> bool:
        return wanted <= _union(items, kept) and holds(kept)

    return _renamed(tests, bugs, smallest_holding(names, witnesses, is_enough))


def smallest_holding(
    names: Sequence[str], must: frozenset[str], is_enough: Callable[[frozenset[str]], bool]
) -> frozenset[str]:
    """Names that are enough, with those of `must`: none of the others is superfluous, and of few there are no fewer."""
    kept = frozenset(names)
    for name in reversed(names):
        if name not in must and is_enough(kept - {name}):
            kept -= {name}
    free = [name for name in names if name not in must]
    if len(free) <= _MOST_EXACT:
        for size in range(len(kept - must)):
            for chosen in combinations(free, size):
                if is_enough(must | set(chosen)):
                    return must | set(chosen)
    return kept


def _renamed(tests: Sequence[Test], bugs: Sequence[Bug], kept: Set[str]) -> tuple[tuple[Test, ...], tuple[Bug, ...]]:
    """The kept tests, numbered anew, and the bugs with the new names of their witnesses."""
    names: dict[str, str] = {}
    for test in tests:
        if test.name in kept:
            names[test.name] = f"test_{len(names) + 1:03d}"
    renamed = tuple(replace(test, name=names[test.name]) for test in tests if test.name in names)
    return renamed, tuple(replace(bug, test=names.get(bug.test, "")) for bug in bugs)


def smallest_cover(items: Mapping[str, Items]) -> set[str]:
    """Names whose sets together are the union of all; none is superfluous, and of few there are no fewer."""
    wanted = frozenset().union(*items.values())
    found = {name for name, own in items.items() if own - frozenset().union(*_others(items, name))}
    left = {name: own - _union(items, found) for name, own in items.items() if name not in found}
    left = {name: own for name, own in left.items() if own}
    missing = wanted - _union(items, found)
    if len(left) <= _MOST_EXACT:
        for size in range(len(left) + 1):
            for chosen in combinations(left, size):
                if missing <= _union(left, chosen):
                    return found | set(chosen)
    return found | _greedy(left, missing)


def _greedy(items: Mapping[str, Items], missing: Items) -> set[str]:
    """The largest gain first; then everything goes that the others cover as well, the last choice first."""
    chosen: list[str] = []
    while missing:
        best = max(items, key=lambda name: len(items[name] & missing))
        chosen.append(best)
        missing -= items[best]
    for name in reversed(tuple(chosen)):
        rest = [other for other in chosen if other != name]
        if _union(items, chosen) == _union(items, rest):
            chosen = rest
    return set(chosen)


def _groups(tests: Sequence[Test]) -> tuple[list[Test], ...]:
    returned = [test for test in tests if test.outcome is Outcome.RETURNED]
    other = [test for test in tests if test.outcome is not Outcome.RETURNED and not test.outcome.is_bug]
    groups = returned, other, [test for test in tests if test.outcome.is_bug]
    return tuple([test for test in group if _order(test) == place] for group in groups for place in range(len(Origin)))


def _order(test: Test) -> int:
    """Which of the origins of static data is a test's."""
    return 0 if test.state is None else list(Origin).index(test.state)


def _items(test: Test) -> Items:
    """The branches that it covers, the functions that its indirect calls reach, and that there is such an ending."""
    ending = (test.outcome.key, test.exit_code) if not test.outcome.is_bug else ()
    reached = [("call", each) for each in test.callees]
    return frozenset([*test.covers, *reached, *([ending] if ending else [])])


def _again(sites: Iterable[int]) -> Items:
    return frozenset(("again", site) for site in sites)


def _others(items: Mapping[str, Items], name: str) -> list[Items]:
    return [own for other, own in items.items() if other != name]


def _union(items: Mapping[str, Items], names: Iterable[str]) -> Items:
    return frozenset().union(*(items[name] for name in names))
