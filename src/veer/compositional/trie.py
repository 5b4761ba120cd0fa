"""The paths of one function in one shape, as a tree over the function's own slots.

    decision ─1─ call of g ─signature─ decision ─1─ end: returned, outputs
        └0─ (open)                         └0─ end: aborted

Every literal is the same expression in every run and for every caller. The calls fold in the paths of the function that
is called (section 3.2): what it gives back is a choice over its paths, and that some path of it returns is a condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from veer.compositional.activations import Activation, Decision, Place, Shape, Value
from veer.compositional.terms import Terms
from veer.wire.layout import Kind

Signature = tuple[tuple[Place, int], ...]
Conditions = tuple[int, ...]
_NEVER_RETURNED = -1
"""The child of a call in whose run it did not return."""


class ConflictError(Exception):
    """A run decides something else where an earlier one decided, so it left its predicted path."""


@dataclass(slots=True, eq=False)
class Node:
    """Where paths are after some steps. `step` is None until one was seen: a decision, a call, or the end."""

    parent: Node | None = None
    input: bytes = b""  # of a run that came here
    decision: Decision | None = None
    call: Trie | None = None
    activation: Activation | None = None  # of the call, in the first run that came here; of the end, the whole one
    is_end: bool = False
    children: dict[int | Signature, Node] = field(default_factory=dict)
    outputs: dict[Signature, dict[Place, Value]] = field(default_factory=dict)
    known: tuple[int, Conditions, dict[int, int]] | None = None  # as of a state of the functions that are called
    groups: tuple[int, dict[Signature, Group]] | None = None

    @property
    def is_open(self) -> bool:
        """Whether nobody knows how it goes on."""
        return self.decision is None and self.call is None and not self.is_end


@dataclass(frozen=True, slots=True)
class Group:
    """The paths of a call whose outputs look alike: that one of them is taken, and what the outputs then are."""

    condition: int
    values: dict[Place, int]


@dataclass(frozen=True, slots=True)
class Case:
    """A path that returns: its precondition, and its postcondition as values of the outputs (section 3.2)."""

    conditions: Conditions
    signature: Signature
    values: dict[Place, int]


@dataclass(frozen=True, slots=True)
class Side:
    """Where no run has gone: an alternative of a decision, or a signature of a call."""

    node: Node
    key: int | Signature
    conditions: Conditions
    target: int


class Trie:
    """All paths that are known of a function (its site) at a depth of recursion, in one shape."""

    def __init__(self, terms: Terms, tries: Tries, function: int, recursion: int, shape: Shape) -> None:
        self.function = function
        self.root = Node()
        self.recursion = recursion
        self.shape = shape
        self.paths = 0
        self.callers: set[Trie] = set()
        self.below = 0  # goes up whenever the paths of a function that is called here become more
        self._terms = terms
        self._tries = tries
        self.open_sides: tuple[tuple[int, int], int] | None = None  # in a state: the condition that one is taken
        self._cases: tuple[tuple[int, int], tuple[Case, ...]] | None = None

    @property
    def state(self) -> tuple[int, int]:
        """Changes whenever its paths, or those of a function that is called here, become more."""
        return self.below, self.paths

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
            return
        if not node.is_open:
            raise ConflictError
        node.is_end, node.activation, node.input = True, activation, input
        self.paths += 1
        self._changed()

    def _advance(self, node: Node, step: Decision | Activation, input: bytes) -> Node:
        key = self.see(node, step, input)
        child = node.children.get(key)
        if child is None:
            child = node.children[key] = Node(node, input)
        return child

    def see(self, node: Node, step: Decision | Activation, input: bytes = b"") -> int | Signature:
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

    def known(self, node: Node) -> tuple[Conditions, dict[int, int]]:
        """The conditions under which a path comes here, and what the outputs of the calls before are."""
        waiting = []
        at: Node | None = node
        while at is not None and (at.known is None or at.known[0] != self.below):
            waiting.append(at)
            at = at.parent
        for each in reversed(waiting):
            each.known = (self.below, *self._known_from_parent(each))
        assert node.known is not None
        return node.known[1], node.known[2]

    def _known_from_parent(self, node: Node) -> tuple[Conditions, dict[int, int]]:
        parent = node.parent
        if parent is None:
            return (), {}
        assert parent.known is not None
        _, conditions, outputs = parent.known
        key = next(key for key, child in parent.children.items() if child is node)
        if parent.decision is not None:
            assert isinstance(key, int)
            return (*conditions, self._substituted(self.literal(parent.decision, key), outputs)), outputs
        group = self.groups(parent).get(key) if not isinstance(key, int) else None
        if group is None:  # the call does not return, so nothing comes here
            return (*conditions, self._terms.true), outputs
        assert not isinstance(key, int)
        slots = parent.outputs[key]
        values = {slots[place].slot: value for place, value in group.values.items()}
        return (*conditions, group.condition), {**outputs, **values}

    def literal(self, decision: Decision, alternative: int) -> int:
        """That the decision goes this way."""
        if decision.kind == Kind.CHOICE:
            return self._terms.is_leaf_value(decision.literal, alternative)
        return decision.literal if alternative == 1 else self._terms.negation(decision.literal)

    def inputs_of(self, node: Node) -> dict[int, int]:
        """What the slots of a call's inputs stand for here."""
        assert node.activation is not None
        _, outputs = self.known(node)
        memo: dict[int, int] = {}
        return {
            value.slot: self._terms.substitute(value.term, outputs, memo) if value.term else self._constant(value)
            for value in node.activation.inputs
            if value.slot
        }

    def groups(self, node: Node) -> dict[Signature, Group]:
        """The paths of a call that return, by their signatures."""
        if node.groups is not None and node.groups[0] == self.below:
            return node.groups[1]
        assert node.call is not None
        inputs, terms = self.inputs_of(node), self._terms
        memo: dict[int, int] = {}
        found: dict[Signature, Group] = {}
        for case in node.call.cases():
            condition = terms.every(terms.substitute(each, inputs, memo) for each in case.conditions)
            if condition == terms.false:
                continue
            values = {place: terms.substitute(value, inputs, memo) for place, value in case.values.items()}
            before = found.get(case.signature)
            if before is not None:
                values = {
                    place: terms.choice(condition, value, before.values[place]) for place, value in values.items()
                }
                condition = terms.some((before.condition, condition))
            found[case.signature] = Group(condition, values)
        node.groups = (self.below, found)
        return found

    def cases(self) -> tuple[Case, ...]:
        """The summary: every path that returns."""
        if self._cases is None or self._cases[0] != self.state:
            self._cases = (self.state, tuple(self._find_cases()))
        return self._cases[1]

    def _find_cases(self) -> Iterator[Case]:
        for node in self.nodes():
            if node.is_end and node.activation is not None and node.activation.is_finished:
                conditions, outputs = self.known(node)
                memo: dict[int, int] = {}
                values = {
                    place: self._terms.substitute(value.term, outputs, memo) if value.term else self._constant(value)
                    for place, value in node.activation.outputs.items()
                    if value.slot
                }
                yield Case(conditions, node.activation.signature, values)

    def sides(self, node: Node, guard_siblings: int) -> Iterator[Side]:
        """The sides of a node that no run has taken; those that are never aimed at left out."""
        conditions, outputs = self.known(node)
        if node.decision is not None:
            for alternative in range(node.decision.sides):
                if alternative not in node.children and is_aimed_at(node.decision, alternative):
                    target = self._substituted(self.literal(node.decision, alternative), outputs)
                    yield Side(node, alternative, conditions, target)
        elif node.call is not None:
            for signature, group in self.groups(node).items():
                if signature not in node.children:
                    yield Side(node, signature, conditions, group.condition)

    def nodes(self) -> Iterator[Node]:
        """All nodes, parents first."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children.values()

    def _substituted(self, term: int, outputs: dict[int, int]) -> int:
        return self._terms.substitute(term, outputs, {}) if outputs else term

    def _constant(self, value: Value) -> int:
        return self._terms.constant(value.width, value.value)


def is_aimed_at(decision: Decision, alternative: int) -> bool:
    """Whether a side that no run took may be: not a violated precondition, not what a bound of the inputs cuts."""
    if decision.kind == Kind.ASSUME:
        return alternative != 0
    if decision.kind == Kind.CHOICE:
        return not (alternative < 2 and decision.flags >> alternative & 1)
    return True


class Tries:
    """The tries of a campaign by function, recursion and shape."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._tries: dict[tuple[int, int, Shape], Trie] = {}

    def of(self, activation: Activation) -> Trie:
        """That of an activation's function in its shape, made if it is new."""
        key = (activation.function, activation.recursion, activation.shape)
        trie = self._tries.get(key)
        if trie is None:
            trie = self._tries[key] = Trie(self._terms, self, *key)
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
