"""The methods that specifications name: `withdraw`, `Account.withdraw`, `bank.Account.withdraw`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from veer.frontends.java.classfile.descriptors import full_words, method_types
from veer.frontends.java.classfile.model import Access
from veer.frontends.java.shapes.plain import INIT
from veer.frontends.java.units import Found, Unit
from veer.specs.language import RESULT, Moment, Pattern
from veer.specs.scanner import error

THIS = "this"
_WHOLE = "BSCIJ"


class Watched(Struct, frozen=True):
    """A method whose calls or returns are events. `number`: of its handlers in the class of the monitors."""

    found: Found
    number: int

    @property
    def types(self) -> tuple[str, ...]:
        """What handlers are given: the object, if there is one, and the arguments, as descriptors."""
        own = method_types(self.found.method.descriptor)[0]
        return own if self.found.method.is_static else (f"L{self.found.owner.name};", *own)

    @property
    def result(self) -> str:
        """The descriptor of what it returns; "" for nothing."""
        found = method_types(self.found.method.descriptor)[1]
        return "" if found == "V" else found

    @property
    def words(self) -> tuple[str, ...]:
        """The types in Java."""
        return tuple(map(full_words, self.types))

    @property
    def first(self) -> int:
        """The place of the first argument."""
        return int(not self.found.method.is_static)

    def place(self, pattern: Pattern, name: str) -> int:
        """Which value a name of a pattern means; the result stands behind all arguments."""
        if pattern.result == name:
            return len(self.types)
        return self.first + [each.name for each in pattern.arguments].index(name)

    def told(self, *, is_return: bool) -> list[tuple[int, str]]:
        """Places and names of the whole numbers that events tell of."""
        found = [
            (place, f"argument {place - self.first + 1}")
            for place, type_ in enumerate(self.types)
            if type_ in _WHOLE and place >= self.first
        ]
        return [*found, (len(self.types), RESULT)] if is_return and self.result and self.result in _WHOLE else found


def named(unit: Unit, pattern: Pattern) -> Found:
    """The method that a pattern names. Raises UsageError, which points into the specification."""
    known = [each for each in unit.methods if pattern.function in _spellings(each)]
    if not known:
        raise error(pattern.place, f"{pattern.function} is no method of {unit.source.name}: name one of its own")
    if len(known) > 1:
        names = ", ".join(each.name for each in known)
        raise error(pattern.place, f"{pattern.function} may be {names}: a specification needs a name that one has")
    found = known[0]
    if found.method.name == INIT or found.method.code is None or Access.INTERFACE in found.owner.access:
        raise error(pattern.place, f"{found.name} cannot be watched: name a method of a class that has code")
    types, result = method_types(found.method.descriptor)
    if len(pattern.arguments) > len(types):
        raise error(
            pattern.place, f"{found.name} takes {len(types)} arguments, and this names {len(pattern.arguments)}"
        )
    asks = pattern.result or pattern.relation or (pattern.where is not None and RESULT in pattern.where.words)
    if asks and pattern.moment is Moment.RETURN and result == "V":
        raise error(pattern.place, f"{found.name} returns nothing that can be compared: leave the result out")
    return found


def _spellings(found: Found) -> Sequence[str]:
    """How specifications may call a method: overloaded ones have no name that means one of them."""
    whole = found.name.partition("-")[0]
    parts = whole.split(".")
    return [".".join(parts[start:]) for start in range(len(parts))]
