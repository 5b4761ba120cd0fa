"""The numbers that a unit's functions store in each field of its structs, where these are few.

memset(r, 0, sizeof *r);  r->head = (r->head + 1u) % 16;      ring_t.head: 0 .. 15
if (s->top == MAX) return; s->top++;                          stack.top: 0 .. MAX, by what it is compared with
s->len = n;                                                   any: a caller says what it is

Ranges grow until nothing changes, from 0 on, which is what memory holds that nobody has written. One that does not stop
growing ends at the numbers that the code compares the field with; where there are none the field may hold anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from veer.frontends.c.contracts.functionbody import is_constant
from veer.frontends.c.contracts.origins import Origins, alternatives
from veer.instrument.instructions import Instruction
from veer.instrument.opcodes import BINARY
from veer.model.unitfacts import Place, PlaceKind, Stored

_ROUNDS = 6
_DEEPEST = 24
Interval = tuple[int, int]
_Known = Mapping[Place, Interval | None]
"""None: any number."""
_Bounds = Mapping[Place, frozenset[int]]
_Written = Sequence[tuple[Origins, str]]
_LARGE = 1 << 30
_LEAST_BOUND = 2
_EQUALITY = ("eq", "ne")
_FROM_ZERO: Interval = (0, 0)


def stored_ranges(functions: Sequence[Origins], opened: Iterable[Place]) -> tuple[Stored, ...]:
    """The fields that the functions store to, but those that may hold anything. `opened`: others write these, too."""
    stores: dict[Place, list[tuple[Origins, str]]] = {}
    known: dict[Place, Interval | None] = dict.fromkeys(opened)
    for function in functions:
        for address, value in function.stores():
            for place in function.targets(address):
                if isinstance(place, Place):
                    stores.setdefault(place, []).append((function, value))
    bounds = compared_with(functions)
    known |= {place: _FROM_ZERO for place in stores if place not in known}
    growing = {place for place in stores if known[place] is not None}
    for turn in range(2 * _ROUNDS):
        before = dict(known)
        for place in growing:
            known[place] = _after(place, stores[place], known, bounds)
        growing = {place for place in growing if known[place] is not None and known[place] != before[place]}
        if turn >= _ROUNDS:
            for place in growing:
                known[place] = _held(place, stores[place], known, bounds)
            growing = set()
        if not growing:
            break
    settled = {place: interval for place, interval in known.items() if interval is not None and place in stores}
    return tuple(Stored(place, *interval) for place, interval in sorted(settled.items()))


def compared_with(functions: Iterable[Origins]) -> dict[Place, frozenset[int]]:
    """The constants that bound each place: what a parameter is less or greater than, and all that a field meets.

    Constants below 2 alone bound nothing: `if (n < 1)` says where numbers begin.
    """
    found: dict[Place, set[int]] = {}
    for function in functions:
        for each in function.body.comparisons():
            for value, constant in ((each.left, each.right), (each.right, each.left)):
                for place in function.of(value) if is_constant(constant) else ():
                    if place.kind is PlaceKind.FIELD or each.predicate not in _EQUALITY:
                        found.setdefault(place, set()).add(int(constant))
    return {place: frozenset(constants) for place, constants in found.items() if max(constants) >= _LEAST_BOUND}


def _after(place: Place, written: _Written, known: _Known, bounds: _Bounds) -> Interval | None:
    """The range of a field after one more store of each kind."""
    return _joined([known.get(place), *(_Evaluation(each, known, bounds).of(value) for each, value in written)])


def _held(place: Place, written: _Written, known: _Known, bounds: _Bounds) -> Interval | None:
    """The range of a field that still grows: what the stores make of any number, else the constants that it meets."""
    before = known[place]
    wide = _joined([before, (0 if before is not None and before[0] >= 0 else -_LARGE, _LARGE)])
    stored = _joined([_Evaluation(each, {**known, place: wide}, bounds).of(value) for each, value in written])
    if stored is not None and stored[1] < _LARGE and stored[0] > -_LARGE:
        return _joined([stored, _FROM_ZERO])
    constants = bounds.get(place, frozenset())
    own = [int(value) for _, value in written if is_constant(value)]
    return (min(0, *own, *constants), max(0, *own, *constants)) if constants else None


def _joined(intervals: Iterable[Interval | None]) -> Interval | None:
    known = list(intervals)
    if any(each is None for each in known):
        return None
    return min(each[0] for each in known if each), max(each[1] for each in known if each)


class _Evaluation(Struct):
    """The range of a value of one function, with what is known of fields so far.

    Each value that it is made of is looked at once: locals of a state machine that are made of each other have more
    ways than anybody could walk. What a value is made of by way of itself may be any number.
    """

    function: Origins
    known: _Known
    bounds: _Bounds
    found: dict[str, Interval | None] = field(default_factory=dict)

    def of(self, value: str) -> Interval | None:
        """The numbers that the value may be; of a parameter those up to the constants that it is compared with."""
        found = self._of(value, 0)
        if found is not None:
            return found
        places = self.function.of(value)
        if not places or any(each.kind is not PlaceKind.PARAMETER for each in places):
            return None
        constants = {constant for each in places for constant in self.bounds.get(each, frozenset())}
        return (min(0, *constants), max(0, *constants)) if constants else None

    def _of(self, value: str, depth: int) -> Interval | None:
        if is_constant(value):
            return int(value), int(value)
        if value in ("true", "false"):
            return (1, 1) if value == "true" else (0, 0)
        made = self.function.body.made.get(value)
        if made is None or depth > _DEEPEST:
            return None
        if value not in self.found:
            self.found[value] = None  # until it is known
            self.found[value] = self._made(made, depth + 1)
        return self.found[value]

    def _made(self, made: Instruction, depth: int) -> Interval | None:
        if made.opcode == "load":
            return self._loaded(made.operands[0].value, depth) if _bits(made.type) else None
        if made.opcode in ("zext", "sext", "trunc"):
            inner = self._of(made.operands[0].value, depth)
            if made.opcode == "trunc":
                return _fitting(inner, _bits(made.type))
            return inner if inner is not None else _whole(made.opcode, _bits(made.operands[0].type))
        if made.opcode in BINARY:
            left, right = (self._of(each.value, depth) for each in made.operands)
            return _fitting(computed(made.opcode, left, right), _bits(made.type))
        if made.opcode in ("select", "phi"):
            return _joined([self._of(each, depth) for each in alternatives(made)])
        return (0, 1) if made.opcode in ("icmp", "fcmp") else None

    def _loaded(self, address: str, depth: int) -> Interval | None:
        body, found = self.function.body, list[Interval | None]()
        for target in self.function.targets(address):
            if isinstance(target, Place):
                found.append(self.known.get(target))
            elif target in body.parameters or self.function.is_given_away(target):
                return None
            else:
                found += [self._of(each, depth) for each in body.stores.get(target, ())]
        return _joined(found) if found else None


def _bits(type_: str) -> int:
    """The width of an integer type; 0 for others."""
    return int(type_[1:]) if type_[0] == "i" and type_[1:].isdigit() else 0


def _whole(cast: str, bits: int) -> Interval | None:
    """What a smaller type holds."""
    if bits > 16:
        return None
    return (0, (1 << bits) - 1) if cast == "zext" else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


def _fitting(interval: Interval | None, bits: int) -> Interval | None:
    """A range that the type holds; None when it wraps."""
    if interval is None or interval[0] < -(1 << (bits - 1)) or interval[1] >= 1 << bits:
        return None
    return interval


def computed(name: str, left: Interval | None, right: Interval | None) -> Interval | None:
    """The range of an operation on numbers of two ranges; None: any."""
    constant = right[0] if right is not None and right[0] == right[1] else None
    if name == "and":
        masks = [each[1] for each in (left, right) if each is not None and each[0] >= 0]
        return (0, min(masks)) if masks else None
    if name in ("urem", "srem") and constant:
        most = abs(constant) - 1
        if left is not None and left[0] >= 0:
            return 0, min(left[1], most)
        return (0, most) if name == "urem" else (-most, most)
    if left is None or right is None:
        return None
    if name == "add":
        return left[0] + right[0], left[1] + right[1]
    if name == "sub":
        return left[0] - right[1], left[1] - right[0]
    if name == "mul":
        ends = [one * other for one in left for other in right]
        return min(ends), max(ends)
    if name in ("udiv", "sdiv", "lshr") and constant is not None and constant > 0 and left[0] >= 0:
        divisor = 1 << constant if name == "lshr" else constant
        return left[0] // divisor, left[1] // divisor
    if name == "shl" and constant is not None and 0 <= constant < 64 and left[0] >= 0:
        return left[0] << constant, left[1] << constant
    if name == "or" and left[0] >= 0 and right[0] >= 0:
        return 0, (1 << max(left[1].bit_length(), right[1].bit_length())) - 1
    return None
