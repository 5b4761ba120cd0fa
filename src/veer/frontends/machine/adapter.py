"""What calls a lifted entry: straight code that puts arguments into registers, as the calling convention says.

    define void @veer_call_machine(ptr %p0, ptr %p1, ptr %p2) {        two arguments, the result
      %a0 = load i32, ptr %p0
      store i32 %a0, ptr @veer.register.r20
      ...
      call void @"f"()

It maps the segments first, the stack among them: each run begins with the memory of the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.frontends.machine.architectures import ARM, Architecture
from veer.frontends.machine.image import Code, Image, Segment
from veer.frontends.machine.lift import Lifted
from veer.frontends.machine.prototype import Prototype
from veer.model.errors import UnsupportedInputError
from veer.model.program import Type, TypeKind

ADAPTER = "veer_call_machine"
MAPPER = "veer_map_machine"
STACK_SIZE = 0x4000
_STACK_PLACES = (0x0E000000, 0x18000000, 0x00100000)
_ABOVE = 64
"""Bytes of the stack above the entry's frame."""
_AWAY = 0x1000
"""How far behind the stack the address lies to which the entry returns: no code is there."""
_SIGNED = frozenset((TypeKind.SIGNED, TypeKind.CHAR))


def with_stack(image: Image) -> tuple[Segment, ...]:
    """The segments of a run: those of the file, and a stack where they leave room."""
    for place in _STACK_PLACES:
        end = place + STACK_SIZE + 2 * _AWAY
        if all(each.end <= place or each.address >= end for each in image.segments):
            stack = Segment("stack", place, STACK_SIZE, b"", is_writable=True, is_code=False)
            return (*image.segments, stack)
    raise UnsupportedInputError(f"{image.file} leaves no room for a stack")


def stack_pointer(stack: Segment, machine: Architecture) -> int:
    """At the entry's first instruction."""
    top = stack.end - _ABOVE
    return top if machine.link else top - machine.bytes


def return_address(stack: Segment) -> int:
    """Where the entry returns to."""
    return stack.end + _AWAY


def adapter(image: Image, entry: Code, symbol: str, prototype: Prototype, lifted: Lifted) -> str:
    """The text that is added to the lifted module. Raises UnsupportedInputError for arguments without a register."""
    machine, segments = image.architecture, with_stack(image)
    if len(prototype.parameters) > len(machine.arguments):
        most = len(machine.arguments)
        raise UnsupportedInputError(
            f"{entry.name} takes more than {most} arguments: those on the stack are not made yet"
        )
    places = range(len(prototype.parameters) + 1)
    rows = [f"define void @{ADAPTER}({', '.join(f'ptr %p{place}' for place in places)}) {{", f"  call void @{MAPPER}()"]
    back = return_address(segments[-1]) | thumb_bit(machine, entry)
    rows += [f"  {row}" for row in _registers(machine, segments[-1], lifted, prototype, back)]
    rows += [f"  call void {symbol}()", *(f"  {row}" for row in _result(machine, prototype, lifted)), "  ret void", "}"]
    return "\n".join([*rows, *_mapper(segments)]) + "\n"


def _registers(machine: Architecture, stack: Segment, lifted: Lifted, prototype: Prototype, back: int) -> Iterator[str]:
    for place, each in enumerate(prototype.parameters):
        yield from _argument(place, prototype.types[each.type], machine, lifted)
    word, sp = f"i{machine.bits}", stack_pointer(stack, machine)
    yield f"store {word} {sp}, ptr {_variable(lifted, machine.stack)}"
    if machine.link:
        yield f"store {word} {back}, ptr {_variable(lifted, machine.link)}"
    else:
        yield f"%return = inttoptr i64 {sp} to ptr"
        yield f"store {word} {back}, ptr %return"


def _argument(place: int, type_: Type, machine: Architecture, lifted: Lifted) -> Iterator[str]:
    cell = lifted.register(machine.arguments[place])
    word = f"i{machine.bits}"
    if type_.kind == TypeKind.POINTER:
        yield f"%a{place} = load ptr, ptr %p{place}"
        yield f"%w{place} = ptrtoint ptr %a{place} to {word}"
    elif 8 * type_.size == machine.bits:
        yield f"%w{place} = load {word}, ptr %p{place}"
    else:
        # RV64 keeps all numbers of 32 bits with copies of their highest bit.
        is_signed = type_.kind in _SIGNED or (machine.name == "riscv64" and type_.size == 4)
        yield f"%a{place} = load i{8 * type_.size}, ptr %p{place}"
        yield f"%w{place} = {'sext' if is_signed else 'zext'} i{8 * type_.size} %a{place} to {word}"
    value = f"%w{place}"
    if cell.size > machine.bytes:
        yield f"%x{place} = zext {word} %w{place} to {cell.type}"
        value = f"%x{place}"
    yield f"store {cell.type} {value}, ptr @veer.register.{cell.name}"


def _result(machine: Architecture, prototype: Prototype, lifted: Lifted) -> Iterator[str]:
    if prototype.returns < 0:
        return
    type_, cell = prototype.types[prototype.returns], lifted.register(machine.result)
    yield f"%r = load {cell.type}, ptr @veer.register.{cell.name}"
    wanted = f"i{8 * type_.size}"
    value = "%r"
    if wanted != cell.type:
        yield f"%s = trunc {cell.type} %r to {wanted}"
        value = "%s"
    yield f"store {wanted} {value}, ptr %p{len(prototype.parameters)}"


def _variable(lifted: Lifted, register: str) -> str:
    return f"@veer.register.{lifted.register(register).name}"


def _mapper(segments: tuple[Segment, ...]) -> Iterator[str]:
    yield "declare void @veer_map(i64, i64, ptr, i64, i32, ptr)"
    yield f"define internal void @{MAPPER}() {{"
    for number, each in enumerate(segments):
        contents = f"ptr @veer.segment.{number}" if each.data else "ptr null"
        yield (
            f"  call void @veer_map(i64 {each.address}, i64 {each.size}, {contents}, i64 {len(each.data)}, "
            f"i32 {int(each.is_writable) | int(each.is_code) << 1}, ptr @veer.name.{number})"
        )
    yield "  ret void"
    yield "}"
    for number, each in enumerate(segments):
        yield f"@veer.name.{number} = private constant {_bytes(each.name.encode() + bytes(1))}"
        if each.data:
            yield f"@veer.segment.{number} = private constant {_bytes(each.data)}"


def _bytes(data: bytes) -> str:
    shown = "".join(chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\{byte:02X}" for byte in data)
    return f'[{len(data)} x i8] c"{shown}"'


def thumb_bit(machine: Architecture, code: Code) -> int:
    """What an address of the function has beside its place."""
    return int(machine is ARM and code.is_thumb)
