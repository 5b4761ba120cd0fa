"""Which pointer parameter is the end of what another one leads to: the code compares them, or subtracts.

while (p < end) sum += *p++;                   end is where p ends
for (; first != last; first++) ...
if ((size_t)(end - *pp) < 4) return -1;        end is where *pp ends
return skip(p + 1, end);                       as skip has it
p - buf; ... while (p < end) ...               p lies within buf, which ends at end
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct, field

from veer.frontends.c.contracts.attributes import KnownParameter
from veer.frontends.c.contracts.functionbody import Called, FunctionBody, is_constant

_CAST = "ptrtoint"
_EQUALITY = ("eq", "ne")
_END = re.compile(r"lim|stop|last|fence|eos|eob|eof|pe|e|\w*(end|limit)(_?p|_?ptr)?", re.IGNORECASE)
_BEGIN = re.compile(r"\w*(begin|start|first|base|buf|buffer|data)\w*", re.IGNORECASE)
_ENDS_BY_NAME = re.compile(r"\w*(end|limit)|lim|pe|e", re.IGNORECASE)
_LOWER_FIRST = ("ult", "uge", "slt", "sge")
"""Predicates by whose contraries, too, the first side is the lower one: `p < end`, `p >= end`."""
_LONGEST_CHAIN = 8


class Side(Struct, frozen=True):
    """One side of a comparison: the parameter that it comes from, `*pp` for what one leads to; `moved`: whether it is
    further on than that (1), or further back (-1)."""

    name: str
    moved: int = 0


class Related(Struct, frozen=True):
    """Two parameters that the code relates: which of them is the lower one, as far as the operation tells, and for how
    much that counts."""

    lower: Side
    upper: Side
    weight: int = 0


class Ends(Struct, frozen=True):
    """Buffer → its end, and cursor → the buffer that it lies within."""

    ends: Mapping[str, str] = field(default_factory=dict)
    within: Mapping[str, str] = field(default_factory=dict)


class Given(Struct, frozen=True):
    """A call of a function of the file, with its parameters and what is known of their ends."""

    called: Called
    names: Sequence[str]
    ends: Ends


class EndReader:
    """One function: its body and its parameters."""

    def __init__(self, body: FunctionBody, known: Mapping[str, KnownParameter]) -> None:
        self._body = body
        self._known = known
        self._sides: dict[str, Side] = {}
        self._forward, self._back = self._moving(1), self._moving(-1)
        touched = [side for side in self._touched() if side is not None]
        self._read = frozenset(each.name for each in touched if each.moved >= 0) - self._back
        self._read_before = frozenset(each.name for each in touched if each.moved < 0)
        self._used = self._read | self._read_before | self._forward | frozenset(self._given())

    def ends(self, inner: Sequence[Given] = ()) -> Ends:
        """What the code says."""
        related: dict[frozenset[str], list[Related]] = {}
        for each in (*self._compared(), *self._subtracted()):
            if self._are_of_one_kind(each.lower.name, each.upper.name):
                related.setdefault(frozenset((each.lower.name, each.upper.name)), []).append(each)
        found: dict[str, dict[str, None]] = {}
        within: dict[str, str] = {}
        for pair in related.values():
            buffer, end = self._directed(pair)
            if self._may_end(end) and (buffer in self._used or end in self._used):
                found.setdefault(buffer, {})[end] = None
            elif not end.startswith("*"):
                within[end] = buffer
        for given in inner:
            for buffer, end in self._passed(given, given.ends.ends):
                found.setdefault(buffer, {})[end] = None
            within |= {cursor: buffer for buffer, cursor in self._passed(given, _turned(given.ends.within))}
        ends = {buffer: next(iter(each)) for buffer, each in found.items() if len(each) == 1}
        return Ends({buffer: end for buffer, end in ends.items() if ends.get(end) is None}, within)

    def tested(self) -> Iterator[str]:
        """What parameters lead to, `*pp`, that the code compares with NULL."""
        for each in self._body.comparisons():
            side = self._side(each.left) if each.type == "ptr" and each.right == "null" else None
            if side is not None and side.name.startswith("*"):
                yield side.name

    def named(self) -> Ends:
        """What the names say of two that stand beside each other: `in, in_end`."""
        names = list(self._known)
        found: dict[str, str] = {}
        for one, other in pairwise(names):
            is_end = _ENDS_BY_NAME.fullmatch(other) and not _ENDS_BY_NAME.fullmatch(one)
            for buffer in (one, f"*{one}"):
                if is_end and self._may_end(other) and self._are_of_one_kind(buffer, other):
                    found[buffer] = other
        return Ends(found)

    def _are_of_one_kind(self, one: str, other: str) -> bool:
        """Whether both lead to elements of one kind."""
        first = self._element(one)
        return one != other and bool(first) and first == self._element(other)

    def _element(self, name: str) -> str:
        known = self._known.get(name.removeprefix("*"))
        if known is None or not known.is_pointer:
            return ""
        return known.kind_behind if name.startswith("*") else known.kind

    # -- what the code relates ---------------------------------------------------------------------------------------

    def _compared(self) -> Iterator[Related]:
        for each in self._body.comparisons():
            if each.type != "ptr" or "null" in (each.left, each.right):
                continue
            one, other = self._side(each.left), self._side(each.right)
            if one is None or other is None or one.name == other.name:
                continue
            if each.predicate not in _EQUALITY:
                yield Related(one, other, 1) if each.predicate in _LOWER_FIRST else Related(other, one, 1)
            elif one.name in self._forward or other.name in self._forward:
                yield Related(one, other)

    def _subtracted(self) -> Iterator[Related]:
        for made in self._body.made.values():
            casts = [self._body.made.get(each.value) for each in made.operands] if made.opcode == "sub" else []
            sides = [self._side(each.operands[0].value) for each in casts if each is not None and each.opcode == _CAST]
            if len(sides) == len(casts) == 2:
                upper, lower = sides
                if lower is not None and upper is not None and lower.name != upper.name:
                    yield Related(lower, upper, 3)

    def _passed(self, inner: Given, pairs: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """What is known of the parameters of a function that is called, of those that it is given."""
        given = dict(zip(inner.names, inner.called.arguments, strict=False))
        for buffer, end in pairs.items():
            first, second = self._argument(buffer, given), self._argument(end, given)
            if first is None or second is None or second.moved or not self._are_of_one_kind(first.name, second.name):
                continue
            if self._may_end(second.name) or inner.ends.within.get(end) == buffer:
                yield first.name, second.name

    def _argument(self, name: str, given: Mapping[str, str]) -> Side | None:
        """What a parameter of a function that is called is given, or what that leads to."""
        if name not in given and name.removeprefix("*") not in given:
            return None
        if not name.startswith("*"):
            return self._side(given[name])
        value = given[name.removeprefix("*")]
        if (held := self._held(value)) is not None:
            return held
        outer = self._side(value)
        return Side(f"*{outer.name}") if outer is not None and not outer.name.startswith("*") else None

    # -- where a value comes from ------------------------------------------------------------------------------------

    def _side(self, value: str) -> Side | None:
        """The parameter that a pointer is, or is counted from."""
        moved = 0
        for _ in range(_LONGEST_CHAIN):
            made = self._body.made.get(value)
            if made is not None and made.opcode == "getelementptr":
                moved = moved or self._direction(made.operands[-1].value)
                value = made.operands[0].value
            elif made is not None and made.opcode == "load":
                address = made.operands[0].value
                held = self._held(address) or self._behind(address)
                return Side(held.name, moved) if held is not None else None
            else:
                break
        return None

    def _direction(self, index: str) -> int:
        """Where an index goes: a sum is of what is added, and of what is taken away, unless it is a constant."""
        if is_constant(index):
            return (int(index) > 0) - (int(index) < 0)
        return -1 if self._body.is_made_by(index, "sub") else 1

    def _behind(self, address: str) -> Side | None:
        """What a pointer to a pointer leads to."""
        load = self._body.made.get(address)
        held = self._held(load.operands[0].value) if load is not None and load.opcode == "load" else None
        return Side(f"*{held.name}") if held is not None and not held.name.startswith("*") else None

    def _held(self, slot: str) -> Side | None:
        """The parameter that a variable holds: it is its own, or begins as that one and only moves on from there."""
        if slot in self._body.parameters:
            return Side(self._body.parameters[slot])
        if slot not in self._sides:
            self._sides[slot] = Side("")  # of variables that are set to each other
            values = [each for each in self._body.stores.get(slot, ()) if not self._body.step(slot, each)]
            found = {side.name for side in map(self._side, values) if side is not None and not side.moved}
            if len(found) == 1 and self._is_variable(slot):
                self._sides[slot] = Side(found.pop())
        return self._sides[slot] if self._sides[slot].name else None

    def _is_variable(self, slot: str) -> bool:
        return self._body.is_made_by(slot, "alloca")

    # -- which of the two is the end ---------------------------------------------------------------------------------

    def _directed(self, related: Sequence[Related]) -> tuple[str, str]:
        """The lower and the upper one of two, by all that there is to be told."""
        one, other = related[0].lower.name, related[0].upper.name
        is_first = self._weight(one, other, related) >= self._weight(other, one, related)
        return (one, other) if is_first else (other, one)

    def _weight(self, buffer: str, end: str, related: Sequence[Related]) -> int:
        names = list(self._known)
        weight = 2 * (names.index(end.removeprefix("*")) > names.index(buffer.removeprefix("*")))
        weight += 4 * bool(_END.fullmatch(end)) + 4 * bool(_BEGIN.fullmatch(buffer)) + 2 * buffer.startswith("*")
        weight += (
            2 * self._may_end(end) + 2 * (end in self._read_before) + (buffer in self._forward or buffer in self._read)
        )
        for each in related:
            is_so = each.lower.name == buffer
            moved = (each.lower, each.upper) if is_so else (each.upper, each.lower)
            weight += 2 * (moved[0].moved > 0) + 2 * (moved[1].moved < 0)
            weight += each.weight if is_so and not each.lower.moved and not each.upper.moved else 0
        return weight

    def _may_end(self, name: str) -> bool:
        return not name.startswith("*") and name not in self._read and name not in self._forward

    def _moving(self, direction: int) -> frozenset[str]:
        """The parameters that move on, or back."""
        found: set[str] = set()
        for address, values in self._body.stores.items():
            held = self._held(address) or self._behind(address)
            sides = [self._side(each) for each in values] if held is not None else []
            if held is not None and any(each and each == Side(held.name, direction) for each in sides):
                found.add(held.name)
        return frozenset(found)

    def _given(self) -> Iterator[str]:
        """The parameters that other functions are given."""
        for called in self._body.calls():
            sides = (self._side(each) for each in called.arguments)
            yield from (each.name for each in sides if each is not None)

    def _touched(self) -> Iterator[Side | None]:
        """Where the code reads or writes."""
        for instruction in self._body.instructions():
            if instruction.opcode in ("load", "store"):
                yield self._side(instruction.operands[instruction.opcode == "store"].value)


def _turned(pairs: Mapping[str, str]) -> Mapping[str, str]:
    """Buffer → cursor. Of several cursors the last one."""
    return {buffer: cursor for cursor, buffer in pairs.items()}
