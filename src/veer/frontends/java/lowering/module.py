"""A closed world → the text of one LLVM module, with the tables that its methods ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from msgspec import Struct, field

from veer.frontends.java.classfile.bytereader import ClassFormatError
from veer.frontends.java.classfile.constants import Float32, Float64, Int32, Int64, StringConstant
from veer.frontends.java.classfile.model import ClassFile, FieldInfo
from veer.frontends.java.lowering.branches import SourceBranch
from veer.frontends.java.lowering.calls import once_symbol
from veer.frontends.java.lowering.helpers import helpers
from veer.frontends.java.lowering.kinds import IR_TYPES
from veer.frontends.java.lowering.layout import Layouts, size_of
from veer.frontends.java.lowering.locations import Locations
from veer.frontends.java.lowering.method import float_text, lowered_code
from veer.frontends.java.lowering.names import field_symbol
from veer.frontends.java.lowering.natives import copies
from veer.frontends.java.lowering.replaced import cut, replaced
from veer.frontends.java.lowering.state import MethodState
from veer.frontends.java.lowering.world import STRING, Reached, World
from veer.model.errors import UsageError

BYTES = "[B"
_INTEGERS = {1: "i8", 2: "i16", 4: "i32", 8: "i64"}


class Module(Struct, dict=True):
    """The module of a world; `text` writes it. `branches`: those of the source, by (function, column)."""

    world: World
    file_of: Callable[[ClassFile], str]
    branches: dict[tuple[str, int], SourceBranch] = field(default_factory=dict)
    _constants: dict[str, str] = field(default_factory=dict)
    _names: dict[object, str] = field(default_factory=dict)

    @cached_property
    def layouts(self) -> Layouts:
        """How objects lie in memory."""
        return Layouts(self.world)

    @cached_property
    def catches(self) -> bool:
        """See ModuleNames."""
        return any(
            each.method.code is not None and each.method.code.handlers
            for each in self.world.methods.values()
            if not each.why_cut and not each.replacement
        )

    @property
    def constants(self) -> list[str]:
        """The tables that were asked for, in the order in which they were."""
        return list(self._constants.values())

    def write(self) -> str:
        """The whole module but for its head."""
        locations = Locations(self.file_of)
        functions = [line for each in self.world.methods.values() for line in self._function(each, locations)]
        functions += [line for name in self.world.initialised for line in self._once(self.world.type(name))]
        fields = [self._static(*key, each) for key, each in self.world.statics.items()]
        return "\n".join(
            [helpers(self.layouts), copies(self.layouts), *self.constants, *fields, *functions, *locations.lines]
        )

    # -- what methods ask for -------------------------------------------------------------------------------------

    def text(self, words: str) -> str:
        """See ModuleNames."""
        data = words.encode() + b"\0"
        return self._named(("text", words), lambda: f"internal constant [{len(data)} x i8] {_bytes(data)}")

    def integers(self, values: tuple[int, ...]) -> str:
        """See ModuleNames."""
        listed = ", ".join(f"i32 {value}" for value in values)
        return self._named(("integers", values), lambda: f"internal constant [{len(values)} x i32] [{listed}]")

    def subtypes(self, name: str) -> str:
        """See ModuleNames."""
        return self._named(("subtypes", name), lambda: _table(set(self.layouts.subtypes(name)), self.layouts.count))

    def elements(self) -> str:
        """See ModuleNames."""
        return self._named("elements", self._elements)

    def dispatch(self, call: tuple[str, str, str]) -> str:
        """See ModuleNames."""
        return self._named(("dispatch", call), lambda: self._dispatch(call))

    def string(self, units: tuple[int, ...]) -> str:
        """See ModuleNames."""
        return self._named(("string", units), lambda: self._string(units))

    def _named(self, key: object, make: Callable[[], str]) -> str:
        if key not in self._names:
            name = self._names[key] = f"@java.table.{len(self._names)}"
            self._constants[name] = f"{name} = {make()}"
        return self._names[key]

    def _elements(self) -> str:
        numbers = self.layouts.numbers
        arrays = [(number, name[1:]) for name, number in numbers.items() if name.startswith(("[L", "[["))]
        count = self.layouts.count
        found = set()
        for number, element in arrays:
            below = element[1:-1] if element.startswith("L") else element
            found |= {number * count + each for each in self.layouts.subtypes(below)}
        return _table(found, count * count)

    def _dispatch(self, call: tuple[str, str, str]) -> str:
        targets = self.world.targets(*call)
        rows = ["null"] * self.layouts.count
        for name, reached in targets.items():
            rows[self.layouts.numbers[name]] = f"@{reached.symbol}"
        return f"internal constant [{len(rows)} x ptr] [{', '.join(f'ptr {row}' for row in rows)}]"

    def _string(self, units: Sequence[int]) -> str:
        """Latin-1 where all fit, as the JDK keeps it."""
        is_narrow = all(unit < 256 for unit in units)
        data = bytes(units) if is_narrow else b"".join(unit.to_bytes(2, "little") for unit in units)
        array = self._named(("bytes", data), lambda: self._byte_array(data))
        values = {"value": f"ptr {array}", "coder": f"i8 {int(not is_narrow)}"}
        number = self.layouts.numbers[STRING]
        parts, end = [f"i32 {number}", "i32 0"], 8
        shape = self.layouts.shape(STRING)
        for owner, each in shape.fields:
            offset, size = shape.offsets[owner, each.name], size_of(each.descriptor)
            parts += ["i8 0"] * (offset - end)
            parts.append(values.get(each.name, f"{_INTEGERS[size]} 0"))
            end = offset + size
        parts += ["i8 0"] * (shape.size - end)
        types = ", ".join(part.partition(" ")[0] for part in parts)
        return f"internal global <{{ {types} }}> <{{ {', '.join(parts)} }}>, align 8"

    def _byte_array(self, data: bytes) -> str:
        head = f"i32 {self.layouts.numbers[BYTES]}, i32 0, i32 {len(data)}, i32 0"
        types = f"<{{ i32, i32, i32, i32, [{len(data)} x i8] }}>"
        return f"internal global {types} <{{ {head}, [{len(data)} x i8] {_bytes(data)} }}>, align 8"

    # -- functions ------------------------------------------------------------------------------------------------

    def _function(self, reached: Reached, locations: Locations) -> list[str]:
        if reached.replacement:
            return replaced(reached, self.layouts, self.text)
        if reached.why_cut:
            return cut(reached, self.text(reached.why_cut))
        code = reached.method.code
        assert code is not None
        scope = locations.scope(reached)
        state = MethodState(
            *(reached, code, self.world, self.layouts, self), lambda line, column: locations.at(scope, line, column)
        )
        try:
            lines, branches = lowered_code(state, scope_text(scope))
        except (ClassFormatError, IndexError) as error:
            raise UsageError(f"the code of {reached.symbol} cannot be followed: {error}") from error
        if self.world.path.is_own(reached.owner.name):
            self.branches.update({(reached.symbol, at + 1): branch for at, branch in branches.items()})
        return lines

    def _once(self, owner: ClassFile) -> list[str]:
        """Runs a class's initialiser, those above it first, when it is first called."""
        name = once_symbol(owner)
        above = [each for each in self.world.superclasses(owner.name) if each.name in self.world.initialised][1:]
        before = [f"  call void @{once_symbol(above[0])}()"] if above else []
        failed = self.text(f"an exception in the static initialiser of {owner.name.replace('/', '.')}")
        return [
            f"@{name}.done = internal global i8 0",
            f"define void @{name}() {{",
            f"  %done = load i8, ptr @{name}.done",
            "  %is_done = icmp ne i8 %done, 0",
            "  br i1 %is_done, label %end, label %first",
            "first:",
            f"  store i8 1, ptr @{name}.done",
            *before,
            f"  call void @{name.removesuffix('.once')}()",
            "  %pending = load ptr, ptr @veer_call_java_pending",
            "  %is_thrown = icmp ne ptr %pending, null",
            "  br i1 %is_thrown, label %failed, label %end",
            "failed:",
            f"  call void @veer_refuse(ptr {failed})",
            "  ret void",
            "end:",
            "  ret void",
            "}",
        ]

    def _static(self, owner: str, name: str, found: FieldInfo) -> str:
        type_ = _INTEGERS[size_of(found.descriptor)]
        value = "0"
        constant = found.constant
        if found.descriptor in "FD":
            type_ = IR_TYPES[found.descriptor]
            value = "0.0"
        elif found.descriptor.startswith(("L", "[")):
            type_, value = "ptr", "null"
        if isinstance(constant, Int32 | Int64):
            value = str(constant.value)
        elif isinstance(constant, Float32):
            value = float_text(constant.number)
        elif isinstance(constant, Float64):
            value = f"0x{constant.bits:016X}"
        elif isinstance(constant, StringConstant):
            value = self.string(constant.units)
        return f"@{field_symbol(owner, name)} = internal global {type_} {value}"


def scope_text(scope: int) -> str:
    """What a function's head says of its debug information."""
    return f" !dbg !{scope}"


def _table(ones: set[int], count: int) -> str:
    data = bytes(int(number in ones) for number in range(count))
    return f"internal constant [{count} x i8] {_bytes(data)}"


def _bytes(data: bytes) -> str:
    return f'c"{"".join(f"{chr(92)}{byte:02X}" for byte in data)}"' if data else "zeroinitializer"
