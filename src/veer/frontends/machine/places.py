"""Where numbers lie when a function is called, and its result behind: by the machine's usual calling convention.

f(int a, long long b, char c)        ARM: a r0, b r2 and r3, c on the stack
                                     8051: a DPL and DPH, b and c at f_PARM_2 and f_PARM_3
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from veer.frontends.machine import floatplaces
from veer.frontends.machine.architectures import AARCH64, ARM, I8051, POWERPC, X86_64, Architecture
from veer.frontends.machine.floatplaces import FloatAbi, FloatPlaces, Held
from veer.frontends.machine.image import Code, Image
from veer.frontends.machine.prototype import Given, Prototype
from veer.model.errors import UnsupportedInputError
from veer.model.types import Type, TypeKind

_STACK_BEGIN = {X86_64.name: 8, POWERPC.name: 8}
"""Bytes above the stack pointer at the first instruction: the return address; a back chain and a place for LR."""


class At(Struct, frozen=True):
    """Registers, the one with the lowest part first; or memory at an address, or so many bytes above the stack pointer.

    `size`: bytes that are written there, in memory; `is_big`: the highest byte first; `held`: how a register holds it.
    """

    registers: tuple[str, ...] = ()
    address: int = -1
    stack: int = -1
    size: int = 0
    is_big: bool = False
    held: Held = Held.PLAIN


class Places(Struct, frozen=True):
    """Of each parameter, and of the result (None: there is none)."""

    parameters: tuple[At, ...]
    result: At | None = None


def places(image: Image, code: Code, prototype: Prototype) -> Places:
    """Raises UnsupportedInputError for what the file does not say the place of."""
    machine, types = image.architecture, prototype.types
    called = [each for each in prototype.parameters if not each.variable]
    put = _on_8051(image, code, called, types) if machine is I8051 else _usual(image, called, types)
    by_name = dict(zip((each.name for each in called), put, strict=True))
    found = tuple(by_name.get(each.name) or _variable(image, each, types) for each in prototype.parameters)
    if prototype.returns < 0:
        return Places(found)
    size = types[prototype.returns].size
    if types[prototype.returns].kind is TypeKind.FLOAT and _floats(image, "the result").has_own(size):
        return Places(found, At((floatplaces.result(machine, size),), held=floatplaces.held(machine, size)))
    return Places(found, At(_parts(machine, _results(machine), size)))


def _results(machine: Architecture) -> tuple[str, ...]:
    """The registers of a result, the lowest part first; of one register, that one."""
    if machine is I8051:
        return machine.arguments
    if machine.bits == 64:
        return (machine.result,)
    second = machine.arguments[1]
    return (second, machine.result) if machine.is_big else (machine.result, second)


def _parts(machine: Architecture, registers: tuple[str, ...], size: int) -> tuple[str, ...]:
    if machine is I8051:
        return registers[:size]
    return registers if size > machine.bytes else (machine.result,)


def _bytes(type_: Type, machine: Architecture) -> int:
    return machine.bytes if type_.kind == TypeKind.POINTER else type_.size


def _usual(image: Image, given: Sequence[Given], types: Sequence[Type]) -> Iterator[At]:
    """Registers, then the stack."""
    machine = image.architecture
    free, floats = list(machine.arguments), FloatPlaces(machine, image.float_abi)
    above = _STACK_BEGIN.get(machine.name, 0)
    for each in given:
        size = _bytes(types[each.type], machine)
        is_pair, is_own = size > machine.bytes, False
        if types[each.type].kind is TypeKind.FLOAT and _floats(image, each.name).has_own(size):
            if register := floats.next(size):
                yield At((register,), held=floatplaces.held(machine, size))
                continue
            is_own = not floats.goes_on_in_integers
        if is_pair and not is_own and machine in (ARM, POWERPC) and len(free) % 2:
            free.pop(0)
        if is_pair and not is_own and len(free) > 1:
            first, second = free.pop(0), free.pop(0)
            yield At((second, first) if machine.is_big else (first, second))
        elif free and not is_pair and not is_own:
            yield At((free.pop(0),))
        elif is_pair and not is_own and free:
            raise UnsupportedInputError(f"{each.name} lies half in a register and half on the stack: not supported")
        else:
            slot = max(size, machine.bytes)
            above = -(-above // slot) * slot if machine is not X86_64 and machine is not AARCH64 else above
            yield At(stack=above, size=slot, is_big=machine.is_big)
            above += slot


def _floats(image: Image, what: str) -> FloatPlaces:
    """Raises UnsupportedInputError where nobody says where such numbers lie."""
    if image.float_abi is FloatAbi.UNKNOWN:
        raise UnsupportedInputError(
            f"{what} is a floating-point number, and {image.file} does not say where these lie: give an ELF file"
        )
    return FloatPlaces(image.architecture, image.float_abi)


def registers_of_floats(machine: Architecture) -> Sequence[str]:
    """Those in which numbers of type `double` are given behind the named arguments; none: where integers are."""
    return [f"f{k}" for k in range(1, 9)] if machine is POWERPC else [each[0] for each in machine.floats]


def first_above(machine: Architecture, named: int) -> int:
    """How far above the stack pointer the first argument lies that is neither named nor in a register, at a call."""
    return _STACK_BEGIN.get(machine.name, 0) + machine.bytes * max(0, named - len(machine.arguments))


def _on_8051(image: Image, code: Code, given: Sequence[Given], types: Sequence[Type]) -> Iterator[At]:
    """The first one in registers, the others in variables of the function's own."""
    for number, each in enumerate(given, 1):
        size = _bytes(types[each.type], image.architecture)
        if types[each.type].kind == TypeKind.POINTER:
            raise UnsupportedInputError(
                f"{each.name} is a pointer: on the 8051 give what it leads to as a variable, 'void f(void); char x[4]'"
            )
        if number == 1:
            yield At(image.architecture.arguments[:size])
            continue
        name = f"{code.name}_PARM_{number}"
        if name not in image.data:
            raise UnsupportedInputError(f"{each.name} lies at {name}, which the map beside {image.file} does not tell")
        yield At(address=image.data[name], size=size)


def _variable(image: Image, given: Given, types: Sequence[Type]) -> At:
    """A variable of the program."""
    name, _, index = given.name.partition("[")
    if name not in image.data:
        raise UnsupportedInputError(f"{name} is no variable of {image.file}: give one that its symbols tell of")
    segment = image.segment(image.data[name])
    if segment is not None and not segment.is_writable:
        raise UnsupportedInputError(f"{name} is a constant of {image.file}, and no input: leave it out")
    size = types[given.type].size
    place = int(index.rstrip("]")) if index else 0
    is_big = image.architecture.is_big and image.architecture is not I8051
    return At(address=image.data[name] + place * size, size=size, is_big=is_big)
