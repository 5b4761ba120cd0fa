"""Calls of the C library in lifted code: from the machine's registers to a function of veer's own, and back.

    define internal void @"veer.import.strlen"() {
      %v1 = load i64, ptr @veer.register.r38            the first argument, where the convention has it
      %v2 = inttoptr i64 %v1 to ptr
      %v3 = call i64 @strlen(ptr %v2)
      store i64 %v3, ptr @veer.register.r0
      ...                                               x86: the return address leaves the stack
      ret void

They are straight code: a branch would be one of the program's. Calculations (arithmetic.py) are written out, and become
a part of who calls: a division by zero is then told at the call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct, field

from veer.frontends.machine import arithmetic, ctype, library
from veer.frontends.machine.architectures import X86_64
from veer.frontends.machine.cells import Cell, Cells
from veer.frontends.machine.decoder import Varnode
from veer.frontends.machine.image import Code, Image
from veer.frontends.machine.liveness import Bridge
from veer.frontends.machine.places import At, Places, first_above, places, registers_of_floats
from veer.frontends.machine.prototype import Prototype, parsed
from veer.model.buildoptions import BuildOptions
from veer.model.types import Type, TypeKind
from veer.model.values import replace

SIGNED = frozenset((TypeKind.SIGNED, TypeKind.CHAR))
"""Kinds of numbers that have a sign."""
_SCRATCH, _ARGUMENTS = "@veer.import.scratch", "@veer.import.arguments"
_SLOTS, _FIELDS = 8, ("next", "count", "word", "is_big", "has_floats", "next_float")
"""Of struct machine_arguments (runtime/libc/machine.c): registers, as many floats, an address, and these numbers."""
_ARGUMENTS_SIZE = 8 * (2 * _SLOTS + 1) + 4 * len(_FIELDS)
_NO_BOUND = -1
_LEAST, _MOST = -(1 << 31), (1 << 31) - 1


class Imported(Struct, frozen=True):
    """A function of the library as an image calls it: its declaration, and where the machine has its arguments."""

    name: str
    machines: Prototype
    hosts: Prototype
    put: Places
    calculation: arithmetic.Calculation | None = None

    @property
    def gives_pointer(self) -> bool:
        """Whether its result is a pointer."""
        return bool(self.machines.unrecorded)

    @property
    def returns_float(self) -> bool:
        """Whether its result is a floating-point number."""
        returns = self.machines.returns
        return returns >= 0 and self.machines.types[returns].kind is TypeKind.FLOAT


def imported(image: Image, name: str) -> Imported | None:
    """None for a function that veer has no model of."""
    text = library.prototype(name, image.architecture)
    if text is None:
        return None
    options = BuildOptions((Path(image.file),), name)
    machines, hosts = parsed(text, image.architecture, options), parsed(text, X86_64, options)
    put = places(image, Code(name, 0), machines)
    known = arithmetic.calculation(name, image.architecture)
    if known is not None:
        put = replace(put, result=At(arithmetic.registers(known, image.architecture)))
    return Imported(library.canonical(name), machines, hosts, put, known)


def symbol(name: str) -> str:
    """What a bridge is called in IR."""
    return f'@"veer.import.{name}"'


def bridges(
    image: Image, names: Iterable[str], cells: Cells, registers: dict[str, Varnode]
) -> tuple[str, dict[str, Bridge]]:
    """The text of the bridges to those of these functions that have a model, and by its name what each does to
    registers."""
    written, declared, found = [], {}, {}
    for name in sorted(set(names)):
        known = imported(image, name)
        if known is not None:
            writer = _Bridge(image, cells, registers)
            written.append(writer.text(known, symbol(name)))
            declared.update(writer.declared)
            found[symbol(name)] = Bridge(frozenset(writer.reads), frozenset(writer.writes), frozenset(writer.kills))
    head = [f"{_SCRATCH} = internal global i64 0", "declare i64 @llvm.smax.i64(i64, i64)"] if written else []
    head += ["declare i64 @llvm.smin.i64(i64, i64)"] if written else []
    head += [f"{_ARGUMENTS} = internal global [{_ARGUMENTS_SIZE} x i8] zeroinitializer, align 8"] if written else []
    return "\n".join([*head, *(f"declare {row}" for row in declared.values()), *written]) + "\n", found


class _Bridge(Struct):
    """Writes one."""

    image: Image
    cells: Cells
    registers: dict[str, Varnode]
    rows: list[str] = field(default_factory=list)
    declared: dict[str, str] = field(default_factory=dict)
    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    kills: set[str] = field(default_factory=set)
    _values: int = 0

    def text(self, known: Imported, name: str) -> str:
        place = ctype.result(known.name)
        if place is not None:
            self._write(self.image.architecture.result, str(place))
            self._return()
        elif known.name in library.IN_WORDS:
            self._in_words(known)
        elif known.calculation is not None:
            self._calculation(known, known.calculation)
        elif known.name in library.OUTPUT:
            self._output(known)
        elif known.name in library.FORMATTED:
            self._formatted(known)
        else:
            self._call(known)
        self.rows.append("  unreachable" if known.name in library.NO_RETURN else "  ret void")
        how = " alwaysinline" if known.calculation is not None else ""
        return "\n".join([f"define internal void {name}(){how} {{", *self.rows, "}"])

    def _calculation(self, known: Imported, what: arithmetic.Calculation) -> None:
        given = [self._argument(known, place, row) for place, row in enumerate(self._hosts(known))]
        value = arithmetic.written(what, given, self._value)
        assert known.put.result is not None
        self._to_registers(value, what.width, known.put.result.registers, is_signed=True)
        self._return()

    def _in_words(self, known: Imported) -> None:
        """The sum of words of memory, as the machine has them there."""
        machine = self.image.architecture
        word, total = f"i{machine.bits}", "0"
        at = self._argument(known, 0, self._hosts(known)[0])
        for place in range(library.IN_WORDS[known.name], 2):
            address = self._value(f"getelementptr i8, ptr {at}, i64 {machine.bytes * place}")
            value = self._value(f"load {word}, ptr {address}, align 1")
            if machine.is_big:
                value = self._value(f"call {word} @llvm.bswap.{word}({word} {value})")
            total = self._value(f"add {word} {total}, {value}")
        self._write(machine.result, total)
        self._return()

    @staticmethod
    def _hosts(known: Imported) -> list[Type]:
        """The types of the arguments here."""
        return [known.hosts.types[each.type] for each in known.hosts.parameters]

    def _value(self, text: str) -> str:
        self._values += 1
        self.rows.append(f"  %v{self._values} = {text}")
        return f"%v{self._values}"

    def _call(self, known: Imported) -> None:
        target, given, ends = known.name, [], []
        if target == "__stack_chk_fail":
            target = "abort"
        if target in library.SETS:
            self._set(known)
            return
        target = library.CHECKED.get(target, target)
        for number, each in enumerate(known.hosts.parameters):
            wanted = known.hosts.types[each.type]
            value = self._argument(known, number, wanted)
            if each.name == library.END and self.image.architecture.bits == 32:
                ends.append(value)
                value = _SCRATCH
            given.append(f"{_type(wanted)} {value}")
        if known.name in library.CHECKED:
            given = self._checked(target, given)
        is_long = target in library.SMALL_RESULT and self.image.architecture.bits == 32
        returns = known.hosts.returns
        result = "ptr" if known.gives_pointer else _type(known.hosts.types[returns]) if returns >= 0 else "void"
        if is_long and target in ("atoi", "atol"):
            target, result, given = "strtol", "i64", [*given, "ptr null", "i32 10"]
        types = ", ".join(each.split(" ")[0] for each in given)
        self.declared[target] = f"{result} @{target}({types})"
        call = f"call {result} @{target}({', '.join(given)})"
        if result == "void":
            self.rows.append(f"  {call}")
        else:
            value = self._value(call)
            if is_long:
                value = self._value(f"call i64 @llvm.smax.i64(i64 {value}, i64 {_LEAST})")
                value = self._value(f"call i64 @llvm.smin.i64(i64 {value}, i64 {_MOST})")
            self._result(known, value, result)
        for end in ends:
            self._end(end)
        if known.name not in library.NO_RETURN:
            self._return()

    def _checked(self, target: str, given: list[str]) -> list[str]:
        """The arguments of the function that is called where there is room enough; else the program ends."""
        *rest, room = given
        if rest[-1].startswith("i64 "):
            rest[-1] = f"i64 {self._call_own('machine_checked', 'i64', [rest[-1], room])}"
            return rest
        total = self._value(f"add i64 {self._call_own('strlen', 'i64', [rest[1]])}, 1")
        if target == "strcat":
            total = self._value(f"add i64 {total}, {self._call_own('strlen', 'i64', [rest[0]])}")
        self._call_own("machine_checked", "i64", [f"i64 {total}", room])
        return rest

    def _call_own(self, name: str, result: str, given: Sequence[str]) -> str:
        """A call of a function of veer's library. `given`: with their types."""
        self.declared[name] = f"{result} @{name}({', '.join(each.split(' ')[0] for each in given)})"
        return self._value(f"call {result} @{name}({', '.join(given)})")

    def _formatted(self, known: Imported) -> None:
        """Formatted output into memory."""
        named = {
            each.name: f"{_type(row)} {self._argument(known, place, row)}"
            for place, (each, row) in enumerate(zip(known.hosts.parameters, self._hosts(known), strict=True))
        }
        size, list_ = named.get("size", f"i64 {_NO_BOUND}"), named.get("list")
        given = [named["to"], size, named.get("room", f"i64 {_NO_BOUND}"), named["format"]]
        if list_ is not None and self.image.architecture is X86_64:
            length = self._call_own("machine_list", "i32", [*given, list_])
        else:
            self._arguments(len(known.hosts.parameters), list_)
            length = self._call_own("machine_format", "i32", [*given, f"ptr {_ARGUMENTS}"])
        self._result(known, length, "i32")
        self._return()

    def _arguments(self, given: int, list_: str | None) -> None:
        """Notes where the machine has the arguments behind the named ones, which are `given`. `list_`: where a
        `va_list` says."""
        machine = self.image.architecture
        count = len(machine.arguments)
        named = min(given, count)
        for place in range(named, count):
            value = self._widened(self._read(machine.arguments[place]), machine.bits, 64, is_signed=False)
            self._note(f"store i64 {value}", 8 * place)
        floats = registers_of_floats(machine)
        for place, register in enumerate(floats):
            if self.cells.knows(self.registers[register]):
                self._note(f"store i64 {self._read(register)}", 8 * (_SLOTS + place))
        if list_ is None:
            word = f"i{machine.bits}"
            first = self._value(f"add {word} {self._read(machine.stack)}, {first_above(machine, given)}")
            address = self._widened(first, machine.bits, 64, is_signed=False)
        else:
            address, named = self._value(f"ptrtoint {list_} to i64"), count
        self._note(f"store i64 {address}", 16 * _SLOTS)
        numbers = (named, count, machine.bytes, int(machine.is_big), int(bool(floats)), 0)
        for place, number in enumerate(numbers):
            self._note(f"store i32 {number}", 8 * (2 * _SLOTS + 1) + 4 * place)

    def _note(self, store: str, place: int) -> None:
        self.rows.append(f"  {store}, ptr getelementptr (i8, ptr {_ARGUMENTS}, i64 {place})")

    def _set(self, known: Imported) -> None:
        """`memset` by the names of ARM's EABI; the result of these is nobody's."""
        to, size, *value = (self._argument(known, place, row) for place, row in enumerate(self._hosts(known)))
        self.declared["memset"] = "ptr @memset(ptr, i32, i64)"
        self._value(f"call ptr @memset(ptr {to}, i32 {value[0] if value else 0}, i64 {size})")
        self._return()

    def _output(self, known: Imported) -> None:
        """Texts are read; nothing is written."""
        result, width = str(library.PRINTED), 32
        for number, each in enumerate(known.hosts.parameters):
            wanted = known.hosts.types[each.type]
            if each.name in ("s", "format"):
                value = self._argument(known, number, wanted)
                self.declared["strlen"] = "i64 @strlen(ptr)"
                self._value(f"call i64 @strlen(ptr {value})")
            elif each.name == library.RETURNED.get(known.name):
                result, width = self._argument(known, number, wanted), 8 * wanted.size
        if known.hosts.returns >= 0:
            self._result(known, result, f"i{width}")
        self._return()

    # -- arguments and results -------------------------------------------------------------------------------------

    def _argument(self, known: Imported, number: int, wanted: Type) -> str:
        """A value of the host's type."""
        own, at = known.machines.types[known.machines.parameters[number].type], known.put.parameters[number]
        bits = self.image.architecture.bits if own.kind == TypeKind.POINTER else 8 * own.size
        value, width = self._registers(at) if at.registers else self._above(at)
        value = self._resized(value, width, bits, own)
        if wanted.kind == TypeKind.POINTER:
            return self._value(f"inttoptr i{bits} {value} to ptr")
        return self._resized(value, bits, 8 * wanted.size, own)

    def _resized(self, value: str, width: int, wanted: int, type_: Type) -> str:
        return self._widened(value, width, wanted, is_signed=type_.kind in SIGNED)

    def _widened(self, value: str, width: int, wanted: int, *, is_signed: bool) -> str:
        if width == wanted:
            return value
        way = "trunc" if wanted < width else "sext" if is_signed else "zext"
        return self._value(f"{way} i{width} {value} to i{wanted}")

    def _registers(self, at: At) -> tuple[str, int]:
        """The value of one register or several, and its width."""
        part = 8 * self.registers[at.registers[0]].size
        whole, total = part * len(at.registers), ""
        for number, register in enumerate(at.registers):
            piece = self._read(register)
            if whole > part:
                wide = self._value(f"zext i{part} {piece} to i{whole}")
                piece = self._value(f"shl i{whole} {wide}, {number * part}")
            total = self._value(f"or i{whole} {total}, {piece}") if total else piece
        return total, whole

    def _above(self, at: At) -> tuple[str, int]:
        """What lies above the stack pointer."""
        machine = self.image.architecture
        place = self._value(f"add i{machine.bits} {self._read(machine.stack)}, {at.stack}")
        pointer = self._value(f"inttoptr i{machine.bits} {place} to ptr")
        width = 8 * at.size
        return self._ordered(self._value(f"load i{width}, ptr {pointer}, align 1"), width), width

    def _ordered(self, value: str, width: int) -> str:
        if not self.image.architecture.is_big or width == 8:
            return value
        return self._value(f"call i{width} @llvm.bswap.i{width}(i{width} {value})")

    def _result(self, known: Imported, value: str, type_: str) -> None:
        machine = self.image.architecture
        if known.gives_pointer:
            pointer = self._value(f"ptrtoint ptr {value} to i{machine.bits}")
            self._write(machine.result, pointer)
            return
        own, at = known.machines.types[known.machines.returns], known.put.result
        assert at is not None
        if type_ == "double":
            if self.cells.knows(self.registers[at.registers[0]]):  # else nobody looks at it
                self._write(at.registers[0], self._value(f"bitcast double {value} to i64"))
            return
        width = int(type_[1:])
        if width > 8 * own.size:
            value, width = self._value(f"trunc i{width} {value} to i{8 * own.size}"), 8 * own.size
        self._to_registers(value, width, at.registers, is_signed=own.kind in SIGNED)

    def _to_registers(self, value: str, width: int, registers: Sequence[str], *, is_signed: bool) -> None:
        """A number of `width` bits, its lowest part into the first one."""
        part = 8 * self.registers[registers[0]].size
        whole = part * len(registers)
        value = self._widened(value, width, whole, is_signed=is_signed)
        for number, register in enumerate(registers):
            piece = value
            if whole > part:
                moved = self._value(f"lshr i{whole} {value}, {number * part}")
                piece = self._value(f"trunc i{whole} {moved} to i{part}")
            self._write(register, piece)

    def _end(self, pointer: str) -> None:
        """Writes the pointer that a function left, where the machine asks for it; null asks for nothing."""
        left = self._value(f"load i64, ptr {_SCRATCH}")
        word = self._ordered(self._value(f"trunc i64 {left} to i32"), 32)
        given = self._value(f"ptrtoint ptr {pointer} to i64")
        mask = self._value(f"sext i1 {self._value(f'icmp eq i64 {given}, 0')} to i64")
        spare = self._value(f"and i64 {mask}, ptrtoint (ptr {_SCRATCH} to i64)")
        place = self._value(f"inttoptr i64 {self._value(f'add i64 {given}, {spare}')} to ptr")
        self.rows.append(f"  store i32 {word}, ptr {place}, align 1")

    # -- registers -------------------------------------------------------------------------------------------------

    def _cell(self, register: str) -> tuple[Varnode, Cell, int]:
        varnode = self.registers[register]
        cell = self.cells.cell(-1, varnode)
        return varnode, cell, self.cells.shift(cell, varnode)

    def _read(self, register: str) -> str:
        varnode, cell, shift = self._cell(register)
        self.reads.add(cell.name)
        value = self._value(f"load {cell.type}, ptr @veer.register.{cell.name}")
        if shift:
            value = self._value(f"lshr {cell.type} {value}, {shift}")
        return value if cell.size == varnode.size else self._value(f"trunc {cell.type} {value} to i{8 * varnode.size}")

    def _write(self, register: str, value: str) -> None:
        varnode, cell, shift = self._cell(register)
        width = 8 * varnode.size
        self.writes.add(cell.name)
        if cell.size > varnode.size:
            mask = ((1 << 8 * cell.size) - 1) ^ (((1 << width) - 1) << shift)
            old = self._value(f"load {cell.type}, ptr @veer.register.{cell.name}")
            kept = self._value(f"and {cell.type} {old}, {mask}")
            wide = self._value(f"zext i{width} {value} to {cell.type}")
            moved = self._value(f"shl {cell.type} {wide}, {shift}")
            value = self._value(f"or {cell.type} {kept}, {moved}")
        else:
            self.kills.add(cell.name)
        self.rows.append(f"  store {cell.type} {value}, ptr @veer.register.{cell.name}")

    def _return(self) -> None:
        """x86 has the return address on the stack: the function takes it away."""
        machine = self.image.architecture
        if machine is X86_64:
            above = self._value(f"add i64 {self._read(machine.stack)}, {machine.bytes}")
            self._write(machine.stack, above)


def _type(type_: Type) -> str:
    if type_.kind is TypeKind.FLOAT:
        return "double"
    return "ptr" if type_.kind == TypeKind.POINTER else f"i{8 * type_.size}"
