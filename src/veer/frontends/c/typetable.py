"""The table of C types of a program (model.program.Type), made from debug info.

A pointer's row also says what a fresh object behind it is (its *extent*, runtime/include/veer_harness.h), so two
pointers of one C type may have two rows. Rows are numbered in order of first use; a recursive type gets its number
first.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Struct

from veer.frontends.c.endmembers import Spans, rows_of_ends
from veer.frontends.c.extents import (
    ALWAYS_NULL,
    FUNCTION,
    Extent,
    ObjectBounds,
    several,
    usual_extent,
    why_never,
)
from veer.frontends.c.longs import is_long
from veer.frontends.c.numberrows import COMPLEX, can_be_returned, encoding, keep_whole, of_number, within
from veer.frontends.c.passed import passed
from veer.frontends.c.spelling import COMPOSITES, count, spelling
from veer.frontends.c.unions import union_members
from veer.frontends.c.voids import is_taken, part_of, written_as
from veer.frontends.llvm.debuginfo import NO_NODE, DebugInfo, Node
from veer.model.stubcalls import Passed
from veer.model.types import (
    ANY_POINTER,
    ARGUMENT,
    ARGUMENT_LIST,
    BitField,
    BoundKind,
    ExtentKind,
    Field,
    Type,
    TypeKind,
)
from veer.model.unitfacts import Place, field_place, struct_name
from veer.model.values import replace
from veer.model.variadic import MOST_ARGUMENTS

POINTER_SIZE = 8


class Most(Struct, frozen=True):
    """The largest value of a length, and the bound that decides it; None: nothing of veer's does."""

    number: int
    bound: BoundKind | None = None


@dataclass(slots=True)
class TypeTable:
    """Collects types; `unit` numbers the modules whose debug info they come from."""

    limits: ObjectBounds
    types: list[Type] = field(default_factory=list)
    known: dict[tuple[object, ...], int] = field(default_factory=dict)
    callbacks: int = 0
    spans: Spans = field(default_factory=Spans)
    rows: frozenset[Place] = frozenset()  # of which the code takes other elements than the first

    def __post_init__(self) -> None:
        # Row 0 is void, so that 0 can mean "no type" to the runtime.
        self.types.append(Type(0, TypeKind.OPAQUE, "void", 0, maximum=self.limits.max_length))

    def add(self, debug: DebugInfo, reference: int, unit: int = 0) -> int:
        """The id of a type with its usual extents; -1 for void."""
        reference = debug.unqualified(reference)
        bare = debug.strip(reference)
        if bare == NO_NODE:
            return -1
        node = debug.node(bare)
        # Structs have one row however they are reached; scalars and pointers keep the typedef's name.
        key = (unit, bare if node.tag in COMPOSITES else reference)
        if key in self.known:
            return self.known[key]
        if node.tag == "DW_TAG_pointer_type":
            return self.pointer(debug, reference, usual_extent(debug, node, self.limits), unit, key)
        named = bare if node.tag in COMPOSITES else reference
        placeholder = Type(len(self.types), TypeKind.OPAQUE, spelling(debug, named), node.number("size") // 8)
        self.known[key] = placeholder.id
        self.types.append(placeholder)
        made = self._complete(debug, node, placeholder, unit)
        is_narrow = made.size > self.limits.word and is_long(debug, reference)
        self.types[placeholder.id] = within(made, 8 * self.limits.word) if is_narrow else made
        return placeholder.id

    def pointer(
        self, debug: DebugInfo, reference: int, extent: Extent, unit: int, key: tuple[object, ...] | None = None
    ) -> int:
        """The id of a pointer type whose fresh objects have this extent."""
        key = key or (unit, reference, extent)
        if key in self.known:
            return self.known[key]
        target = debug.node(debug.strip(reference)).reference("baseType")
        row = Type(
            len(self.types),
            TypeKind.POINTER,
            spelling(debug, written_as(debug, reference)),
            POINTER_SIZE,
            POINTER_SIZE,
            extent=extent.kind,
            maximum=extent.maximum,
            length=extent.length,
            const=debug.is_const(target),
            bound=extent.bound,
            is_guess=extent.is_guess,
            is_taken=is_taken(debug, reference),
        )
        self.known[key] = row.id
        self.types.append(row)
        if extent.kind == FUNCTION:
            self.types[row.id] = self._callback(debug, target, row, unit)
            return row.id
        if (part := part_of(debug, reference)) is not None:
            row = self._inner(debug, row, *part, debug.node(debug.strip(target)).number("size") // 8, unit)
        below = self._unmade(debug, target) if extent.kind == ALWAYS_NULL else self._target(debug, target, unit)
        self.types[row.id] = replace(row, target=below)
        return row.id

    def _inner(self, debug: DebugInfo, row: Type, offset: int, declared: int, size: int, unit: int) -> Type:
        """A pointer to a part of a larger object. Behind a header there is as much room again."""
        below = self._target(debug, debug.node(debug.strip(declared)).reference("baseType"), unit)
        made = replace(row, inside=offset, declared=below)
        is_behind = offset > 0 and offset == size
        return replace(made, extent=ExtentKind.FIXED, maximum=2) if is_behind else made

    def row(self, debug: DebugInfo, reference: int, unit: int) -> int:
        """The id of a type, of which a pointer to structs leads to several of them, as one to numbers does."""
        extent = several(debug, reference, self.limits)
        if extent is None:
            return self.add(debug, reference, unit)
        return self.pointer(debug, debug.unqualified(reference), extent, unit)

    def variable(self, debug: DebugInfo, element: int, unit: int) -> int:
        """The id of a pointer to arrays of variable length, with elements of this type: any number of them.

        How many belong together, `m` of `a[n][m]`, is not in the type. Its name goes with every such pointer.
        """
        key = (unit, element, "variable")
        if key not in self.known:
            below = self.add(debug, element, unit)
            row = Type(len(self.types), TypeKind.POINTER, ANY_POINTER, POINTER_SIZE, POINTER_SIZE, below)
            most = max(self.limits.max_array, 1)
            made = replace(row, extent=ExtentKind.COUNT, maximum=most, bound=BoundKind.ARRAY)
            self.types.append(replace(made, const=debug.is_const(element)))
            self.known[key] = row.id
        return self.known[key]

    def _callback(self, debug: DebugInfo, target: int, row: Type, unit: int) -> Type:
        """A pointer to a function: NULL or one stub, if its result can be made."""
        below = self._unmade(debug, target)
        given = debug.node(debug.node(debug.strip(target)).reference("types")).references
        returns = self.add(debug, given[0], unit) if given else -1
        if returns >= 0 and not can_be_returned(self.types[returns]):
            return replace(row, target=below, extent=ALWAYS_NULL)
        self.callbacks += 1
        name, given_to = f"veer_callback_{self.callbacks}", self.passed(debug, debug.strip(target), unit)
        return replace(row, target=below, callback=name, returns=returns, passed=given_to)

    def passed(self, debug: DebugInfo, function: int, unit: int = 0) -> tuple[Passed, ...]:
        """The parameters of a function type, as its stub has them."""

        def made(target: int) -> int:
            node = debug.node(debug.strip(target))
            below = node.reference("baseType") if node.tag == "DW_TAG_pointer_type" else NO_NODE
            if (
                debug.strip(target) == NO_NODE
                or why_never(debug, target)
                or (below != NO_NODE and why_never(debug, below))
            ):
                return -1
            return self.add(debug, target, unit)

        def known(reference: int) -> int:
            return self._byte() if debug.strip(reference) == NO_NODE else made(reference)

        return passed(debug, function, made, known)

    def bounded(self, debug: DebugInfo, reference: int, most: Most, unit: int, minimum: int = 0) -> int:
        """The id of an integer type with values from `minimum` on (a length)."""
        row = self.types[self.add(debug, reference, unit)]
        return self._variant(replace(row, minimum=minimum, maximum=most.number, bound=most.bound))

    def ranged(self, debug: DebugInfo, reference: int, ends: tuple[int, int], unit: int) -> int:
        """The id of an integer or enumeration type with the values from one end to the other, both included."""
        row = self.types[self.add(debug, reference, unit)]
        # The engine's characters have no sign: a range below zero is one of numbers.
        kind = TypeKind.SIGNED if row.kind is TypeKind.CHAR and ends[0] < 0 else row.kind
        return self._variant(replace(row, kind=kind, minimum=ends[0], maximum=ends[1], is_ranged=True))

    def end(self, debug: DebugInfo, reference: int, buffer: str, most: Most, unit: int) -> int:
        """The id of a pointer parameter that is made as a number of elements: of those before it in a buffer."""
        name = spelling(debug, debug.unqualified(reference))
        row = Type(0, TypeKind.UNSIGNED, name, POINTER_SIZE, POINTER_SIZE, extent=ExtentKind.END, length=buffer)
        return self._variant(replace(row, maximum=most.number, bound=most.bound))

    def to_one(self, debug: DebugInfo, reference: int, inner: int, unit: int) -> int:
        """The id of a pointer to one pointer, of that type."""
        row = self.types[self.pointer(debug, reference, Extent(ExtentKind.ONE, 1), unit)]
        return self._variant(replace(row, target=inner))

    def open_file(self, debug: DebugInfo, reference: int, unit: int, *, nullable: bool) -> int:
        """The id of a pointer to a stream, or of a descriptor, of a file whose content is an input."""
        row = self.types[self.add(debug, reference, unit)]
        return self._variant(replace(row, extent=ExtentKind.OPEN, nullable=nullable))

    def assignable(self, identity: int) -> int:
        """The id of the same type without the members that are const: what may be set again of such a variable."""
        row = self.types[identity]
        if row.kind is TypeKind.ARRAY and row.target >= 0:
            below = self.assignable(row.target)
            return identity if below == row.target else self._variant(replace(row, target=below, is_partial=True))
        if row.kind is not TypeKind.STRUCT:
            return identity
        fields = tuple(replace(each, type=self.assignable(each.type)) for each in row.fields if not each.const)
        return identity if fields == row.fields else self._variant(replace(row, fields=fields, is_partial=True))

    def _variant(self, row: Type) -> int:
        """The id of a row that is like another one, but for what was replaced in it."""
        key = ("variant", replace(row, id=0))
        if key not in self.known:
            self.known[key] = len(self.types)
            self.types.append(replace(row, id=len(self.types)))
        return self.known[key]

    def not_null(self, identity: int) -> int:
        """The id of the same pointer type without NULL."""
        key = ("not null", identity)
        if key not in self.known:
            row = replace(self.types[identity], id=len(self.types), nullable=False)
            if row.extent is ExtentKind.FUNCTION:  # each row of such a type defines its own stub
                self.callbacks += 1
                row = replace(row, callback=f"veer_callback_{self.callbacks}")
            self.known[key] = row.id
            self.types.append(row)
        return self.known[key]

    def _unmade(self, debug: DebugInfo, reference: int) -> int:
        """A row for what is behind a pointer that is always NULL: its name is all that anybody needs."""
        name = spelling(debug, reference)
        if ("unmade", name) not in self.known:
            self.known[("unmade", name)] = len(self.types)
            self.types.append(Type(len(self.types), TypeKind.OPAQUE, name, 0))
        return self.known[("unmade", name)]

    def block_pointer(self) -> int:
        """The id of `void *`, a pointer to a block of bytes: what a stub returns."""
        row = Type(
            0,
            TypeKind.POINTER,
            "void *",
            POINTER_SIZE,
            POINTER_SIZE,
            0,
            extent=ExtentKind.FIXED,
            maximum=self.limits.max_length,
        )
        return self.plain(row)

    def plain(self, row: Type) -> int:
        """The id of a type that stands in no debug info; `row.id` is ignored, its name must tell it from others."""
        key = ("plain", row.kind, row.name)
        if key not in self.known:
            self.known[key] = len(self.types)
            self.types.append(replace(row, id=len(self.types)))
        return self.known[key]

    def argument_count(self, most: int, *, grows: bool) -> int:
        """The id of main's argc: a program has a name, and at first up to `most` arguments with it."""
        row = Type(len(self.types), TypeKind.SIGNED, "int", 4, 4, minimum=1, maximum=most)
        self.types.append(replace(row, bound=BoundKind.ARGUMENTS if grows else None))
        return row.id

    def argument_pointer(self, maximum: int, bound: BoundKind, *, nullable: bool = False) -> int:
        """The id of a `char *` to a string of up to `maximum` characters: an argument, or an environment variable.

        Each call gives another one, with characters of its own, for arguments never are aliases of each other.
        """
        character = len(self.types)
        self.types.append(Type(character, TypeKind.CHAR, "char", 1))
        row = Type(
            character + 1, TypeKind.POINTER, "char *", POINTER_SIZE, POINTER_SIZE, character, extent=ExtentKind.STRING
        )
        self.types.append(replace(row, maximum=maximum, nullable=nullable, bound=bound))
        return row.id

    def argument_list(self) -> int:
        """The id of a pointer to the arguments that a va_list leads to; what reads one says which member it is."""
        number = self.plain(Type(0, TypeKind.SIGNED, "long long", 8, 8))
        real = self.plain(Type(0, TypeKind.FLOAT, "double", 8, 8))
        character = self.plain(Type(0, TypeKind.CHAR, "char", 1))
        pointer = Type(0, TypeKind.POINTER, "char *", POINTER_SIZE, POINTER_SIZE, character, extent=ExtentKind.STRING)
        text = self.plain(replace(pointer, maximum=self.limits.max_length, bound=BoundKind.LENGTH))
        members = (Field("number", 0, number), Field("text", 0, text), Field("real", 0, real))
        argument = self.plain(Type(0, TypeKind.UNION, ARGUMENT, 8, 8, count=1, fields=members))
        arguments = replace(pointer, name=ARGUMENT_LIST, target=argument, extent=ExtentKind.FIXED, nullable=False)
        return self.plain(replace(arguments, maximum=MOST_ARGUMENTS))

    def argument_vector(self, debug: DebugInfo, reference: int, extent: Extent, unit: int) -> int:
        """The id of argv's type: as many strings as the length says, none of them NULL, and a NULL behind them."""
        strings = self.types[self.add(debug, debug.node(debug.strip(reference)).reference("baseType"), unit)]
        row = replace(strings, id=len(self.types), nullable=False)
        self.types.append(row)
        vector = Type(len(self.types), TypeKind.POINTER, spelling(debug, reference), POINTER_SIZE, POINTER_SIZE, row.id)
        sized = replace(vector, extent=ExtentKind.LENGTH, maximum=extent.maximum, length=extent.length)
        self.types.append(replace(sized, count=1, nullable=False, bound=extent.bound))
        return vector.id

    def _target(self, debug: DebugInfo, reference: int, unit: int) -> int:
        if debug.strip(reference) != NO_NODE:
            return self.add(debug, reference, unit)
        return 0

    def _complete(self, debug: DebugInfo, node: Node, row: Type, unit: int) -> Type:
        if node.kind == "DIBasicType":
            return self._complex(row) if encoding(node) == COMPLEX else of_number(node, row)
        if node.tag == "DW_TAG_enumeration_type":
            below = encoding(debug.node(debug.strip(node.reference("baseType"))))
            kind = TypeKind.SIGNED if below.startswith("DW_ATE_signed") else TypeKind.UNSIGNED
            members = [debug.node(number) for number in debug.node(node.reference("elements")).references]
            names = tuple((member.text("name"), member.number("value")) for member in members)
            return replace(row, kind=kind, alignment=max(row.size, 1), enumerators=names)
        if node.tag == "DW_TAG_array_type":
            return self._array(debug, node, row, unit)
        if node.tag in COMPOSITES and "DIFlagFwdDecl" not in node.text("flags"):
            return self._members(debug, node, row, unit)
        return replace(row, maximum=self.limits.max_length)

    def _complex(self, row: Type) -> Type:
        """Two numbers side by side."""
        half = row.size // 2
        part = Type(len(self.types), TypeKind.FLOAT, {4: "float", 8: "double"}.get(half, "long double"), half, half)
        self.types.append(part)
        return replace(row, kind=TypeKind.ARRAY, target=part.id, count=2, alignment=half)

    def _array(self, debug: DebugInfo, node: Node, row: Type, unit: int) -> Type:
        element = self.add(debug, node.reference("baseType"), unit)
        counts = [count(debug, number) for number in debug.node(node.reference("elements")).references] or [0]
        name = spelling(debug, node.reference("baseType"))
        # int a[2][3] is one node with two subranges: build the inner arrays first.
        for position in range(len(counts) - 1, 0, -1):
            inner = self.types[element]
            text = name + "".join(f"[{count}]" for count in counts[position:])
            element = len(self.types)
            size = inner.size * counts[position]
            self.types.append(Type(element, TypeKind.ARRAY, text, size, inner.alignment, inner.id, counts[position]))
        below = self.types[element]
        return replace(row, kind=TypeKind.ARRAY, target=element, count=counts[0], alignment=below.alignment)

    def _members(self, debug: DebugInfo, node: Node, row: Type, unit: int) -> Type:
        kind = TypeKind(COMPOSITES[node.tag])
        fields: list[Field] = []
        in_bits: dict[int, bool] = {}  # bytes, and whether they stay as they are where an object is const in part
        together: list[range] = []  # the bytes of each bit-field
        bits: list[BitField] = []
        alignment = 1
        for number in debug.node(node.reference("elements")).references:
            member = debug.node(number)
            if member.tag != "DW_TAG_member":
                continue
            offset, declared = member.number("offset"), member.reference("baseType")
            const = debug.is_const(declared)
            if "DIFlagBitField" in member.text("flags"):
                held = range(offset // 8, (offset + member.number("size") + 7) // 8)
                in_bits |= {byte: const or in_bits.get(byte, False) for byte in held}
                together.append(held)
                alignment = max(alignment, debug.node(debug.strip(declared)).number("size") // 8)
                if name := member.text("name"):
                    row_of_bits = self.add(debug, declared, unit)
                    bits.append(BitField(name, offset, member.number("size"), row_of_bits, const))
                continue
            made_by = self.row if field_place(struct_name(row.name), offset // 8) in self.rows else self.add
            fields.append(Field(member.text("name"), offset // 8, made_by(debug, declared, unit), const))
        keep_whole(in_bits, together)
        # Bit-fields are made as the bytes that hold them: all values of those bytes are all values of the bit-fields.
        fields += [Field("", byte, self._byte(), const) for byte, const in in_bits.items()]
        fields.sort(key=lambda each: each.offset)
        alignment = max([alignment, *(self.types[each.type].alignment for each in fields)])
        made = 0
        if kind is TypeKind.UNION:
            bits = []
            fields, made = union_members(self.types, fields, self._byte)
        elif self.spans.pairs:
            fields = self._with_ends(row.name, fields)
        if row.size % alignment or any(each.offset % self.types[each.type].alignment for each in fields):
            alignment = 1
        return replace(row, kind=kind, fields=tuple(fields), count=made, alignment=alignment, bits=tuple(bits))

    def _with_ends(self, struct: str, fields: list[Field]) -> list[Field]:
        """The members, of which some lead to the end of what others lead to, or into it."""
        rows = rows_of_ends(struct_name(struct), fields, self.types, self.spans, self.limits)
        return [replace(each, type=self._variant(rows[at])) if at in rows else each for at, each in enumerate(fields)]

    def _byte(self) -> int:
        if ("byte",) not in self.known:
            self.known[("byte",)] = len(self.types)
            self.types.append(Type(len(self.types), TypeKind.UNSIGNED, "unsigned char", 1))
        return self.known[("byte",)]
