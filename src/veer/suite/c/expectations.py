"""What a test expects after the call: values at places of the C program, whatever framework states it.

    int result = f(...);       Expectation(SIGNED, "result", "-1", 32)
    p->next                    Expectation(SAME, "p->next", "cell_2")

A dialect turns each into a statement of its framework; the plain suite's own is here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from msgspec import Struct

from veer.model.bitfields import Bits, bit_fields
from veer.model.inputs import Scalar
from veer.model.literal import Leaf, integer, scalar, string
from veer.model.program import Program
from veer.model.types import Type, TypeKind
from veer.suite.c.layout import assignable


class Kind(StrEnum):
    """How a place is compared. Floats are compared by their bits, any NaN being as good as another."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"
    FLOAT = "float"
    DOUBLE = "double"
    NULL = "null"
    NOT_NULL = "not null"
    SAME = "same"  # the same address
    BYTES = "bytes"
    TEXT = "text"
    BLOCK = "block"  # a pointer to something that the test looks at: it ends where there is none
    FREED = "freed"  # the unit has freed the object of the test


class Expectation(Struct, frozen=True):
    """`place`: a C expression; `value`: what it must be, as C source; `width`: bits, of BYTES how many bytes;
    `what`: how messages call the place, if not as C does; `is_behind`: it looks at what a pointer leads to of which a
    BLOCK ahead of it says that it is there."""

    kind: Kind
    place: str
    value: str
    width: int = 0
    what: str = ""
    is_behind: bool = False

    @property
    def words(self) -> str:
        """The place in messages, as a literal."""
        return string((self.what or self.place).encode())


Dialect = Callable[[Expectation], str]
"""How a framework states an expectation: one C statement."""


def plain(expectation: Expectation) -> str:
    """The statement for the support code of the plain suite (templates/expect.c)."""
    place, value = expectation.place, expectation.value
    what = expectation.words
    match expectation.kind:
        case Kind.SIGNED:
            return f"veer_expect_signed({what}, {place}, {value});"
        case Kind.UNSIGNED:
            return f"veer_expect_unsigned({what}, (unsigned long long){place}, {value});"
        case Kind.FLOAT | Kind.DOUBLE:
            return f"veer_expect_double({what}, {place}, {value});"
        case Kind.NULL | Kind.NOT_NULL:
            is_null = int(expectation.kind is Kind.NULL)
            return f"veer_expect_null({what}, (const void *){place}, {is_null});"
        case Kind.SAME:
            return f"veer_expect_same({what}, (const void *){place}, {value}, {string(value.encode())});"
        case Kind.BYTES:
            return f"veer_expect_bytes({what}, {place}, {value}, {expectation.width});"
        case Kind.TEXT:
            return f"veer_expect_text({what}, {place}, {value});"
        case Kind.BLOCK:
            return f"veer_expect_block({what}, {place});"
        case Kind.FREED:
            return f"veer_expect_freed({what}, {place});"


Behind = Callable[[str, Leaf], Sequence[Expectation]]
"""What is expected of a pointer at a place, and behind it; nothing: whether it is NULL."""


def _nothing(place: str, leaf: Leaf) -> Sequence[Expectation]:
    return ()


def expected_result(
    program: Program, type_: Type, returned: bytes, variable: str = "result", behind: Behind = _nothing
) -> tuple[Expectation, ...]:
    """`variable` is what the entry returned, leaf by leaf; of pointers what `behind` says, or whether they are NULL.

    Unions are left out: the bytes that the entry did not write may be anything in another build.
    """
    found: list[Expectation] = []
    for leaf in assignable(program, type_, 1):
        place = f"{variable}{leaf.path}"
        if leaf.type.kind == TypeKind.POINTER and (more := behind(place, leaf)):
            found += more
        elif not leaf.in_union and (value := expected_value(place, leaf.type, returned[leaf.offset :])):
            found.append(value)
    return (
        *found,
        *(expected_bits(variable + bits.path, bits, returned) for bits in bit_fields(program.types, type_, 1)),
    )


def expected_bits(place: str, bits: Bits, data: bytes) -> Expectation:
    """The expectation that a bit-field holds what it holds in these bytes of the whole."""
    is_signed = bits.type.kind in (TypeKind.SIGNED, TypeKind.CHAR)
    value = integer(bits.value(data), 8 * bits.type.size, is_signed=is_signed)
    named = next((name for name, number in bits.type.enumerators if number == bits.value(data)), value)
    return Expectation(Kind.SIGNED if is_signed else Kind.UNSIGNED, place, named, 8 * bits.type.size)


def expected_value(place: str, type_: Type, raw: bytes) -> Expectation | None:
    """The expectation that the first bytes of `raw` are at the place; None for what cannot be compared exactly."""
    raw = raw[: type_.size]
    if len(raw) < type_.size:
        return None
    if type_.kind == TypeKind.POINTER:
        return Expectation(Kind.NOT_NULL if any(raw) else Kind.NULL, place, "")
    width = 8 * type_.size
    value = Scalar(int.from_bytes(raw, "little"), width, type_.kind)
    if type_.kind == TypeKind.FLOAT:
        kind = {32: Kind.FLOAT, 64: Kind.DOUBLE}.get(width)
    elif type_.kind in (TypeKind.SIGNED, TypeKind.CHAR):
        kind = Kind.SIGNED
    else:
        kind = Kind.UNSIGNED if type_.kind in (TypeKind.UNSIGNED, TypeKind.BOOL) else None
    if kind is None or width > 64:
        return None
    return Expectation(kind, place, scalar(value, type_), width)
