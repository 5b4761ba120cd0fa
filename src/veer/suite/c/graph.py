"""An input map as C statements: heap blocks of exact size with readable names, their fields and links, the arguments.

    struct cell *p = veer_block(sizeof(struct cell));
    p->v = 3;
    p->next = p; /* itself */
    int x = 1;

All blocks are made first, then linked, so that cycles need no special case. What does not map to a member that C can
assign (a union's other members, const bit-fields) is written as bytes at its offset;
const members are set through a cast.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from veer.model.bitfields import bit_fields
from veer.model.describe import object_names, type_at
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.literal import Leaf, all_offered, flexible, image, little_endian, scalar, string
from veer.model.program import Program
from veer.model.types import ANY_POINTER, SCALAR_KINDS, ExtentKind, Type, TypeKind
from veer.suite.c.declarators import Names, declare, declare_pointer, element_name, is_nameable, unqualified
from veer.suite.c.expectations import expected_bits
from veer.suite.c.layout import assignable, place
from veer.suite.c.links import Links
from veer.suite.c.rows import Row, rows

_MOST_WRITTEN = 64  # zeros of longer aggregates are left out: blocks start as zeros


class Setup(Struct):
    """Statements that make the inputs, and the expression for each root."""

    lines: list[str] = field(default_factory=list)
    arguments: dict[str, str] = field(default_factory=dict)
    unwritable: str = ""  # why this input cannot be written in C, or empty


class GraphWriter:
    """Writes the statements of one test."""

    def __init__(self, program: Program, inputs: InputMap, parameters: tuple[str, ...], names: Names) -> None:
        self._program = program
        self._inputs = inputs
        self._parameters = parameters
        self._names = names
        self._links: list[str] = []
        self._kinds = Links(inputs)
        self._setup = Setup()
        self._objects = {item.number: item for item in inputs.objects}
        self._owner = self._owners()
        self._variables: dict[int, str] = {}

    def write(self) -> Setup:
        """The statements: blocks, then roots, then links."""
        readable = object_names(self._program, self._inputs)
        for item in self._inputs.objects:
            wanted = self._owner.get(item.number, readable[item.number])
            self._variables[item.number] = self._names.free(wanted)
        for item in self._inputs.objects:
            self._object(item)
        for root in self._inputs.roots:
            if root.name in self._parameters and root.occurrence == 0:
                self._parameter(root)
        self._setup.lines += self._links
        return self._setup

    def globals(self, roots: tuple[Root, ...]) -> list[str]:
        """Assignments to global variables; to be called after `write`."""
        self._links = []
        lines: list[str] = []
        for root in roots:
            type_ = type_at(self._program, root.type)
            lines += self._assign(root.name, type_, 1, root.cells, is_block=False)
        return lines + self._links

    def initialised(self) -> list[str]:
        """Calls of the user's initialisers, the object that was reached last first: another's may look at it."""
        lines: list[str] = []
        for item in reversed(self._inputs.objects):
            type_ = type_at(self._program, item.type)
            if type_ is None or not type_.initialiser:
                continue
            name = self._variables[item.number]
            places = [name] if item.count == 1 else [f"&{name}[{index}]" for index in range(item.count)]
            lines += [f"{type_.initialiser}({place});" for place in places]
        return lines

    def variable(self, target: int) -> str:
        """The variable of an object; to be called after `write`."""
        return self._variables[target]

    def _owners(self) -> dict[int, str]:
        """Objects that take the name of the parameter that points to them."""
        owners: dict[int, str] = {}
        for root in self._inputs.roots:
            if root.name not in self._parameters or root.occurrence or len(root.cells) != 1:
                continue
            value = root.cells[0].value
            if isinstance(value, Pointer) and value.target in self._objects:
                owners.setdefault(value.target, root.name)
        return owners

    def _object(self, item: MemoryObject) -> None:
        type_ = type_at(self._program, item.type)
        name, element = self._variables[item.number], element_name(type_)
        lines = self._setup.lines
        pointer = f"void *{name}" if type_ is None else declare_pointer(self._program.types, type_, name)
        if type_ is None or element == "void" or item.size == 0:
            lines.append(f"{pointer} = {_copy(image(item.cells, item.size))};")
            self._poke_pointers(name, item.cells)
        elif (
            type_.size == 1
            and type_.kind != TypeKind.BOOL
            and all(isinstance(cell.value, Scalar) for cell in item.cells)
        ):
            data = image(item.cells, item.size)
            is_string = type_.kind == TypeKind.CHAR and data.find(b"\0") == len(data) - 1
            made = f"veer_string({string(data[:-1])})" if is_string else _copy(data)
            lines.append(f"{pointer} = {made};")
        elif type_.kind in SCALAR_KINDS and 1 < item.count == len(item.cells) <= _MOST_WRITTEN:
            shown = ", ".join(scalar(c.value, type_) for c in item.cells if isinstance(c.value, Scalar))
            lines.append(f"{pointer} = veer_copy(({element}[]){{{shown}}}, {item.count} * sizeof({element}));")
        else:
            lines.append(f"{pointer} = veer_block({self._size(item, type_, element)});")
            lines += self._assign(name, type_, item.count, item.cells, is_block=True, size=item.size, owner=item.number)

    def _size(self, item: MemoryObject, type_: Type, element: str) -> str:
        """An object's size in words of C; behind a struct there may be elements of its flexible array."""
        member = flexible(self._program.types, type_)
        if item.count == 1 and member is not None and item.size > type_.size:
            elements = self._program.types[self._program.types[member.type].target].size
            return f"__builtin_offsetof({element}, {member.name}[{(item.size - member.offset) // elements}])"
        return f"sizeof({element})" if item.count == 1 else f"{item.count} * sizeof({element})"

    def _parameter(self, root: Root) -> None:
        type_ = type_at(self._program, root.type)
        if type_ is None:
            self._setup.unwritable = f"the type of {root.name} is unknown"
            return
        if type_.kind == TypeKind.POINTER:
            self._pointer_parameter(root, type_)
            return
        if type_.kind in (TypeKind.STRUCT, TypeKind.UNION) and not is_nameable(type_):
            self._setup.unwritable = f"the type of {root.name} has no name in C"
            return
        if type_.extent is ExtentKind.END:  # a number of elements: what it is counted from stands at the call
            value = root.cells[0].value if root.cells else None
            self._setup.arguments[root.name] = str(value.number) if isinstance(value, Scalar) else "0"
            return
        name = self._names.free(root.name)
        self._setup.arguments[root.name] = name
        declaration = declare(self._program.types, type_, name)
        if type_.kind in SCALAR_KINDS:
            value = root.cells[0].value if root.cells else None
            text = scalar(value, type_) if isinstance(value, Scalar) else "0"
            self._setup.lines.append(f"{declaration} = {text};")
        else:
            self._aggregate(declaration, name, type_, root.cells)

    def _pointer_parameter(self, root: Root, type_: Type) -> None:
        value = root.cells[0].value if root.cells else Pointer(None)
        target = value.target if isinstance(value, Pointer) else None
        if target in self._objects:
            assert isinstance(value, Pointer)
            self._setup.arguments[root.name] = self._led(value, type_)
            return
        name = self._names.free(root.name)
        if isinstance(value, Pointer) and value.function:
            self._setup.lines.append(f"{declare(self._program.types, type_, name)} = (void *){value.function};")
            self._setup.arguments[root.name] = name
            return
        undecided = isinstance(value, Pointer) and not value.decided and type_.extent != ExtentKind.NULL
        note = " /* never looked at */" if undecided else ""
        self._setup.lines.append(f"{declare(self._program.types, type_, name)} = NULL;{note}")
        self._setup.arguments[root.name] = name

    def _led(self, value: Pointer, type_: Type) -> str:
        """Where a pointer leads: an object's variable, or a part of the object."""
        assert value.target is not None
        if not value.part:
            return self._reference(value.target, type_)
        name, is_single = self._variables[value.target], self._objects[value.target].count == 1
        if not is_single:
            return f"(void *)&{name}{value.part}" if value.part.startswith("[") else f"(void *)&{name}[0]{value.part}"
        return f"&{place(name, value.part, is_block=True, is_single=True)}"

    def _reference(self, target: int, type_: Type) -> str:
        """An object's variable where a pointer of `type_` is wanted, with a cast where C would want one."""
        name = self._variables[target]
        if type_.name == ANY_POINTER and type_.target > 0:  # arrays of variable length, whose type no file scope has
            return f"({ANY_POINTER}){name}"
        if type_.target == self._objects[target].type:
            return name
        element = element_name(type_at(self._program, self._objects[target].type))
        wanted = unqualified(type_.name).removesuffix("*").strip()
        plain = wanted in (element, f"const {element}", f"{element} const", "void", "const void") or element == "void"
        return name if plain else f"(void *){name}"

    def _aggregate(self, declaration: str, name: str, type_: Type, cells: tuple[Cell, ...]) -> None:
        """A struct or union by value: designated initialisers, then what they cannot express."""
        by_offset = {cell.offset: cell for cell in cells}
        shown: list[str] = []
        for leaf in assignable(self._program, type_, 1):
            cell = by_offset.get(leaf.offset)
            if cell is not None and _fits(cell, leaf):
                del by_offset[leaf.offset]
                text = self._value(cell.value, leaf.type)
                if text != "0" or len(cells) <= _MOST_WRITTEN:
                    shown.append(f"{leaf.path} = {text}")
        self._setup.lines.append(f"{declaration} = {{{', '.join(shown) or '0'}}};")
        self._setup.lines += self._bit_fields(name, type_, 1, by_offset, is_block=False)
        self._setup.lines += self._poke(f"&{name}", by_offset)

    def _assign(
        self,
        name: str,
        type_: Type | None,
        count: int,
        cells: tuple[Cell, ...],
        *,
        is_block: bool,
        size: int = 0,
        owner: int = 0,
    ) -> list[str]:
        """Assignments to the leaves of a block (the object `owner`) or a variable; pointers go to the links."""
        by_offset = {cell.offset: cell for cell in cells}
        lines: list[str] = []
        found = assignable(self._program, type_, count, size) if type_ is not None else []
        for row in rows(found):
            target = place(name, row.path, is_block=is_block, is_single=count == 1)
            lines += self._row(target, row, by_offset, is_block=is_block)
        for leaf in found:
            cell = by_offset.get(leaf.offset)
            if cell is None or not _fits(cell, leaf):
                continue
            del by_offset[leaf.offset]
            target = _writable(place(name, leaf.path, is_block=is_block, is_single=count == 1), leaf)
            text = self._value(cell.value, leaf.type)
            if isinstance(cell.value, Pointer):
                if cell.value.function:
                    lines.append(f"{target} = {text};")
                elif cell.value.target is not None:
                    self._links.append(f"{target} = {text};{self._kinds.note(owner, cell.value)}")
                elif cell.value.decided or not is_block:
                    lines.append(f"{target} = NULL;")
            elif text != "0" or len(cells) <= _MOST_WRITTEN or not is_block:
                lines.append(f"{target} = {text};")
        if type_ is not None and is_block and count == 1:
            self._members(name, type_, by_offset, owner)
        if type_ is not None:
            lines += self._bit_fields(name, type_, count, by_offset, is_block=is_block)
        return lines + self._poke(name if is_block else f"&{name}", by_offset)

    def _row(self, target: str, row: Row, cells: dict[int, Cell], *, is_block: bool) -> list[str]:
        """An array as one statement, none for zeros in a block; its elements are taken from `cells`."""
        elements = [cells.get(leaf.offset) for leaf in row.leaves]
        numbers = [
            scalar(cell.value, leaf.type)
            for cell, leaf in zip(elements, row.leaves, strict=True)
            if cell is not None and isinstance(cell.value, Scalar) and _fits(cell, leaf)
        ]
        if len(numbers) < len(row.leaves):
            return []
        for leaf in row.leaves:
            del cells[leaf.offset]
        is_zero = all(number == "0" for number in numbers)
        return [] if is_block and is_zero else [f"veer_set({target}, {', '.join(numbers)});"]

    def _members(self, name: str, type_: Type, cells: dict[int, Cell], owner: int) -> None:
        """Links from unions that hold a pointer where their first member is none; those are taken from `cells`."""
        for _, leaf in all_offered(self._program.types, type_):
            value = cells[leaf.offset].value if leaf.offset in cells else None
            if isinstance(value, Pointer) and cells[leaf.offset].path == leaf.path:
                del cells[leaf.offset]
                note = self._kinds.note(owner, value) if value.target is not None else ""
                if value.function or value.target is not None:
                    where = _writable(place(name, leaf.path, is_block=True, is_single=True), leaf)
                    self._links.append(f"{where} = {self._value(value, leaf.type)};{note}")

    def _bit_fields(self, name: str, type_: Type, count: int, cells: dict[int, Cell], *, is_block: bool) -> list[str]:
        """Assignments to bit-fields; the bytes that they make up whole are taken from `cells`."""
        data = image(tuple(cells.values()), count * type_.size)
        rest = int.from_bytes(data, "little")
        found = [
            bits
            for bits in bit_fields(self._program.types, type_, count)
            if all(byte in cells for byte in bits.held_by) and not bits.const
        ]
        lines = []
        for bits in found:
            rest &= ~(bits.mask << bits.position)
            expected = expected_bits(place(name, bits.path, is_block=is_block, is_single=count == 1), bits, data)
            if bits.value(data) or not is_block:
                lines.append(f"{expected.place} = {expected.value};")
        for byte in {byte for bits in found for byte in bits.held_by}:
            if not rest >> 8 * byte & 0xFF:
                del cells[byte]
        return lines

    def _value(self, value: Scalar | Pointer, type_: Type) -> str:
        if isinstance(value, Scalar):
            return scalar(value, type_)
        if value.function:
            return f"(void *){value.function}"
        if value.target not in self._objects:
            return "NULL"
        return self._into(self._led(value, type_), value, type_)

    def _into(self, reference: str, value: Pointer, type_: Type) -> str:
        """A pointer so many elements into the object."""
        if not value.into:
            return reference
        number = value.into // max(self._program.types[type_.target].size, 1)
        is_plain = reference.isidentifier() and element_name(type_at(self._program, type_.target)) != "void"
        return f"{reference} + {number}" if is_plain else f"(void *)((char *){reference} + {value.into})"

    def _poke(self, address: str, cells: Mapping[int, Cell]) -> list[str]:
        """Bytes at offsets, for what has no name that can be assigned."""
        lines = []
        for offset, cell in sorted(cells.items()):
            if isinstance(cell.value, Scalar):
                raw = little_endian(cell.value)
                if any(raw):
                    lines.append(f"__builtin_memcpy((char *){address} + {offset}, {string(raw)}, {len(raw)});")
        self._poke_pointers(address, tuple(cells.values()))
        return lines

    def _poke_pointers(self, address: str, cells: tuple[Cell, ...]) -> None:
        for cell in cells:
            if not isinstance(cell.value, Pointer):
                continue
            name = f"(void *){cell.value.function}" if cell.value.function else ""
            if cell.value.target in self._objects:
                name = self._variables[cell.value.target]
                if cell.value.part:
                    name = f"(char *){name} + {cell.value.inside}"
            if name:
                self._links.append(f"*(void **)((char *){address} + {cell.offset}) = {name};")


def _fits(cell: Cell, leaf: Leaf) -> bool:
    if isinstance(cell.value, Pointer):
        return leaf.type.kind == TypeKind.POINTER
    return leaf.type.kind in SCALAR_KINDS and leaf.type.size * 8 == cell.value.width


def _writable(target: str, leaf: Leaf) -> str:
    """A member as a test may set it; what is const begins with that value, which lies in a block that is not."""
    if not leaf.const:
        return target
    return f"*({'void *' if leaf.type.kind is TypeKind.POINTER else leaf.type.name} *)&{target}"


def _copy(data: bytes) -> str:
    return f"veer_copy({string(data)}, {len(data)})" if any(data) else f"veer_block({len(data)})"
