"""A specification as a machine of bits: what a monitor computes at each event.

    registers r    a bit for each temporal operator (Havelund, Rosu: Synthesizing monitors for safety properties, 2002),
                   or for each place in a regular expression (Glushkov 1961): the events so far may lead there
    at an event    seen = some pattern fits; if so: broken = f(atoms, r), then r = next(atoms, r)
    at the end     broken = g(atoms, r): of conditions only, there is no event

Nothing branches: each is a function of bits, so that a symbolic condition stays a term.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from veer.specs.language import (
    And,
    Either,
    Formula,
    Historically,
    Holds,
    Kind,
    Letter,
    Not,
    Nothing,
    Once,
    Or,
    Pattern,
    Previously,
    Regex,
    Repeated,
    Since,
    Specification,
    Then,
    Truth,
)

# -- functions of bits ---------------------------------------------------------------------------------------------


class Bit(Struct, frozen=True):
    """A constant."""

    value: bool


class Input(Struct, frozen=True):
    """An atom now."""

    atom: int


class Register(Struct, frozen=True):
    """A register before this event."""

    number: int


class Inverse(Struct, frozen=True):
    operand: Function


class Both(Struct, frozen=True):
    left: Function
    right: Function


class Any(Struct, frozen=True):
    left: Function
    right: Function


Function = Bit | Input | Register | Inverse | Both | Any
FALSE, TRUE = Bit(value=False), Bit(value=True)


def inverse(operand: Function) -> Function:
    """Not, simplified."""
    if isinstance(operand, Bit):
        return Bit(value=not operand.value)
    return operand.operand if isinstance(operand, Inverse) else Inverse(operand)


def both(left: Function, right: Function) -> Function:
    """And, simplified."""
    if FALSE in (left, right):
        return FALSE
    if TRUE in (left, right) or left == right:
        return right if left == TRUE else left
    return Both(left, right)


def either(left: Function, right: Function) -> Function:
    """Or, simplified."""
    if TRUE in (left, right):
        return TRUE
    if FALSE in (left, right) or left == right:
        return right if left == FALSE else left
    return Any(left, right)


def given(function: Function, known: Callable[[Input | Register], Function]) -> Function:
    """The function where some atoms or registers are known; `known` gives the others back as they are."""
    if isinstance(function, Input | Register):
        return known(function)
    if isinstance(function, Inverse):
        return inverse(given(function.operand, known))
    if isinstance(function, Both):
        return both(given(function.left, known), given(function.right, known))
    if isinstance(function, Any):
        return either(given(function.left, known), given(function.right, known))
    return function


def value(function: Function, atoms: frozenset[int], registers: tuple[bool, ...]) -> bool:
    """What it is for these atoms and registers."""
    if isinstance(function, Bit):
        return function.value
    if isinstance(function, Input):
        return function.atom in atoms
    if isinstance(function, Register):
        return registers[function.number]
    if isinstance(function, Inverse):
        return not value(function.operand, atoms, registers)
    left = value(function.left, atoms, registers)
    if isinstance(function, Both):
        return left and value(function.right, atoms, registers)
    return left or value(function.right, atoms, registers)


# -- machines ------------------------------------------------------------------------------------------------------


class Machine(Struct, frozen=True):
    """See above. `next` is told of seen events alone."""

    initial: tuple[bool, ...]
    next: tuple[Function, ...]
    seen: Function
    broken: Function
    broken_at_end: Function


def machine_of(specification: Specification) -> Machine:
    """The machine that watches this specification."""
    events = [Input(n) for n, atom in enumerate(specification.atoms) if isinstance(atom, Pattern)]
    seen: Function = FALSE
    for each in events:
        seen = either(seen, each)
    if specification.kind in (Kind.ALWAYS, Kind.AT_END):
        return _of_formula(specification, seen)
    return _of_regex(specification, seen)


def _of_formula(specification: Specification, seen: Function) -> Machine:
    past = _Past()
    assert not isinstance(specification.body, Nothing | Letter | Then | Either | Repeated)
    holds = past.now(specification.body)
    is_at_end = specification.kind is Kind.AT_END

    def without_event(leaf: Input | Register) -> Function:
        is_event = isinstance(leaf, Input) and isinstance(specification.atoms[leaf.atom], Pattern)
        return FALSE if is_event else leaf

    at_end = given(inverse(holds), without_event) if is_at_end else FALSE
    return Machine(tuple(past.initial), tuple(past.next), seen, FALSE if is_at_end else inverse(holds), at_end)


class _Past:
    """Registers for the temporal operators of one formula."""

    def __init__(self) -> None:
        self.initial: list[bool] = []
        self.next: list[Function] = []

    def _register(self, *, initial: bool) -> Register:
        self.initial.append(initial)
        self.next.append(FALSE)
        return Register(len(self.initial) - 1)

    def _kept(self, register: Register, function: Function) -> Function:
        """A value that the register holds at the next event."""
        self.next[register.number] = function
        return function

    def now(self, formula: Formula) -> Function:
        """The formula at this event."""
        if isinstance(formula, Truth):
            return Bit(value=formula.holds)
        if isinstance(formula, Holds):
            return Input(formula.atom)
        if isinstance(formula, Not):
            return inverse(self.now(formula.operand))
        if isinstance(formula, And):
            return both(self.now(formula.left), self.now(formula.right))
        if isinstance(formula, Or):
            return either(self.now(formula.left), self.now(formula.right))
        return self._temporal(formula)

    def _temporal(self, formula: Previously | Once | Historically | Since) -> Function:
        if isinstance(formula, Previously):
            operand = self.now(formula.operand)
            before = self._register(initial=formula.is_weak)
            self._kept(before, operand)
            return before
        if isinstance(formula, Once):
            operand = self.now(formula.operand)
            before = self._register(initial=False)
            return self._kept(before, either(operand, before))
        if isinstance(formula, Historically):
            operand = self.now(formula.operand)
            before = self._register(initial=True)
            return self._kept(before, both(operand, before))
        left, right = self.now(formula.left), self.now(formula.right)
        before = self._register(initial=formula.is_weak)
        return self._kept(before, either(right, both(left, before)))


class _Places(Struct):
    """Glushkov's sets of an expression: whether it may be empty, its first and last places."""

    is_empty: bool
    first: frozenset[int]
    last: frozenset[int]


def _of_regex(specification: Specification, seen: Function) -> Machine:
    atoms: list[int] = []  # of each place, from 1 on
    before: dict[int, set[int]] = {}
    assert isinstance(specification.body, Nothing | Letter | Then | Either | Repeated)
    whole = _places(specification.body, atoms, before)
    for place in whole.first:
        before.setdefault(place, set()).add(0)
    steps: list[Function] = [FALSE]  # place 0 is the beginning
    for place, atom in enumerate(atoms, 1):
        came: Function = FALSE
        for earlier in sorted(before.get(place, ())):
            came = either(came, Register(earlier))
        steps.append(both(seen if atom < 0 else Input(atom), came))
    leads_on: Function = FALSE
    for step in steps:
        leads_on = either(leads_on, step)
    accepting: Function = Register(0) if whole.is_empty else FALSE
    for place in sorted(whole.last):
        accepting = either(accepting, Register(place))
    at_end = inverse(accepting) if specification.kind is Kind.COMPLETE else FALSE
    return Machine((True, *(False for _ in atoms)), tuple(steps), seen, inverse(leads_on), at_end)


def _places(regex: Regex, atoms: list[int], before: dict[int, set[int]]) -> _Places:
    if isinstance(regex, Nothing):
        return _Places(is_empty=True, first=frozenset(), last=frozenset())
    if isinstance(regex, Letter):
        atoms.append(regex.atom)
        here = frozenset((len(atoms),))
        return _Places(is_empty=False, first=here, last=here)
    if isinstance(regex, Repeated):
        inner = _places(regex.operand, atoms, before)
        _follow(inner.last, inner.first, before)
        return _Places(is_empty=True, first=inner.first, last=inner.last)
    if isinstance(regex, Either):
        left, right = _places(regex.left, atoms, before), _places(regex.right, atoms, before)
        return _Places(left.is_empty or right.is_empty, left.first | right.first, left.last | right.last)
    one, two = _places(regex.first, atoms, before), _places(regex.second, atoms, before)
    _follow(one.last, two.first, before)
    return _Places(
        one.is_empty and two.is_empty,
        one.first | two.first if one.is_empty else one.first,
        one.last | two.last if two.is_empty else two.last,
    )


def _follow(last: frozenset[int], first: frozenset[int], before: dict[int, set[int]]) -> None:
    for place in first:
        before.setdefault(place, set()).update(last)
