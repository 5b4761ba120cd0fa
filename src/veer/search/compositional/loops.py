"""Loops as units of summary: a trie without paths, for a closed form that has them all (closed.py).

A run is only made where one must be: for each side of the loop's branches, and for each load of what the form does not
know, which may be an error. Each run through the loop is compared with the form; one that does something else has the
loop refused, which is then a part of its function again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from veer.model.loops import Loop
from veer.search.compositional.activations import Activation, Decision
from veer.search.compositional.closed import (
    ClosedForm,
    Iterations,
    LeftError,
    NotClosedError,
    State,
    closed_form,
    follow,
)
from veer.search.compositional.pathstate import Case, Key
from veer.search.compositional.terms import Terms
from veer.search.compositional.trie import Node, Side, Trie, Tries


class FormError(Exception):
    """A run left the closed form of a loop, by the number of the loop's unit: the loop is to be refused."""

    def __init__(self, function: int) -> None:
        super().__init__(function)
        self.function = function


class ClosedTrie(Trie):
    """A loop in one shape."""

    def __init__(self, terms: Terms, tries: Tries, activation: Activation, steps: Iterations, form: ClosedForm) -> None:
        super().__init__(terms, tries, activation.function, activation.recursion, activation.shape)
        self._iterations = steps
        self._form = form

    @property
    def state(self) -> tuple[int, int]:
        """Changes with each goal that is met."""
        return len(self.root.children), self.paths

    def follow(self, activation: Activation, input: bytes) -> Iterator[Node]:
        """Compares a run with the form. Raises FormError."""
        self.root.input = self.root.input or input
        for _ in activation.steps:
            yield self.root
        yield self.root
        try:
            met, is_end = follow(self._terms, self._iterations, activation)
        except (LeftError, NotClosedError):
            raise FormError(self.function) from None
        if is_end != activation.is_finished:
            raise FormError(self.function)
        before = self.state
        for goal in met:
            if goal not in self.root.children:
                self.root.children[goal] = Node(self.root, input)
        self.paths = self._form.paths
        if self.state != before:
            self._changed()

    def see(self, node: Node, step: Decision | Activation, input: bytes = b"") -> Key:
        """Nothing is kept of single steps."""
        return 0

    @property
    def is_known(self) -> bool:
        """All of it."""
        return True

    def untaken(self, without: Collection[int]) -> int:
        """That a run meets another goal."""
        return self._terms.some(side.target for side in self.sides(self.root) if id(self.root) not in without)

    def sides(self, node: Node) -> Iterator[Side]:
        """The goals that no run has met."""
        for goal, condition in self._form.goals.items():
            if goal not in self.root.children:
                yield Side(self.root, goal, (), condition)

    def nodes(self) -> Iterator[Node]:
        """There is one."""
        yield self.root

    def _find_cases(self) -> Iterator[Case]:
        for exit in self._form.exits:
            if exit is not None:
                signature = tuple((place, -1) for place in exit.values)
                yield Case((exit.condition,), signature, dict(exit.values))


class Closing:
    """Makes the tries of a campaign's loops."""

    def __init__(self, loops: Mapping[int, Loop]) -> None:
        """`loops` by the numbers of their units."""
        self._loops = loops

    def trie(self, terms: Terms, tries: Tries, activation: Activation) -> Trie | None:
        """That of a loop in the shape of an activation; None where it is searched path by path."""
        loop = self._loops.get(activation.function)
        if loop is None or not (activation.steps or activation.is_stored):
            return None
        try:
            steps = Iterations(terms, loop, State.of(activation, terms))
            if activation.is_stored:
                return self._of_stored(terms, tries, activation, steps)
            _, is_end = follow(terms, steps, activation)
            if is_end != activation.is_finished:
                return None
            return ClosedTrie(terms, tries, activation, steps, closed_form(terms, steps))
        except NotClosedError:
            return None
        except LeftError:
            raise FormError(activation.function) from None

    @staticmethod
    def _of_stored(terms: Terms, tries: Tries, activation: Activation, steps: Iterations) -> Trie | None:
        """Of a loop that no run has come to; None where nothing is decided."""
        form = closed_form(terms, steps)
        decides = any(condition != terms.true for condition in form.goals.values())
        return ClosedTrie(terms, tries, activation, steps, form) if decides else None
