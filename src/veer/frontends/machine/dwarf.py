"""What functions take and return, as the debug info of a file says it (DWARF, read by pyelftools).

    int depth(const struct node *n)    DW_TAG_subprogram at 0x1139, one DW_TAG_formal_parameter
                                       node: an int at 0, a pointer to node at 8

Layouts are those of the machine: offsets stand in the file. On machines of 32 bits and big-endian ones pointers within
memory would not be as the runtime makes them, and are refused (prototype.py says the same of what a user writes).
"""

from __future__ import annotations

import bisect
import io
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct

from veer.frontends.llvm.lengths import BUFFER, BYTES, OTHER
from veer.frontends.machine.architectures import Architecture
from veer.frontends.machine.elf import extra
from veer.frontends.machine.image import Code, Image
from veer.frontends.machine.lengths import STRUCT, kind_of_number, lengths
from veer.frontends.machine.prototype import Given, Prototype, several
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UnsupportedInputError
from veer.model.types import SCALAR_KINDS, BoundKind, ExtentKind, Field, Type, TypeKind
from veer.model.values import replace

_WORD = 8
_THROUGH = frozenset(
    f"DW_TAG_{name}_type" for name in ("const", "volatile", "restrict", "atomic")
) | {"DW_TAG_typedef"}  # fmt: skip
_ENCODINGS = {
    2: TypeKind.BOOL,
    4: TypeKind.FLOAT,
    5: TypeKind.SIGNED,
    6: TypeKind.CHAR,
    7: TypeKind.UNSIGNED,
    8: TypeKind.UNSIGNED,
    0x10: TypeKind.UNSIGNED,
}
"""DW_AT_encoding."""
_LARGEST = 8  # bytes of a number
_COPIES = (".constprop", ".isra", ".part", ".cold")
_STRUCTS = ("DW_TAG_structure_type", "DW_TAG_class_type")
_IN_NUMBERS = ("DW_TAG_base_type", "DW_TAG_enumeration_type")
"""What a pointer may lead to several of, as far as its type says: structs come alone, as in C."""
"""What a compiler adds to the name of a copy that takes other arguments than the source says."""


class Declared(Struct, frozen=True):
    """A function of the debug info: its name, its entry of the file's tree, where the source has it."""

    name: str
    die: Any
    file: str = ""
    line: int = 0


def declared(image: Image) -> dict[int, Declared]:
    """The functions with debug info, by address; none where the file has no debug info, or a damaged one."""
    return _declared(image.elf, image.base) if image.elf else {}


@lru_cache(4)
def _declared(data: bytes, base: int) -> dict[int, Declared]:
    found: dict[int, Declared] = {}
    try:
        elf = extra("elftools.elf.elffile").ELFFile(io.BytesIO(data))
        if not elf.get_section_by_name(".debug_info"):
            return {}
        for unit in elf.get_dwarf_info().iter_CUs():
            for die in unit.get_top_DIE().iter_children():
                if die.tag == "DW_TAG_subprogram" and "DW_AT_low_pc" in die.attributes:
                    address = die.attributes["DW_AT_low_pc"].value + base
                    found[address] = Declared(_name(die), die, *_place(die, unit))
    except Exception:  # pyelftools raises errors of many kinds for damaged tables, without which files run
        return found
    return found


def declared_elsewhere(image: Image) -> frozenset[str]:
    """The functions that the file declares and does not define."""
    found: set[str] = set()
    try:
        elf = extra("elftools.elf.elffile").ELFFile(io.BytesIO(image.elf))
        for unit in elf.get_dwarf_info().iter_CUs() if elf.get_section_by_name(".debug_info") else ():
            for die in unit.get_top_DIE().iter_children():
                if die.tag == "DW_TAG_subprogram" and "DW_AT_declaration" in die.attributes:
                    found.add(_name(die))
    except Exception:  # as above
        return frozenset(found)
    return frozenset(found)


@lru_cache(4)
def _lines(data: bytes, base: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Addresses in order, and the line of the source from each on ("": none)."""
    rows: list[tuple[int, str]] = []
    try:
        elf = extra("elftools.elf.elffile").ELFFile(io.BytesIO(data))
        if not elf.get_section_by_name(".debug_line"):
            return (), ()
        dwarf = elf.get_dwarf_info()
        for unit in dwarf.iter_CUs():
            program = dwarf.line_program_for_CU(unit)
            first = 0 if program is not None and program["version"] >= 5 else 1  # an assembler has its own
            for entry in program.get_entries() if program is not None else ():
                state = entry.state
                if state is None:
                    continue
                files = program["file_entry"]
                place = state.file - first
                name = files[place].name.decode(errors="replace") if 0 <= place < len(files) else "?"
                text = "" if state.end_sequence or not state.line else f"{name.rsplit('/', 1)[-1]}:{state.line}"
                rows.append((state.address + base, text))
    except Exception:  # as above
        rows = rows or []
    rows.sort(key=lambda row: (row[0], row[1] != ""))
    return tuple(row[0] for row in rows), tuple(row[1] for row in rows)


def line_of(image: Image, address: int) -> str:
    """The line of the source that an instruction comes from, as `unit.c:7`; "" where the file does not say."""
    addresses, texts = _lines(image.elf, image.base) if image.elf else ((), ())
    place = bisect.bisect_right(addresses, address) - 1
    return texts[place] if place >= 0 else ""


def prototype_of(image: Image, code: Code, options: BuildOptions) -> Prototype | None:
    """What the function takes and returns; None where the debug info does not tell.

    Raises UnsupportedInputError for a type that no input can be made for.
    """
    known = declared(image).get(code.address)
    if known is None or any(each in code.name for each in _COPIES):
        return None
    table = _Table(image.architecture, options)
    children = [each for each in known.die.iter_children() if each.tag == "DW_TAG_formal_parameter"]
    names = [_name(each) or f"argument_{place + 1}" for place, each in enumerate(children)]
    kinds = [_through(_type(each)) for each in children]
    of_buffers = lengths(names, "".join(map(_kind, kinds, names)))
    made = dict[int, Given]()
    for place in sorted(range(len(names)), key=lambda each: each in of_buffers.values()):
        length = names[of_buffers[place]] if place in of_buffers else ""
        buffer = next((made[at].type for at, each in of_buffers.items() if each == place), None)
        made[place] = Given(names[place], table.parameter(children[place], names[place], length, buffer))
    given = [made[place] for place in range(len(names))]
    returns, unrecorded = -1, ""
    result = _through(_type(known.die))
    if result is not None and result.tag == "DW_TAG_pointer_type":
        unrecorded = f"what {code.name} returns is not compared: it is a pointer"
    elif result is not None:
        returns = table.row(_type(known.die), f"the result of {code.name}")
        if table.rows[returns].kind not in SCALAR_KINDS:
            raise UnsupportedInputError(f"{code.name} returns {table.rows[returns].name}: only numbers are supported")
    return Prototype(code.name, tuple(given), returns, tuple(table.rows), unrecorded, tuple(table.notes))


class _Table:
    """The rows of types, by their entries of the file's tree."""

    def __init__(self, machine: Architecture, options: BuildOptions) -> None:
        self._machine = machine
        self._options = options
        self._known: dict[int, int] = {}
        self.rows: list[Type] = []
        self.notes: list[str] = []
        self._is_behind_pointer = False

    def parameter(self, die: Any, name: str, length: str, of_buffer: int | None) -> int:
        """A parameter: a number, or a pointer. `length`: the parameter that counts its elements; `of_buffer`: the row
        of the pointer whose elements it counts."""
        of, behind = _type(die), _through(_type(die))
        if behind is None:
            raise UnsupportedInputError(f"{name} has no type in the debug info")
        if behind.tag == "DW_TAG_pointer_type":
            if _through(_type(behind)) is not None and _through(_type(behind)).tag == "DW_TAG_subroutine_type":
                raise UnsupportedInputError(f"{name} is a pointer to a function: not supported yet")
            return self._add(self._pointer(behind, name, length, name not in self._options.not_null))
        row = self.rows[self.row(of, name)]
        if row.kind not in SCALAR_KINDS:
            raise UnsupportedInputError(f"{name} is {row.name} itself: only numbers and pointers are supported")
        if of_buffer is None:
            return row.id
        buffer = self.rows[of_buffer]
        return self._add(replace(row, minimum=0, maximum=buffer.maximum, is_ranged=True, bound=buffer.bound))

    def row(self, die: Any, name: str) -> int:
        """The id of a type's row."""
        behind = _through(die)
        if behind is None:
            raise UnsupportedInputError(f"{name} is of a type that the debug info does not tell")
        if behind.offset not in self._known:
            self._known[behind.offset] = len(self.rows)
            self.rows.append(Type(len(self.rows), TypeKind.OPAQUE, "", 1))
            made = self._made(behind, name)
            self.rows[self._known[behind.offset]] = replace(made, id=self._known[behind.offset])
        return self._known[behind.offset]

    def _add(self, row: Type) -> int:
        self.rows.append(replace(row, id=len(self.rows)))
        return len(self.rows) - 1

    def _made(self, die: Any, name: str) -> Type:
        size = _number(die, "DW_AT_byte_size")
        if die.tag in ("DW_TAG_base_type", "DW_TAG_enumeration_type"):
            return self._number(die, size, name)
        if die.tag == "DW_TAG_pointer_type":
            if self._machine.bits != _WORD * 8:
                raise UnsupportedInputError(f"{name} leads to a pointer: not supported yet on a machine of 32 bits")
            return self._pointer(die, name, "", nullable=True)
        if die.tag in _STRUCTS:
            return self._structure(die, size, name)
        if die.tag == "DW_TAG_array_type":
            element, count = self.row(_type(die), name), _elements(die)
            of = self.rows[element]
            if not count:
                raise UnsupportedInputError(f"{name} has an array without a size: not supported yet")
            shown = f"{of.name}[{count}]"
            return Type(0, TypeKind.ARRAY, shown, of.size * count, of.alignment, target=element, count=count)
        if die.tag == "DW_TAG_union_type" and not _has_pointer(die):
            byte = self._add(Type(0, TypeKind.UNSIGNED, "unsigned char", 1, 1))
            return Type(0, TypeKind.ARRAY, f"union {_name(die)}", size, 1, target=byte, count=size)
        what = die.tag.removeprefix("DW_TAG_").replace("_", " ")
        what = "union with a pointer" if die.tag == "DW_TAG_union_type" else f"{what} {_name(die)}".strip()
        raise UnsupportedInputError(f"{name.removesuffix('.')} has a {what}: not supported yet")

    def _number(self, die: Any, size: int, name: str) -> Type:
        kind = _ENCODINGS.get(_number(die, "DW_AT_encoding"), TypeKind.SIGNED)
        shown = _name(die) or "int"
        if die.tag == "DW_TAG_enumeration_type":
            values = [_number(each, "DW_AT_const_value") for each in die.iter_children()]
            kind = TypeKind.SIGNED if any(value < 0 for value in values) else TypeKind.UNSIGNED
            shown = f"enum {_name(die)}".strip()
        if kind is TypeKind.CHAR and shown != "char":
            kind = TypeKind.SIGNED
        if size > _LARGEST:
            raise UnsupportedInputError(f"{name} is of type {shown}, of {size} bytes: not supported yet")
        if self._machine.is_big and size > 1 and self._is_behind_pointer:
            raise UnsupportedInputError(f"{name} leads to {shown}: on a big-endian machine only bytes are made yet")
        return Type(0, kind, shown, size, size)

    def _pointer(self, die: Any, name: str, length: str, nullable: bool) -> Type:  # noqa: FBT001 - private
        """What a pointer leads to: a text, so many elements, or one."""
        of = _through(_type(die))
        row = Type(0, TypeKind.POINTER, f"{_shown(of)} *", _WORD, _WORD, nullable=nullable)
        if of is not None and (of.tag == "DW_TAG_subroutine_type" or "DW_AT_declaration" in of.attributes):
            self._tell(f"pointers to {_shown(of)} are null in all inputs")
            return replace(row, extent=ExtentKind.NULL)
        was, self._is_behind_pointer = self._is_behind_pointer, True
        target = self._add(Type(0, TypeKind.UNSIGNED, "unsigned char", 1, 1)) if of is None else self.row(of, name)
        self._is_behind_pointer = was
        size = 1 if of is None else _number(of, "DW_AT_byte_size")
        row = replace(row, target=target)
        if of is not None and _name(of) == "char" and not length:
            most = self._options.max_length
            return replace(row, extent=ExtentKind.STRING, maximum=most, bound=BoundKind.LENGTH)
        if length or of is None or of.tag in _IN_NUMBERS:
            return several(row, size, length, self._options)
        return replace(row, extent=ExtentKind.ONE, maximum=1)

    def _structure(self, die: Any, size: int, name: str) -> Type:
        if "DW_AT_declaration" in die.attributes:
            raise UnsupportedInputError(f"{name} has {_shown(die)}, which the debug info only declares")
        fields: list[Field] = []
        taken: set[int] = set()
        byte = -1
        for each in die.iter_children():
            if each.tag != "DW_TAG_member":
                continue
            if "DW_AT_bit_size" in each.attributes:
                byte = byte if byte >= 0 else self._add(Type(0, TypeKind.UNSIGNED, "unsigned char", 1, 1))
                for place in _bytes_of_bits(each):
                    if place not in taken:
                        taken.add(place)
                        fields.append(Field("", place, byte))
                continue
            member = self.row(_type(each), f"{name}.{_name(each)}")
            fields.append(Field(_name(each), _number(each, "DW_AT_data_member_location"), member))
        alignments = [self.rows[each.type].alignment for each in fields]
        fitting = [each for each in alignments if each and size % each == 0]
        return Type(0, TypeKind.STRUCT, _shown(die), size, max(fitting, default=1), fields=tuple(fields))

    def _tell(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _type(die: Any) -> Any:
    """The type that an entry names; None for nothing, as `void` is written."""
    for each in _origins(die):
        if "DW_AT_type" in each.attributes:
            return each.get_DIE_from_attribute("DW_AT_type")
    return None


def _through(die: Any) -> Any:
    """The type behind names and qualifiers."""
    while die is not None and die.tag in _THROUGH:
        die = _type(die)
    return die


def _origins(die: Any) -> Iterator[Any]:
    """The entry, and those that it is a copy of."""
    while True:
        yield die
        link = next((at for at in ("DW_AT_abstract_origin", "DW_AT_specification") if at in die.attributes), None)
        if link is None:
            return
        die = die.get_DIE_from_attribute(link)


def _name(die: Any) -> str:
    for each in _origins(die):
        if "DW_AT_name" in each.attributes:
            return str(each.attributes["DW_AT_name"].value.decode(errors="replace"))
    return ""


def _shown(die: Any) -> str:
    """A type as C writes it."""
    if die is None:
        return "void"
    if die.tag == "DW_TAG_pointer_type":
        return f"{_shown(_through(_type(die)))} *"
    if die.tag == "DW_TAG_subroutine_type":
        return "functions"
    kinds = {"DW_TAG_structure_type": "struct ", "DW_TAG_union_type": "union ", "DW_TAG_enumeration_type": "enum "}
    return kinds.get(die.tag, "") + (_name(die) or "without a name")


def _number(die: Any, attribute: str) -> int:
    found = die.attributes.get(attribute)
    return found.value if found is not None and isinstance(found.value, int) else 0


def _place(die: Any, unit: Any) -> tuple[str, int]:
    for each in _origins(die):
        if "DW_AT_decl_line" in each.attributes:
            top = unit.get_top_DIE()
            return _name(top), _number(each, "DW_AT_decl_line")
    return "", 0


def _elements(die: Any) -> int:
    """Of an array, all its dimensions; 0 where one has no size."""
    total = 1
    for each in die.iter_children():
        if each.tag == "DW_TAG_subrange_type":
            is_counted = "DW_AT_count" in each.attributes
            has_bound = isinstance(getattr(each.attributes.get("DW_AT_upper_bound"), "value", None), int)
            total *= _number(each, "DW_AT_count") if is_counted else _number(each, "DW_AT_upper_bound") + has_bound
    return total


def _bytes_of_bits(die: Any) -> range:
    first = _number(die, "DW_AT_data_bit_offset")
    if "DW_AT_data_bit_offset" not in die.attributes:
        first = 8 * _number(die, "DW_AT_data_member_location")
        size, width = 8 * _number(die, "DW_AT_byte_size"), _number(die, "DW_AT_bit_size")
        first += size - _number(die, "DW_AT_bit_offset") - width if size else 0
    return range(first // 8, (first + _number(die, "DW_AT_bit_size") + 7) // 8)


def _has_pointer(die: Any) -> bool:
    """Whether a pointer lies within it."""
    members = [_through(_type(each)) for each in die.iter_children() if each.tag == "DW_TAG_member"]
    members += [_through(_type(die))] if die.tag == "DW_TAG_array_type" else []
    return any(
        each is not None
        and (each.tag == "DW_TAG_pointer_type" or (each.tag != "DW_TAG_base_type" and _has_pointer(each)))
        for each in members
    )


def _kind(die: Any, name: str) -> str:
    """What lengths.py asks of a parameter's type."""
    if die is not None and die.tag == "DW_TAG_pointer_type":
        target = _through(_type(die))
        if target is not None and target.tag in _STRUCTS:
            return STRUCT
        is_bytes = target is None or (target.tag == "DW_TAG_base_type" and _number(target, "DW_AT_byte_size") == 1)
        return BYTES if is_bytes else BUFFER
    return kind_of_number(name) if die is not None and die.tag == "DW_TAG_base_type" else OTHER
