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

import errno
from collections.abc import Collection, Sequence
from pathlib import Path

from msgspec import Struct, field

from veer.frontends.machine import arithmetic, ctype, errornumber, floats, library
from veer.frontends.machine.architectures import X86_64
from veer.frontends.machine.cells import Cells
from veer.frontends.machine.decoder import Varnode
from veer.frontends.machine.floatplaces import FloatAbi, Held
from veer.frontends.machine.image import Code, Image
from veer.frontends.machine.liveness import Bridge
from veer.frontends.machine.places import At, Places, first_above, places, registers_of_floats
from veer.frontends.machine.prototype import Prototype, parsed
from veer.frontends.machine.straightcode import SIGNED, StraightCode
from veer.model.buildoptions import BuildOptions
from veer.model.types import Type, TypeKind
from veer.model.values import replace

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
    if image.float_abi is FloatAbi.UNKNOWN and any(each.kind is TypeKind.FLOAT for each in machines.types):
        return None
    put = places(image, Code(name, 0), machines)
    known = arithmetic.calculation(name, image.architecture)
    if known is not None:
        put = replace(put, result=At(arithmetic.registers(known, image.architecture)))
    return Imported(library.canonical(name), machines, hosts, put, known)


def symbol(name: str) -> str:
    """What a bridge is called in IR."""
    return f'@"veer.import.{name}"'


def bridges(
    image: Image, names: Collection[str], cells: Cells, registers: dict[str, Varnode]
) -> tuple[str, dict[str, Bridge]]:
    """The text of the bridges to those of these functions that have a model, and by its name what each does to
    registers."""
    written, declared, found = [], {}, {}
    has_errno = errornumber.is_copied(image.architecture, names)
    for name in sorted(set(names)):
        known = imported(image, name)
        if known is not None:
            writer = _Bridge(image, cells, registers, has_errno=has_errno)
            written.append(writer.text(known, symbol(name)))
            declared.update(writer.declared)
            found[symbol(name)] = Bridge(frozenset(writer.reads), frozenset(writer.writes), frozenset(writer.kills))
    head = [f"{_SCRATCH} = internal global i64 0"] if written else []
    head += [f"{_ARGUMENTS} = internal global [{_ARGUMENTS_SIZE} x i8] zeroinitializer, align 8"] if written else []
    return "\n".join(
        [*head, *sorted({f"declare {row}" for row in declared.values()} - set(floats.DECLARED)), *written]
    ) + "\n", found


class _Bridge(StraightCode):
    """Writes one."""

    has_errno: bool = False
    declared: dict[str, str] = field(default_factory=dict)

    def text(self, known: Imported, name: str) -> str:
        place = ctype.result(known.name)
        if place is not None:
            self.write(self.image.architecture.result, str(place))
            self._return()
        elif known.name == errornumber.LOCATION and self.image.architecture.bits == 32:
            self.write(self.image.architecture.result, str(errornumber.PLACE))
            self._return()
        elif known.name in library.IN_WORDS:
            self._in_words(known)
        elif known.calculation is not None:
            self._calculation(known, known.calculation)
        elif known.name in library.ORDERS and self.image.architecture.is_big:
            wanted = self._hosts(known)[0]
            self._result(known, self._argument(known, 0, wanted), _type(wanted))
            self._return()
        elif known.name in library.OUTPUT or known.name in library.ANSWERED:
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
        value = arithmetic.written(what, given, self.value)
        assert known.put.result is not None
        self.to_registers(value, what.width, known.put.result.registers, is_signed=True)
        self._return()

    def _in_words(self, known: Imported) -> None:
        """The sum of words of memory, as the machine has them there."""
        machine = self.image.architecture
        word, total = f"i{machine.bits}", "0"
        at = self._argument(known, 0, self._hosts(known)[0])
        for place in range(library.IN_WORDS[known.name], 2):
            address = self.value(f"getelementptr i8, ptr {at}, i64 {machine.bytes * place}")
            value = self.value(f"load {word}, ptr {address}, align 1")
            if machine.is_big:
                value = self.value(f"call {word} @llvm.bswap.{word}({word} {value})")
            total = self.value(f"add {word} {total}, {value}")
        self.write(machine.result, total)
        self._return()

    @staticmethod
    def _hosts(known: Imported) -> list[Type]:
        """The types of the arguments here."""
        return [known.hosts.types[each.type] for each in known.hosts.parameters]

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
        if target == "strtoul" and self.image.architecture.bits == 32:
            target = "machine_strtoul"
        if target in library.NEW_IN_C:
            target = f"machine_{target}"
        if target == "__assert_func":  # newlib's, with the text behind the others
            target, given = "__assert_fail", [given[3], *given[:3]]
        target = library.float_intrinsic(target)
        types = ", ".join(each.split(" ")[0] for each in given)
        self.declared[target] = f"{result} @{target}({types})"
        call = f"call {result} @{target}({', '.join(given)})"
        error = self._own_error(known)
        is_beyond = "0"
        if result == "void":
            self.rows.append(f"  {call}")
        else:
            value = whole = self.value(call)
            if is_long:
                value = self.value(f"call i64 @llvm.smax.i64(i64 {value}, i64 {_LEAST})")
                value = self.value(f"call i64 @llvm.smin.i64(i64 {value}, i64 {_MOST})")
                is_beyond = self.value(f"sext i1 {self.value(f'icmp ne i64 {whole}, {value}')} to i32")
            self._result(known, value, result)
        if error:
            self._copy_error(error, is_beyond)
        for end in ends:
            self._end(end)
        if known.name not in library.NO_RETURN:
            self._return()

    def _own_error(self, known: Imported) -> str:
        """Where veer's own `errno` lies, which is 0 now; nothing where that of the machine is not asked for."""
        if not self.has_errno or known.name not in errornumber.SET_BY:
            return ""
        place = self._call_own(errornumber.LOCATION, "ptr", [])
        self.rows.append(f"  store i32 0, ptr {place}")
        return place

    def _copy_error(self, place: str, is_beyond: str) -> None:
        """What a call left in veer's own `errno`, or ERANGE under a mask, becomes that of the machine; 0 changes
        nothing. Without a branch: it would be one of the program's."""
        failed = self.value(f"load i32, ptr {place}")
        failed = self.value(f"or i32 {failed}, {self.value(f'and i32 {is_beyond}, {errno.ERANGE}')}")
        mask = self.value(f"sext i1 {self.value(f'icmp ne i32 {failed}, 0')} to i32")
        old = f"inttoptr (i64 {errornumber.PLACE} to ptr)"
        kept = self.value(f"and i32 {self.value(f'load i32, ptr {old}')}, {self.value(f'xor i32 {mask}, -1')}")
        self.rows.append(f"  store i32 {self.value(f'or i32 {kept}, {self.ordered(failed, 32)}')}, ptr {old}")

    def _checked(self, target: str, given: list[str]) -> list[str]:
        """The arguments of the function that is called where there is room enough; else the program ends."""
        *rest, room = given
        if rest[-1].startswith("i64 "):
            rest[-1] = f"i64 {self._call_own('machine_checked', 'i64', [rest[-1], room])}"
            return rest
        total = self.value(f"add i64 {self._call_own('strlen', 'i64', [rest[1]])}, 1")
        if target == "strcat":
            total = self.value(f"add i64 {total}, {self._call_own('strlen', 'i64', [rest[0]])}")
        self._call_own("machine_checked", "i64", [f"i64 {total}", room])
        return rest

    def _call_own(self, name: str, result: str, given: Sequence[str]) -> str:
        """A call of a function of veer's library. `given`: with their types."""
        self.declared[name] = f"{result} @{name}({', '.join(each.split(' ')[0] for each in given)})"
        return self.value(f"call {result} @{name}({', '.join(given)})")

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
            value = self.widened(self.read(machine.arguments[place]), machine.bits, 64, is_signed=False)
            self._note(f"store i64 {value}", 8 * place)
        given_floats = registers_of_floats(machine)
        for place, register in enumerate(given_floats):
            if self.cells.knows(self.registers[register]):
                self._note(f"store i64 {self.read(register)}", 8 * (_SLOTS + place))
        if list_ is None:
            word = f"i{machine.bits}"
            first = self.value(f"add {word} {self.read(machine.stack)}, {first_above(machine, given)}")
            address = self.widened(first, machine.bits, 64, is_signed=False)
        else:
            address, named = self.value(f"ptrtoint {list_} to i64"), count
        self._note(f"store i64 {address}", 16 * _SLOTS)
        numbers = (named, count, machine.bytes, int(machine.is_big), int(bool(given_floats)), 0)
        for place, number in enumerate(numbers):
            self._note(f"store i32 {number}", 8 * (2 * _SLOTS + 1) + 4 * place)

    def _note(self, store: str, place: int) -> None:
        self.rows.append(f"  {store}, ptr getelementptr (i8, ptr {_ARGUMENTS}, i64 {place})")

    def _set(self, known: Imported) -> None:
        """`memset` by the names of ARM's EABI; the result of these is nobody's."""
        to, size, *value = (self._argument(known, place, row) for place, row in enumerate(self._hosts(known)))
        self.declared["memset"] = "ptr @memset(ptr, i32, i64)"
        self.value(f"call ptr @memset(ptr {to}, i32 {value[0] if value else 0}, i64 {size})")
        self._return()

    def _output(self, known: Imported) -> None:
        """Texts are read; nothing is written, and nothing is done."""
        result, width = "0" if known.name in library.ANSWERED else str(library.PRINTED), 32
        for number, each in enumerate(known.hosts.parameters):
            wanted = known.hosts.types[each.type]
            if each.name in ("s", "format"):
                value = self._argument(known, number, wanted)
                self.declared["strlen"] = "i64 @strlen(ptr)"
                self.value(f"call i64 @strlen(ptr {value})")
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
        if own.kind is TypeKind.FLOAT and at.registers and not self.cells.knows(self.registers[at.registers[0]]):
            return self.value(f"bitcast i{bits} 0 to {_type(wanted)}")  # nobody has written it
        value, width = self.joined(at) if at.registers else self.above(at)
        if at.held is Held.WIDE:
            wide = self.value(f"bitcast i64 {value} to double")
            single = self.value(f"fptrunc double {wide} to float")
            value, width = self.value(f"bitcast float {single} to i32"), 32
        value = self.resized(value, width, bits, own)
        if wanted.kind == TypeKind.FLOAT:
            return self.value(f"bitcast i{bits} {value} to {_type(wanted)}")
        if wanted.kind == TypeKind.POINTER:
            return self.value(f"inttoptr i{bits} {value} to ptr")
        return self.resized(value, bits, 8 * wanted.size, own)

    def _result(self, known: Imported, value: str, type_: str) -> None:
        machine = self.image.architecture
        if known.gives_pointer:
            pointer = self.value(f"ptrtoint ptr {value} to i{machine.bits}")
            self.write(machine.result, pointer)
            return
        own, at = known.machines.types[known.machines.returns], known.put.result
        assert at is not None
        if own.kind is TypeKind.FLOAT:
            if not self.cells.knows(self.registers[at.registers[0]]):
                return  # nobody looks at it
            if at.held is Held.WIDE:
                type_, value = "double", self.value(f"fpext float {value} to double")
            width = {"float": 32, "double": 64}[type_]
            value, type_ = self.value(f"bitcast {type_} {value} to i{width}"), f"i{width}"
            if at.held is Held.ONES:
                wide = self.value(f"zext i32 {value} to i64")
                value, type_ = self.value(f"or i64 {wide}, {-(1 << 32)}"), "i64"
            self.to_registers(value, int(type_[1:]), at.registers, is_signed=False)
            return
        width = int(type_[1:])
        if width > 8 * own.size:
            value, width = self.value(f"trunc i{width} {value} to i{8 * own.size}"), 8 * own.size
        self.to_registers(value, width, at.registers, is_signed=own.kind in SIGNED)

    def _end(self, pointer: str) -> None:
        """Writes the pointer that a function left, where the machine asks for it; null asks for nothing."""
        left = self.value(f"load i64, ptr {_SCRATCH}")
        word = self.ordered(self.value(f"trunc i64 {left} to i32"), 32)
        given = self.value(f"ptrtoint ptr {pointer} to i64")
        mask = self.value(f"sext i1 {self.value(f'icmp eq i64 {given}, 0')} to i64")
        spare = self.value(f"and i64 {mask}, ptrtoint (ptr {_SCRATCH} to i64)")
        place = self.value(f"inttoptr i64 {self.value(f'add i64 {given}, {spare}')} to ptr")
        self.rows.append(f"  store i32 {word}, ptr {place}, align 1")

    def _return(self) -> None:
        """x86 has the return address on the stack: the function takes it away."""
        machine = self.image.architecture
        if machine is X86_64:
            above = self.value(f"add i64 {self.read(machine.stack)}, {machine.bytes}")
            self.write(machine.stack, above)


def _type(type_: Type) -> str:
    if type_.kind is TypeKind.FLOAT:
        return "double" if type_.size == 8 else "float"
    return "ptr" if type_.kind == TypeKind.POINTER else f"i{8 * type_.size}"
