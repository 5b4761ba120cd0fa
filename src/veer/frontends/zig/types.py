"""Zig's types → the types of inputs and results (veer.model.types).

A value is made in place, so that its layout is what counts:

    u3                  one byte, 0 to 7
    ?u8                 a struct of the payload and a byte that says whether there is one
    ?*T, *T             a pointer that may be null, and one that may not
    E!T                 a struct of the payload and the number of the error, 0 = none (results alone)
    []T                 two inputs, NAME.ptr and NAME.len, at their places in the slice
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from veer.frontends.llvm.harness import Part
from veer.frontends.zig.described import NONE, ZigType
from veer.model.errors import UnsupportedInputError
from veer.model.types import BoundKind, ExtentKind, Field, Type, TypeKind
from veer.model.values import replace

PAYLOAD, IS_SOME, ERROR = "payload", "is_some", "error"
"""The members of optionals and error unions."""
POINTER, LENGTH = "ptr", "len"
"""The members of slices."""
_WORD = 8
_ERROR_SIZE = 2
_WHOLE = (8, 16, 32, 64)
_FLOATS = ("32", "64")


class TypeTable(Struct):
    """Types of inputs by id, made from the compiler's description when they are asked for."""

    described: Sequence[ZigType]
    max_length: int
    max_array: int
    types: list[Type] = field(default_factory=list)
    known: dict[object, int] = field(default_factory=dict)

    def parts(self, number: int, name: str, offset: int = 0) -> Iterator[Part]:
        """The inputs of which a value of this type is made. Raises UnsupportedInputError.

        A value without slices is one; of one with slices each slice is two, and each other member one.
        """
        given = self._given(number)
        if given.kind == "slice" or self._is_optional_slice(given):
            yield from self._slice(given, name, offset)
        elif given.kind == "struct" and self._has_slices(number):
            for member, child, place in members(given):
                yield from self.parts(child, f"{name}.{member}", offset + place)
        elif given.kind == "array" and self._has_slices(number):
            size = self._given(given.child()).size
            for index in range(int(given.more[1])):
                yield from self.parts(given.child(), f"{name}[{index}]", offset + index * size)
        else:
            yield Part(name, offset, self.input(number))

    def input(self, number: int) -> int:
        """The id of the type of inputs in which no slices are. Raises UnsupportedInputError."""
        return self._add(number, is_result=False)

    def result(self, number: int) -> int:
        """The id of the type of a result, which may hold errors and slices. Raises UnsupportedInputError."""
        return self._add(number, is_result=True)

    def _given(self, number: int) -> ZigType:
        if number == NONE:
            raise UnsupportedInputError("it holds more types than veer looks at")
        return self.described[number]

    def _add(self, number: int, *, is_result: bool) -> int:
        key = (number, is_result)
        if key not in self.known:
            given = self._given(number)
            # Its id is known before its members are, which may lead back to it.
            identity = self.known[key] = len(self.types)
            self.types.append(Type(identity, TypeKind.OPAQUE, given.name, given.size, given.alignment))
            try:
                self.types[identity] = self._made(given, self.types[identity], is_result=is_result)
            except UnsupportedInputError:
                del self.known[key]
                raise
        return self.known[key]

    def _made(self, given: ZigType, row: Type, *, is_result: bool) -> Type:
        """The row of a type that is not known yet."""
        if given.kind == "bool":
            return replace(row, kind=TypeKind.BOOL)
        if given.kind == "int":
            return _integer(given, row)
        if given.kind == "float" and given.more[0] in _FLOATS:
            return replace(row, kind=TypeKind.FLOAT)
        if given.kind == "enum":
            return self._enum(given, row)
        if given.kind == "struct" and given.size:
            return self._members(given, row, is_result=is_result)
        if given.kind == "array" and given.more[2] == "-" and given.size:
            element = self._add(given.child(), is_result=is_result)
            return replace(row, kind=TypeKind.ARRAY, target=element, count=int(given.more[1]))
        if given.kind == "optional":
            return self._optional(given, row, is_result=is_result)
        if given.kind in ("one", "many"):
            return self._pointer(given, row)
        if is_result and given.kind in ("slice", "error_union", "error_set"):
            return self._of_results(given, row)
        raise UnsupportedInputError(_why_not(given))

    def _enum(self, given: ZigType, row: Type) -> Type:
        tag, is_exhaustive, *rest = given.more
        made = _integer(self._given(int(tag)), row)
        names = tuple((name, int(value)) for name, value in zip(rest[::2], rest[1::2], strict=True))
        values = sorted(value for _, value in names)
        if not given.size:
            raise UnsupportedInputError(f"{given.name} has one value")
        if is_exhaustive == "1":
            if values != list(range(values[0], values[-1] + 1)):
                raise UnsupportedInputError(f"the values of {given.name} have gaps")
            made = replace(made, minimum=values[0], maximum=values[-1], is_ranged=True)
        return replace(made, enumerators=names)

    def _members(self, given: ZigType, row: Type, *, is_result: bool) -> Type:
        fields = [
            Field(name, offset, self._add(child, is_result=is_result))
            for name, child, offset in members(given)
            if self._given(child).size
        ]
        fields.sort(key=lambda each: each.offset)
        return replace(row, kind=TypeKind.STRUCT, fields=tuple(fields))

    def _optional(self, given: ZigType, row: Type, *, is_result: bool) -> Type:
        child = self._given(given.child())
        if child.kind in ("one", "many"):
            return replace(self._pointer(child, row), nullable=True)
        if child.kind == "slice" and is_result:
            below = self._of_results(child, row)
            pointer, length = below.fields
            nullable = replace(self.types[pointer.type], nullable=True)
            return replace(below, fields=(replace(pointer, type=self._new(nullable)), length))
        if child.kind in ("error_set", "slice") or not child.size:
            raise UnsupportedInputError(_why_not(given))
        payload = self._add(child.number, is_result=is_result)
        fields = (Field(PAYLOAD, 0, payload), Field(IS_SOME, child.size, self._plain("bool", TypeKind.BOOL, 1)))
        return replace(row, kind=TypeKind.STRUCT, fields=fields)

    def _pointer(self, given: ZigType, row: Type) -> Type:
        """A pointer to one value, or to bytes that end with a 0."""
        child = self._given(given.child())
        is_const, ending = given.more[1] == "1", given.more[2]
        made = replace(row, kind=TypeKind.POINTER, nullable=False, const=is_const)
        if given.kind == "many":
            if ending != "0" or child.kind != "int" or child.size != 1:
                raise UnsupportedInputError(f"{given.name} does not say how many elements there are")
            below = self._plain("u8", TypeKind.CHAR, 1)
            return replace(
                made, target=below, extent=ExtentKind.STRING, maximum=self.max_length, bound=BoundKind.LENGTH
            )
        if not child.size:
            raise UnsupportedInputError(_why_not(given))
        return replace(made, target=self._add(child.number, is_result=False), extent=ExtentKind.ONE, maximum=1)

    def _of_results(self, given: ZigType, row: Type) -> Type:
        if given.kind == "error_set":
            return self._error(given, row)
        if given.kind == "slice":
            below = replace(self._pointed(given), extent=ExtentKind.ONE)
            fields = (Field(POINTER, 0, self._new(below)), Field(LENGTH, _WORD, self._usize()))
            return replace(row, kind=TypeKind.STRUCT, fields=fields)
        payload, errors = self._given(given.child(0)), self._given(given.child(1))
        # The payload comes first where it is aligned as well as the number of an error.
        is_first = payload.alignment >= _ERROR_SIZE or not payload.size
        error_at = _aligned(payload.size, _ERROR_SIZE) if is_first else 0
        payload_at = 0 if is_first else _aligned(_ERROR_SIZE, payload.alignment)
        error_row = Type(0, TypeKind.UNSIGNED, errors.name, _ERROR_SIZE, _ERROR_SIZE)
        both = [Field(ERROR, error_at, self._new(self._error(errors, error_row)))]
        if payload.size:
            both.append(Field(PAYLOAD, payload_at, self._add(payload.number, is_result=True)))
        return replace(row, kind=TypeKind.STRUCT, fields=tuple(sorted(both, key=lambda each: each.offset)))

    def _error(self, given: ZigType, row: Type) -> Type:
        names = [text for text in given.more if text]
        errors = tuple((name, int(value)) for name, value in zip(names[::2], names[1::2], strict=True))
        return replace(row, kind=TypeKind.UNSIGNED, enumerators=errors)

    def _slice(self, given: ZigType, name: str, offset: int) -> Iterator[Part]:
        """The pointer and the length, of which the one counts the elements behind the other."""
        is_optional = given.kind == "optional"
        slice_type = self._given(given.child()) if is_optional else given
        if slice_type.more[2] == "other":
            raise UnsupportedInputError(f"{slice_type.name} ends with something else than 0")
        pointer = replace(
            self._pointed(slice_type),
            name=given.name,
            nullable=is_optional,
            length=f"{name}.{LENGTH}",
            count=int(slice_type.more[2] == "0"),
        )
        length = replace(
            self.types[self._usize()], minimum=0, maximum=pointer.maximum, is_ranged=True, bound=pointer.bound
        )
        yield Part(f"{name}.{POINTER}", offset, self._new(pointer))
        yield Part(f"{name}.{LENGTH}", offset + _WORD, self._new(length))

    def _pointed(self, given: ZigType) -> Type:
        """The pointer of a slice."""
        child = self._given(given.child())
        if not child.size:
            raise UnsupportedInputError(_why_not(given))
        bound = BoundKind.LENGTH if child.kind == "int" and child.size == 1 else BoundKind.ARRAY
        return Type(
            *(0, TypeKind.POINTER, given.name, _WORD, _WORD, self._add(child.number, is_result=False)),
            extent=ExtentKind.LENGTH,
            maximum=self.max_length if bound is BoundKind.LENGTH else self.max_array,
            bound=bound,
            nullable=False,
            const=given.more[1] == "1",
        )

    def _is_optional_slice(self, given: ZigType) -> bool:
        return given.kind == "optional" and self._given(given.child()).kind == "slice"

    def _has_slices(self, number: int) -> bool:
        """Whether a slice lies in values of this type, not behind pointers."""
        given = self._given(number)
        if given.kind == "slice" or self._is_optional_slice(given):
            return True
        if given.kind == "struct":
            return any(self._has_slices(child) for _, child, _ in members(given))
        return given.kind == "array" and self._has_slices(given.child())

    def _usize(self) -> int:
        return self._plain("usize", TypeKind.UNSIGNED, _WORD)

    def _plain(self, name: str, kind: TypeKind, size: int) -> int:
        key = ("plain", name, kind)
        if key not in self.known:
            self.known[key] = self._new(Type(0, kind, name, size, size))
        return self.known[key]

    def _new(self, row: Type) -> int:
        self.types.append(replace(row, id=len(self.types)))
        return len(self.types) - 1


def members(given: ZigType) -> Iterator[tuple[str, int, int]]:
    """The members of a struct: name, number of the type, byte offset."""
    rest = given.more[1:]
    for name, child, offset in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        yield name, NONE if child == "-" else int(child), int(offset)


def _integer(given: ZigType, row: Type) -> Type:
    signedness, bits = given.more[0], int(given.more[1])
    if not 0 < bits <= 64:
        raise UnsupportedInputError(f"{given.name} has {bits} bits: integers of 1 to 64 bits can be made")
    is_signed = signedness == "signed"
    made = replace(row, kind=TypeKind.SIGNED if is_signed else TypeKind.UNSIGNED)
    if bits in _WHOLE:
        return made
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    return replace(made, minimum=least, maximum=most, is_ranged=True)


def _aligned(place: int, alignment: int) -> int:
    return -(-place // alignment) * alignment


def _why_not(given: ZigType) -> str:
    if given.kind == "slice":
        return f"{given.name} is a slice behind a pointer or in an optional, whose length veer cannot make"
    return f"veer makes no values of the type {given.name}"
