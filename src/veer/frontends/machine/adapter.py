"""What calls a lifted entry: straight code that puts arguments into registers, as the calling convention says.

    define void @veer_call_machine(ptr %p0, ptr %p1, ptr %p2) {        two arguments, the result
      %a0 = load i32, ptr %p0
      store i32 %a0, ptr @veer.register.r20
      ...
      call void @"f"()

It maps the segments first, the stack among them: each run begins with the memory of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from veer.frontends.machine.architectures import ARM, I8051, Architecture
from veer.frontends.machine.constants import Values
from veer.frontends.machine.decoder import Varnode
from veer.frontends.machine.descent import Routine
from veer.frontends.machine.devices import beginning, begins_otherwise
from veer.frontends.machine.floatplaces import Held
from veer.frontends.machine.image import Code, Image, Segment
from veer.frontends.machine.lift import Lifted
from veer.frontends.machine.places import At, Places, places
from veer.frontends.machine.prototype import Prototype
from veer.frontends.machine.relocations import STEP, UNDEFINED
from veer.frontends.machine.returns import told
from veer.model.errors import UnsupportedInputError
from veer.model.types import Type, TypeKind

ADAPTER = "veer_call_machine"
MAPPER, STACK = "veer_map_machine", "stack"
STACK_SIZE = 0x4000
_LARGE_FRAME, _MOST_STACK = 0x800, 0x800000
MOST_FRAMES = _MOST_STACK // 2
"""Bytes that a stack has beside its usual size."""
_STACK_TOPS = (0x0E700000, 0x18800000, 0x00900000)
_ABOVE = 64
"""Bytes of the stack above the entry's frame, or as many as its arguments take."""
_ALIGNED = 16
_AWAY = 0x1000
"""How far behind the stack the address lies to which the entry returns: no code is there."""
_CODE, _NAMES, _STACK = 2, 4, 8
"""Qualities of memory: veer_harness.h."""
_SIGNED = frozenset((TypeKind.SIGNED, TypeKind.CHAR))


def with_stack(image: Image) -> tuple[Segment, ...]:
    """The segments of a run: those of the file, and behind them the one that the stack is in."""
    if image.architecture is I8051:
        return image.segments  # internal memory is the last one
    size = STACK_SIZE + image.frames
    for top in _STACK_TOPS:
        place, end = top - size, top + 2 * _AWAY
        if all(each.end <= top - _MOST_STACK or each.address >= end for each in image.segments):
            stack = Segment(STACK, place, size, b"", is_writable=True, is_code=False)
            return (*image.segments, stack)
    raise UnsupportedInputError(f"{image.file} leaves no room for a stack")


def stack_pointer(stack: Segment, image: Image, put: Places) -> int:
    """At the entry's first instruction. `put`: where its arguments are, the last of them perhaps above it."""
    machine = image.architecture
    if machine is I8051:
        return image.stack + 2  # the return address lies there, and one below
    taken = max((at.stack + at.size for at in put.parameters if at.stack >= 0), default=0) + machine.bytes
    top = stack.end - max(_ABOVE, -(-taken // _ALIGNED) * _ALIGNED)
    return top if machine.link else top - machine.bytes


def return_address(stack: Segment) -> int:
    """Where the entry returns to."""
    return stack.end + _AWAY


def adapter(image: Image, code: Code, symbol: str, prototype: Prototype, lifted: Lifted, reads: int) -> str:
    """The text that is added to the lifted module. `reads`: of each register of a device, so many are inputs.

    Raises UnsupportedInputError for arguments without a place."""
    segments, put = with_stack(image), places(image, code, prototype)
    given = range(len(prototype.parameters) + 1)
    writer = _Adapter(image, lifted, stack_pointer(segments[-1], image, put))
    is_mapped = begins_otherwise(image)
    if not is_mapped:
        writer.row(f"call void @{MAPPER}()")
    for place, (each, at) in enumerate(zip(prototype.parameters, put.parameters, strict=True)):
        writer.argument(place, prototype.types[each.type], at)
    writer.frame(return_address(segments[-1]) | thumb_bit(image.architecture, code))
    writer.row(told(str(return_address(segments[-1]))))
    writer.row(f"call void {symbol}()")
    if put.result is not None:
        writer.result(len(prototype.parameters), prototype.types[prototype.returns], put.result)
    more = beginning(image, reads, MAPPER) if is_mapped else ()
    head = f"define void @{ADAPTER}({', '.join(f'ptr %p{place}' for place in given)}) {{"
    return "\n".join([head, *writer.rows, "  ret void", "}", *_mapper(segments, image.undefined), *more]) + "\n"


class _Adapter(Struct):
    """Writes the function. `top`: the stack pointer."""

    image: Image
    lifted: Lifted
    top: int
    rows: list[str] = field(default_factory=list)
    _values: int = 0

    def row(self, text: str) -> None:
        self.rows.append(f"  {text}")

    def value(self, text: str) -> str:
        self._values += 1
        self.row(f"%v{self._values} = {text}")
        return f"%v{self._values}"

    def argument(self, place: int, type_: Type, at: At) -> None:
        """A number, or a pointer, from where the harness has it to where the machine has it."""
        machine = self.image.architecture
        width = 8 * type_.size
        if type_.kind == TypeKind.POINTER:
            pointer = self.value(f"load ptr, ptr %p{place}")
            width = machine.bits
            value = self.value(f"ptrtoint ptr {pointer} to i{width}")
        else:
            value = self.value(f"load i{width}, ptr %p{place}")
        if not at.registers:
            address = at.address if at.address >= 0 else self.top + at.stack
            self._to_memory(self._extended(value, width, 8 * at.size, type_), address, at)
            return
        part = 8 * self.lifted.registers[at.registers[0]].size
        if at.held is Held.WIDE:
            wide = self.value(f"fpext float {self.value(f'bitcast i32 {value} to float')} to double")
            value, width = self.value(f"bitcast double {wide} to i64"), 64
        value = self._extended(value, width, part * len(at.registers), type_)
        if at.held is Held.ONES:
            value = self.value(f"or i{part} {value}, {-(1 << width)}")
        for number, register in enumerate(at.registers):
            piece = value
            if len(at.registers) > 1:
                whole = part * len(at.registers)
                moved = self.value(f"lshr i{whole} {value}, {number * part}")
                piece = self.value(f"trunc i{whole} {moved} to i{part}")
            self._set(register, piece)

    def _extended(self, value: str, width: int, wanted: int, type_: Type) -> str:
        """RV64 keeps all numbers of 32 bits with copies of their highest bit."""
        if width == wanted:
            return value
        is_kept = self.image.architecture.name == "riscv64" and type_.size == 4
        name = "sext" if type_.kind in _SIGNED or is_kept else "zext"
        return self.value(f"{name} i{width} {value} to i{wanted}")

    def _to_memory(self, value: str, address: int, at: At) -> None:
        """Byte by byte, for the machine's order need not be this one's."""
        for number in range(at.size):
            moved = self.value(f"lshr i{8 * at.size} {value}, {8 * number}") if number else value
            byte = self.value(f"trunc i{8 * at.size} {moved} to i8") if at.size > 1 else moved
            place = address + (at.size - 1 - number if at.is_big else number)
            self.row(f"store i8 {byte}, ptr inttoptr (i64 {place} to ptr)")

    def _set(self, register: str, value: str) -> None:
        """A register, which may be a part of a larger one."""
        varnode, cell = self.lifted.registers[register], self.lifted.register(register)
        shift = self.lifted.cells.shift(cell, varnode)
        name = f"@veer.register.{cell.name}"
        if cell.size > varnode.size:
            wide = self.value(f"zext i{8 * varnode.size} {value} to {cell.type}")
            moved = self.value(f"shl {cell.type} {wide}, {shift}")
            mask = ((1 << 8 * cell.size) - 1) ^ (((1 << 8 * varnode.size) - 1) << shift)
            kept = self.value(f"and {cell.type} {self.value(f'load {cell.type}, ptr {name}')}, {mask}")
            value = self.value(f"or {cell.type} {kept}, {moved}")
        self.row(f"store {cell.type} {value}, ptr {name}")

    def frame(self, back: int) -> None:
        """The stack pointer, and where the entry returns to."""
        machine = self.image.architecture
        if machine is I8051:
            self._set(machine.stack, str(self.top))
            return
        word = f"i{machine.bits}"
        self._set(machine.stack, str(self.top))
        register, pointer = self.image.thread
        if register:
            self._set(register, str(pointer))
        if machine.link:
            self._set(machine.link, str(back))
        else:
            self.row(f"store {word} {back}, ptr inttoptr (i64 {self.top} to ptr)")

    def result(self, place: int, type_: Type, at: At) -> None:
        """What the entry returned, for the harness."""
        part = 8 * self.lifted.registers[at.registers[0]].size
        whole = part * len(at.registers)
        total = ""
        for number, register in enumerate(at.registers):
            varnode, cell = self.lifted.registers[register], self.lifted.register(register)
            piece = self.value(f"load {cell.type}, ptr @veer.register.{cell.name}")
            if cell.size > varnode.size:
                moved = self.value(f"lshr {cell.type} {piece}, {self.lifted.cells.shift(cell, varnode)}")
                piece = self.value(f"trunc {cell.type} {moved} to i{part}")
            if whole > part:
                wide = self.value(f"zext i{part} {piece} to i{whole}")
                piece = self.value(f"shl i{whole} {wide}, {number * part}")
            total = self.value(f"or i{whole} {total}, {piece}") if total else piece
        wanted = 8 * type_.size
        if at.held is Held.WIDE:
            single = self.value(f"fptrunc double {self.value(f'bitcast i64 {total} to double')} to float")
            total = self.value(f"bitcast float {single} to i32")
        elif wanted < whole:
            total = self.value(f"trunc i{whole} {total} to i{wanted}")
        self.row(f"store i{wanted} {total}, ptr %p{place}")


def frames(image: Image, routines: Iterable[Routine], stack: Varnode) -> int:
    """Bytes of the stack frames that are large, which the stack has beside its usual size.

    A frame is a constant that is added to the stack pointer, or taken from it. `stack`: that register.
    """
    total = 0
    for routine in routines:
        total += max((each for each in _moves(image, routine, stack) if each >= _LARGE_FRAME), default=0)
    return min(total + 0xFFF & ~0xFFF, MOST_FRAMES)


def _moves(image: Image, routine: Routine, stack: Varnode) -> Iterator[int]:
    """By how much instructions move the stack pointer, as far as their order in memory tells, or what begins at it."""
    values = Values(image)
    for address in routine.addresses:
        for each in routine.instructions[address].operations:
            if each.name in ("INT_ADD", "INT_SUB") and stack in each.inputs:
                for given in each.inputs:
                    number = values.read(given)
                    if number is not None:
                        yield min(number, (1 << 8 * given.size) - number)
            values.run(each)


def _qualities(segment: Segment) -> int:
    return int(segment.is_writable) | int(segment.is_code) << 1 | (_STACK if segment.name == STACK else 0)


def _mapper(segments: tuple[Segment, ...], undefined: Mapping[int, str]) -> Iterator[str]:
    yield "declare void @veer_map(i64, i64, ptr, i64, i32, ptr)"
    yield f"define internal void @{MAPPER}() {{"
    for number, each in enumerate(segments):
        contents = f"ptr @veer.segment.{number}" if each.data else "ptr null"
        yield (
            f"  call void @veer_map(i64 {each.address}, i64 {each.size}, {contents}, i64 {len(each.data)}, "
            f"i32 {_qualities(each)}, ptr @veer.name.{number})"
        )
    functions = [each for each in undefined if each >= UNDEFINED]  # others are variables, which are segments
    if functions:
        begin, size = min(functions), max(functions) + STEP - min(functions)
        given = f"i64 {begin}, i64 {size}, ptr null, i64 0, i32 {_CODE | _NAMES}, ptr @veer.name.others"
        yield f"  call void @veer_map({given})"
    yield "  ret void"
    yield "}"
    yield f"@veer.name.others = private constant {_bytes(b'functions of other files' + bytes(1))}"
    for number, each in enumerate(segments):
        yield f"@veer.name.{number} = private constant {_bytes(each.name.encode() + bytes(1))}"
        if each.data:
            yield f"@veer.segment.{number} = private constant {_bytes(each.data)}"


_SHOWN = [chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\{byte:02X}" for byte in range(256)]
"""Each byte as LLVM writes it in a constant."""


def _bytes(data: bytes) -> str:
    return f'[{len(data)} x i8] c"{"".join(map(_SHOWN.__getitem__, data))}"'


def thumb_bit(machine: Architecture, code: Code) -> int:
    """What an address of the function has beside its place."""
    return int(machine is ARM and code.is_thumb)
