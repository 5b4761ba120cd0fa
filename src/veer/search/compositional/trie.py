"""The paths of one function in one shape, as a tree over the function's own slots.

    decision ─1─ call of g ─signature─ decision ─1─ end: returned, outputs
        └0─ (open)                         └0─ end: aborted

Every literal is the same expression in every run and for every caller. The calls fold in the paths of the function that
is called (section 3.2): what it gives back is a choice over its paths, and that some path of it returns is a condition.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Protocol

from msgspec import Struct, field

from veer.search.compositional.activations import Activation, Decision, Place, Shape, Value
from veer.search.compositional.folding import Group, Groups, Signature, decided, joined
from veer.search.compositional.pathstate import END, Case, Conditions, Environment, Goal, Key, PathState
from veer.search.compositional.terms import Terms
from veer.wire.layout import Kind

_NEVER_RETURNED = -1
"""The child of a call in whose run it did not return."""


class ConflictError(Exception):
    """A run decides something else where an earlier one decided, so it left its predicted path."""


class Node(Struct, eq=False):
    """Where paths are after some steps. `step` is None until one was seen: a decision, a call, or the end."""

    parent: Node | None = None
    input: bytes = b""  # of a run that came here
    decision: Decision | None = None
    call: Trie | None = None
    activation: Activation | None = None  # of the call, in the first run that came here; of the end, the whole one
    is_end: bool = False
    children: dict[Key, Node] = field(default_factory=dict)
    outputs: dict[Signature, dict[Place, Value]] = field(default_factory=dict)
    stored: frozenset[int] | None = None  # of an end that is known from disk alone: the edges that its run took
    known: PathState | None = None
    groups: tuple[int, Groups] | None = None  # as of a state of the functions that are called
    entry: tuple[int, Environment] | None = None  # what the slots of the call's inputs stand for, likewise

    @property
    def is_open(self) -> bool:
        """Whether nobody knows how it goes on."""
        return self.decision is None and self.call is None and not self.is_end


class Side(Struct, frozen=True):
    """Where no run has gone: an alternative of a decision, or a signature of a call."""

    node: Node
    key: Key
    conditions: Conditions
    target: int

    @property
    def edge(self) -> int | None:
        """Of a branch's side: its edge of the program."""
        if self.node.decision is not None:
            return 2 * self.node.decision.site + (self.key if isinstance(self.key, int) else 0)
        if isinstance(self.key, Goal) and self.key.kind == "side":
            return 2 * self.key.place + self.key.number
        return None


class Trie:
    """All paths that are known of a function (its site) at a depth of recursion, in one shape."""

    def __init__(self, terms: Terms, tries: Tries, function: int, recursion: int, shape: Shape) -> None:
        self.function = function
        self.root = Node()
        self.recursion = recursion
        self.shape = shape
        self.paths = 0
        self.callers: set[Trie] = set()
        self.from_disk = 0  # of `paths`
        self._confirmed = 0  # of those from disk
        self.below = 0  # goes up whenever the paths of a function that is called here become more
        self._terms = terms
        self._tries = tries
        self._untaken: tuple[tuple[int, int], int] | None = None
        self._cases: tuple[tuple[int, int], tuple[Case, ...]] | None = None

    @property
    def state(self) -> tuple[int, int]:
        """Changes whenever its paths, or those of a function that is called here, become more."""
        return self.below, self.paths + self._confirmed

    @property
    def is_known(self) -> bool:
        """Whether there is anything to say of it."""
        return self.paths > 0

    # -- growth ---------------------------------------------------------------------------------------------------

    def follow(self, activation: Activation, input: bytes) -> Iterator[Node]:
        """Adds the path; gives each node before what it has of the path is used. Raises ConflictError."""
        node = self.root
        for step in activation.steps:
            yield node
            node = self._advance(node, step, input)
        yield node
        if node.is_end:
            same = node.activation is not None and node.activation.is_finished == activation.is_finished
            if not same or (activation.is_finished and node.activation.signature != activation.signature):  # type: ignore[union-attr]
                raise ConflictError
            if node.stored is not None and not activation.is_stored:
                self._confirm(node, input)
            return
        if not node.is_open:
            raise ConflictError
        node.is_end, node.activation, node.input = True, activation, input
        self.paths += 1
        self._changed()

    def add_stored(self, activation: Activation, edges: frozenset[int]) -> None:
        """Adds a path from disk. Raises ConflictError."""
        node = self.root
        for node in self.follow(activation, b""):  # noqa: B007 - the last one is the end
            pass
        node.stored = edges
        self.from_disk += 1

    def _confirm(self, end: Node, input: bytes) -> None:
        """A run took a path that was on disk."""
        end.stored, end.input = None, input
        end.children[END] = Node(end, input)
        self._confirmed += 1
        self._changed()

    def _advance(self, node: Node, step: Decision | Activation, input: bytes) -> Node:
        key = self.see(node, step, input)
        child = node.children.get(key)
        if child is None:
            child = node.children[key] = Node(node, input)
        return child

    def see(self, node: Node, step: Decision | Activation, input: bytes = b"") -> Key:
        """Makes the node one of this step if it was open; the key of the child. Raises ConflictError."""
        if isinstance(step, Decision):
            if node.is_open:
                node.decision, node.input = step, input
            known = node.decision
            if known is None or (known.kind, known.literal, known.site) != (step.kind, step.literal, step.site):
                raise ConflictError
            if step.sides > known.sides:
                node.decision = known._replace(sides=step.sides)
            return step.alternative
        if node.is_open:
            node.call, node.activation, node.input = self._tries.of(step), step, input
            node.call.callers.add(self)
        if node.call is None or node.call is not self._tries.of(step) or node.activation is None:
            raise ConflictError
        if [value[:2] for value in node.activation.inputs] != [value[:2] for value in step.inputs]:
            raise ConflictError
        if not step.is_finished:
            return _NEVER_RETURNED
        node.outputs.setdefault(step.signature, step.outputs)
        return step.signature

    def _changed(self) -> None:
        for trie in self._tries.above(self):
            trie.below += 1

    # -- formulas -------------------------------------------------------------------------------------------------

    def known(self, node: Node) -> PathState:
        """What is known at a node now."""
        waiting = []
        at: Node | None = node
        while at is not None and (at.known is None or at.known.state != self.below):
            waiting.append(at)
            at = at.parent
        for each in reversed(waiting):
            each.known = self._known_from_parent(each)
        assert node.known is not None
        return node.known

    def _known_from_parent(self, node: Node) -> PathState:
        parent = node.parent
        if parent is None:
            return PathState(self.below, (), Environment())
        before = parent.known
        assert before is not None
        key = next(key for key, child in parent.children.items() if child is node)
        if parent.decision is not None:
            assert isinstance(key, int)
            return PathState(self.below, (*before.conditions, self.literal_at(parent, key)), before.outputs)
        group = self.groups(parent).get(key) if isinstance(key, tuple) else None
        if group is None:  # the call does not return, so nothing comes here
            return PathState(self.below, (*before.conditions, self._terms.true), before.outputs)
        assert isinstance(key, tuple)
        slots = parent.outputs[key]
        values = {slots[place].slot: value for place, value in group.values.items()}
        outputs = Environment({**before.outputs.values, **values}) if values else before.outputs
        return PathState(self.below, (*before.conditions, group.condition), outputs)

    def literal_at(self, node: Node, alternative: int) -> int:
        """That the decision of a node goes this way, where the node is."""
        assert node.decision is not None
        return self._within(self.literal(node.decision, alternative), self.known(node).outputs)

    def literal(self, decision: Decision, alternative: int) -> int:
        """That the decision goes this way."""
        if decision.kind == Kind.CHOICE:
            return self._terms.is_leaf_value(decision.literal, alternative)
        return decision.literal if alternative == 1 else self._terms.negation(decision.literal)

    def inputs_of(self, node: Node) -> Environment:
        """What the slots of a call's inputs stand for here."""
        if node.entry is None or node.entry[0] != self.below:
            assert node.activation is not None
            values = {each.slot: self._value_at(node, each) for each in node.activation.inputs if each.slot}
            node.entry = self.below, Environment(values)
        return node.entry[1]

    def groups(self, node: Node) -> Groups:
        """The paths of a call that return, by their signatures."""
        if node.groups is not None and node.groups[0] == self.below:
            return node.groups[1]
        assert node.call is not None
        inputs = self.inputs_of(node)
        cases = (
            (
                self._terms.every(self._within(each, inputs) for each in case.conditions),
                {
                    case.signature: Group(
                        self._terms.true, {place: self._within(value, inputs) for place, value in case.values.items()}
                    )
                },
            )
            for case in node.call.cases()
        )
        node.groups = (self.below, joined(self._terms, cases))
        return node.groups[1]

    def cases(self) -> tuple[Case, ...]:
        """The summary: all paths that return."""
        if self._cases is None or self._cases[0] != self.state:
            self._cases = (self.state, tuple(self._find_cases()))
        return self._cases[1]

    def _find_cases(self) -> Iterator[Case]:
        found: dict[int, Groups] = {}
        for node in reversed(list(self.nodes())):
            below = {key: found[id(child)] for key, child in node.children.items()}
            found[id(node)] = self._folded(node, below)
        for signature, group in found[id(self.root)].items():
            yield Case((group.condition,), signature, group.values)

    def _folded(self, node: Node, below: Mapping[Key, Groups]) -> Groups:
        """What returns from a node on; `below`: of its children."""
        if node.is_end and node.activation is not None and node.activation.is_finished:
            outputs = node.activation.outputs
            values = {place: self._value_at(node, value) for place, value in outputs.items() if value.slot}
            return {node.activation.signature: Group(self._terms.true, values)}
        if node.decision is not None and node.decision.sides == 2 and node.decision.kind != Kind.CHOICE:
            return decided(self._terms, self.literal_at(node, 1), below.get(1, {}), below.get(0, {}))
        return joined(self._terms, ((self._taken(node, key), groups) for key, groups in below.items()))

    def _taken(self, node: Node, key: Key) -> int:
        """That a path goes on from a node this way."""
        if node.decision is not None and isinstance(key, int):
            return self.literal_at(node, key)
        group = self.groups(node).get(key) if isinstance(key, tuple) else None
        return group.condition if group is not None else self._terms.false

    def untaken(self, without: Collection[int]) -> int:
        """The condition that a path takes a side that no run has taken, in this function or in one that it calls.
        `without`: nodes (by id) whose sides do not count."""
        if not without and self._untaken is not None and self._untaken[0] == self.state:
            return self._untaken[1]
        terms = self._terms
        found: dict[int, int] = {}
        for node in reversed(list(self.nodes())):
            sides = [] if id(node) in without else [side.target for side in self.sides(node)]
            if node.call is not None and id(node) not in without:
                sides.append(self._within(node.call.untaken(()), self.inputs_of(node)))
            for key, child in node.children.items():
                if found[id(child)] != terms.false:
                    sides.append(terms.every((self._taken(node, key), found[id(child)])))
            found[id(node)] = terms.some(sides)
        if not without:
            self._untaken = self.state, found[id(self.root)]
        return found[id(self.root)]

    def sides(self, node: Node) -> Iterator[Side]:
        """The sides of a node that no run has taken; those that are never aimed at left out."""
        if node.decision is not None:
            for alternative in range(node.decision.sides):
                if alternative not in node.children and is_aimed_at(node.decision, alternative):
                    target = self.literal_at(node, alternative)
                    yield Side(node, alternative, self.known(node).conditions, target)
        elif node.call is not None:
            for signature, group in self.groups(node).items():
                if signature not in node.children:
                    yield Side(node, signature, self.known(node).conditions, group.condition)
        elif node.stored is not None and node.activation is not None:
            shows_nothing = node.activation.is_finished and node.stored <= self._tries.covered
            if not shows_nothing:  # what it shows must be seen in a run of this campaign
                yield Side(node, END, self.known(node).conditions, self._terms.true)

    def nodes(self) -> Iterator[Node]:
        """All nodes, parents first."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children.values()

    def _within(self, term: int, environment: Environment) -> int:
        return self._terms.substitute(term, environment.values, environment.memo) if environment.values else term

    def _value_at(self, node: Node, value: Value) -> int:
        """What a value that crosses a boundary at a node is."""
        if value.term:
            return self._within(value.term, self.known(node).outputs)
        return self._terms.constant(value.width, value.value)


def is_aimed_at(decision: Decision, alternative: int) -> bool:
    """Whether a side that no run took may be: not a violated precondition, not what a bound of the inputs cuts."""
    if decision.kind == Kind.ASSUME:
        return alternative != 0
    if decision.kind == Kind.CHOICE:
        return not (alternative < 2 and decision.flags >> alternative & 1)
    return True


class Closing(Protocol):
    """Makes tries of loops whose paths need no runs: loops.Closing."""

    def trie(self, terms: Terms, tries: Tries, activation: Activation) -> Trie | None:
        """None where the paths are found one by one."""
        ...


class SummaryStore(Protocol):
    """Has the paths of earlier campaigns: stored.SummaryStore."""

    def fill(self, trie: Trie, tries: Tries) -> None:
        """Adds what is known of a function in a shape."""
        ...


class Tries:
    """The tries of a campaign by function, recursion and shape."""

    def __init__(self, terms: Terms, closing: Closing | None = None, store: SummaryStore | None = None) -> None:
        """`closing`: of loops; none are closed without. `store`: of summaries on disk."""
        self.covered: set[int] = set()  # edges that runs took
        self._terms = terms
        self._closing = closing
        self._store = store
        self._tries: dict[tuple[int, int, Shape], Trie] = {}

    def of(self, activation: Activation) -> Trie:
        """That of an activation's function in its shape, made if it is new."""
        key = (activation.function, activation.recursion, activation.shape)
        trie = self._tries.get(key)
        if trie is None:
            closed = self._closing.trie(self._terms, self, activation) if self._closing is not None else None
            trie = self._tries[key] = closed or Trie(self._terms, self, *key)
            if closed is None and self._store is not None:
                self._store.fill(trie, self)
        return trie

    def __iter__(self) -> Iterator[Trie]:
        return iter(self._tries.values())

    @staticmethod
    def above(trie: Trie) -> set[Trie]:
        """The tries that call this one, directly or not."""
        found: set[Trie] = set()
        waiting = [trie]
        while waiting:
            for caller in waiting.pop().callers - found:
                found.add(caller)
                waiting.append(caller)
        return found
