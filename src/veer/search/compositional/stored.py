"""Summaries on disk: the paths of a function in a shape, by its content and that of all that it calls.

    cache/summary/<digest of: veer, text of the function and its callees, where data lies that they name, shape>.json

A path from disk is known without a run. It stands in conditions at once, and is run when there is something in it to be
seen: an edge that no run of this campaign took, or an end that is no return. So bugs are those of runs, and coverage is
measured on runs, as ever. A run that contradicts what was read has it forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from veer.execution.engine import EngineLibrary
from veer.model.errors import ToolchainError
from veer.model.program import Program, SiteKind
from veer.search.compositional.activations import Activation, Decision, Place, Shape, Value
from veer.search.compositional.terms import Terms
from veer.search.compositional.texts import Names, SiteName, Text, UnfitError
from veer.search.compositional.trie import Node, Trie, Tries
from veer.smt.arena import OPERAND_COUNT, Arena, operands
from veer.toolchain.cache import Cache, digest
from veer.toolchain.symbols import addresses
from veer.wire.boundaries import Boundaries
from veer.wire.layout import NONE, Crossing, Kind, Op
from veer.wire.shared import Shared

FORMAT = "1"
MOST_PATHS = 1000
_KEPT_KINDS = frozenset((int(Kind.BRANCH), int(Kind.CHECK)))
_CYCLES = frozenset((NONE - 2, NONE - 3))  # tracer/declared.h: what is under way around, by numbers of this program
_SLOT_FIELDS = ("recursion", "kind", "width", "number", "ordinal", "address")

EdgesOf = Callable[[bytes], frozenset[int] | None]
"""The edges that the run of an input took, if they are known."""


class StoredValue(msgspec.Struct, array_like=True):
    """See Value: terms by their positions, from 1; `slot` -1: there is one that nobody asks for."""

    slot: int
    term: int
    value: int
    width: int


class StoredTerm(msgspec.Struct, array_like=True):
    """A node of the arena; `below`: its operands and other numbers; of a slot: its fields, and its unit."""

    op: int
    width: int
    value: int
    below: tuple[int, ...]
    unit: SiteName | None = None


class StoredStep(msgspec.Struct, array_like=True):
    """A decision: (kind, literal, sides, flags, alternative); or a call: its number, what crossed."""

    site: SiteName
    decision: tuple[int, int, int, int, int] | None = None
    number: int = 0
    shape: Shape = ()
    inputs: list[StoredValue] = []
    outputs: list[tuple[Place, StoredValue]] = []
    is_finished: bool = False


class StoredPath(msgspec.Struct, array_like=True):
    steps: list[StoredStep]
    outputs: list[tuple[Place, StoredValue]]
    is_finished: bool
    edges: list[tuple[SiteName, int]]


class StoredSummary(msgspec.Struct):
    terms: list[StoredTerm]
    paths: list[StoredPath]


class SummaryStore:
    """Keeps the summaries of a campaign, and has those of earlier ones."""

    def __init__(
        self, cache: Cache, version: str, program: Program, shared: Shared, engine: EngineLibrary, terms: Terms
    ) -> None:
        """`version`: what else a path depends on: veer itself, options."""
        self._cache = cache
        self._version = version
        self._program = program
        self._shared = shared
        self._engine = engine
        self._terms = terms
        self._arena = Arena.of(shared)
        self._names = Names(program)
        self._slots: dict[tuple[int, ...], int] = {}
        self._slots_known = 0

    # -- reading --------------------------------------------------------------------------------------------------

    def fill(self, trie: Trie, tries: Tries) -> None:
        """Adds the paths that are kept of a function in a shape; nothing where there are none, or they do not fit."""
        try:
            path = self._cache.find("summary", self._key(trie), ".json")
            if path is None:
                return
            kept = _read(path)
            terms = self._terms_of(kept.terms)
            found = [(self._activation(trie, each, terms), self._edges(each)) for each in kept.paths]
        except (OSError, msgspec.MsgspecError, UnfitError, ArithmeticError, LookupError, ValueError):
            return
        for activation, _ in found:
            for step in activation.steps:
                if isinstance(step, Activation) and not tries.of(step).is_known:
                    return  # what it calls is not kept
        for activation, edges in found:
            trie.add_stored(activation, edges)

    def _key(self, trie: Trie) -> str:
        """Raises UnfitError for what is not kept."""
        name = self._names.of(trie.function)
        text = self._names.text(name[0])
        in_cycle = any(item[0] == Crossing.OBJECT and item[1] in _CYCLES for item in trie.shape)
        if trie.recursion or in_cycle or not text.digest:
            raise UnfitError
        shape = msgspec.json.encode(trie.shape)
        return digest(self._version, *map(str, name), text.digest, self._layout(text), shape)

    def _layout(self, text: Text) -> str:
        """Where all lies that the text names."""
        found = {name: self._addresses.get(name, ()) for name in sorted(text.names)}
        if all(found.values()):
            return str(sorted(found.items()))
        return self._program.executable.name  # a string, say, which has no name there

    @cached_property
    def _addresses(self) -> dict[str, tuple[int, ...]]:
        names = {name for content in self._program.contents for name in content.names}
        return addresses(self._program.executable, names)

    def _terms_of(self, kept: Iterable[StoredTerm]) -> list[int]:
        found = [0]
        for each in kept:
            if each.op == Op.CONST:
                term = self._terms.constant(each.width, each.value)
            elif each.op == Op.SLOT:
                term = self._slot(each)
            else:
                count = OPERAND_COUNT[each.op]
                below = [found[position] for position in each.below[:count]]
                if not all(below):
                    raise UnfitError
                term = self._terms.operation(Op(each.op), each.width, *below, *each.below[count:])
            found.append(term)
        return found

    def _slot(self, kept: StoredTerm) -> int:
        """The slot of that name, made if no run has made it yet (tracer/slots.c finds it then)."""
        if kept.unit is None or len(kept.below) != len(_SLOT_FIELDS):
            raise UnfitError
        records = self._shared.region("slots")
        fields = ("function", *_SLOT_FIELDS)
        while self._slots_known < self._shared.control(Boundaries).slot_count:
            record = records[self._slots_known]
            self._slots[tuple(int(record[field]) for field in fields)] = self._slots_known
            self._slots_known += 1
        name = (self._names.site(kept.unit), *kept.below)
        if name not in self._slots:
            if self._slots_known >= len(records):
                raise UnfitError
            for field, number in zip(fields, name, strict=True):
                records[self._slots_known][field] = number
            self._slots[name] = self._slots_known
            self._slots_known += 1
            self._shared.control(Boundaries).slot_count = self._slots_known
        return self._engine.slot_expression(self._slots[name])

    def _activation(self, trie: Trie, kept: StoredPath, terms: list[int]) -> Activation:
        activation = Activation(trie.function, shape=trie.shape, is_finished=kept.is_finished, is_stored=True)
        activation.outputs = {place: _value(value, terms) for place, value in kept.outputs}
        for step in kept.steps:
            site = self._names.site(step.site)
            if step.decision is not None:
                kind, literal, sides, flags, alternative = step.decision
                activation.steps.append(Decision(kind, terms[literal], site, sides, flags, alternative))
                continue
            call = Activation(site, 0, step.number, is_finished=step.is_finished, shape=step.shape, is_stored=True)
            call.inputs = [_value(value, terms) for value in step.inputs]
            call.outputs = {place: _value(value, terms) for place, value in step.outputs}
            activation.steps.append(call)
        return activation

    def _edges(self, kept: StoredPath) -> frozenset[int]:
        return frozenset(2 * self._names.site(name) + side for name, side in kept.edges)

    # -- writing --------------------------------------------------------------------------------------------------

    def add(self, tries: Iterable[Trie], edges_of: EdgesOf) -> int:
        """Keeps what is new; gives of how many functions and shapes."""
        count = 0
        for trie in tries:
            if trie.function == NONE or not trie.from_disk < trie.paths <= MOST_PATHS:
                continue
            try:
                key, kept = self._key(trie), self._kept(trie, edges_of)
            except UnfitError:
                continue
            content = msgspec.json.encode(kept)
            try:
                self._cache.write(digest(content).encode() + b"\n" + content, "summary", key, ".json")
            except ToolchainError:
                break  # a full disk, say: another campaign finds it again
            count += 1
        return count

    def _kept(self, trie: Trie, edges_of: EdgesOf) -> StoredSummary:
        ends = [node for node in trie.nodes() if node.is_end]
        paths = [(node, list(_way(node))) for node in ends]
        cone = self._arena.cone(
            {term for _, steps in paths for step in steps for term in _terms_in(step)}
            | {value.term for node in ends for value in _outputs(node).values() if value.term}
        )
        positions = {term: position for position, term in enumerate(cone, 1)}
        mine = frozenset(self._names.closure(self._names.of(trie.function)[0]))
        return StoredSummary(
            [self._term(term, positions) for term in cone],
            [
                StoredPath(
                    [self._step(step, positions) for step in steps],
                    [(place, _stored(value, positions, is_end=True)) for place, value in _outputs(node).items()],
                    node.activation is not None and node.activation.is_finished,
                    self._kept_edges(node, mine, edges_of),
                )
                for node, steps in paths
            ],
        )

    def _kept_edges(self, node: Node, mine: frozenset[str], edges_of: EdgesOf) -> list[tuple[SiteName, int]]:
        edges = node.stored if node.stored is not None else edges_of(node.input)
        if edges is None:
            raise UnfitError
        sites = self._program.sites
        counted = (edge for edge in sorted(edges) if edge < 2 * len(sites) and sites[edge // 2].items[edge % 2] >= 0)
        return [
            (self._names.of(edge // 2), edge % 2)
            for edge in counted
            if sites[edge // 2].function in mine and sites[edge // 2].kind is not SiteKind.LIBRARY
        ]

    def _term(self, term: int, positions: dict[int, int]) -> StoredTerm:
        node = self._arena.node(term)
        if node.op in (Op.LEAF, Op.LOOKUP):
            raise UnfitError
        if node.op == Op.SLOT:
            record = self._shared.region("slots")[node.a]
            fields = tuple(int(record[field]) for field in _SLOT_FIELDS)
            return StoredTerm(int(node.op), node.width, 0, fields, self._names.of(int(record["function"])))
        if node.op == Op.CONST:
            return StoredTerm(int(node.op), node.width, node.value, ())
        rest = (node.a, node.b, node.c)[OPERAND_COUNT[node.op] :]
        below = (*(positions[each] for each in operands(node)), *rest)
        return StoredTerm(int(node.op), node.width, 0, below)

    def _step(self, step: Decision | Activation, positions: dict[int, int]) -> StoredStep:
        if isinstance(step, Decision):
            if step.kind not in _KEPT_KINDS:
                raise UnfitError  # which values were pinned before is the campaign's
            numbers = (step.kind, positions[step.literal], step.sides, step.flags, step.alternative)
            return StoredStep(self._names.of(step.site), numbers)
        if step.recursion:
            raise UnfitError
        return StoredStep(
            self._names.of(step.function),
            None,
            step.number,
            step.shape,
            [_stored(value, positions) for value in step.inputs],
            [(place, _stored(value._replace(term=0), positions)) for place, value in step.outputs.items()],
            step.is_finished,
        )


def _read(path: Path) -> StoredSummary:
    """Raises UnfitError where the file is not as it was written, OSError, msgspec.MsgspecError."""
    told, _, content = path.read_bytes().partition(b"\n")
    if told != digest(content).encode():
        raise UnfitError
    return msgspec.json.decode(content, type=StoredSummary)


def _value(kept: StoredValue, terms: list[int]) -> Value:
    slot = 1 if kept.slot < 0 else terms[kept.slot]
    return Value(slot, terms[kept.term], kept.value, kept.width)


def _stored(value: Value, positions: dict[int, int], *, is_end: bool = False) -> StoredValue:
    slot = (-1 if is_end else positions[value.slot]) if value.slot else 0
    # What is concrete is not what a path depends on, unless it is what it gives out.
    return StoredValue(slot, positions[value.term] if value.term else 0, 0 if value.term else value.value, value.width)


def _outputs(node: Node) -> dict[Place, Value]:
    return node.activation.outputs if node.activation is not None and node.activation.is_finished else {}


def _way(end: Node) -> Iterator[Decision | Activation]:
    """The steps that lead to a node."""
    found: list[Decision | Activation] = []
    node = end
    while node.parent is not None:
        parent = node.parent
        key = next(key for key, child in parent.children.items() if child is node)
        if parent.decision is not None:
            assert isinstance(key, int)
            found.append(parent.decision._replace(alternative=key))
        else:
            found.append(_call(parent, key))
        node = parent
    return reversed(found)


def _call(node: Node, key: Any) -> Activation:
    """A call with the outputs of one signature."""
    assert node.activation is not None
    seen = node.activation
    call = Activation(seen.function, seen.recursion, seen.number, seen.inputs, shape=seen.shape)
    if isinstance(key, tuple):
        call.outputs, call.is_finished = node.outputs[key], True
    return call


def _terms_in(step: Decision | Activation) -> Iterator[int]:
    if isinstance(step, Decision):
        yield step.literal
        return
    for value in (*step.inputs, *step.outputs.values()):
        if value.slot:
            yield value.slot
    for value in step.inputs:
        if value.term:
            yield value.term
