"""A closed world → the text of one LLVM module, with the tables that its methods ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from msgspec import Struct, field

from veer.frontends.java.classfile.bytereader import ClassFormatError
from veer.frontends.java.classfile.constants import Float32, Float64, Int32, Int64, StringConstant
from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.classfile.model import ClassFile, FieldInfo
from veer.frontends.java.lowering.arraycopies import copies
from veer.frontends.java.lowering.branches import SourceBranch
from veer.frontends.java.lowering.cuts import ENUM_CONSTANTS
from veer.frontends.java.lowering.declarations import declared
from veer.frontends.java.lowering.helpers import helpers
from veer.frontends.java.lowering.kinds import IR_TYPES, kind_of
from veer.frontends.java.lowering.layout import Layouts, array_of, component_of, size_of
from veer.frontends.java.lowering.locations import Locations
from veer.frontends.java.lowering.method import float_text, lowered_code
from veer.frontends.java.lowering.names import escaped, field_symbol, once_symbol
from veer.frontends.java.lowering.once import once, once_of_runtime
from veer.frontends.java.lowering.replaced import cut, declared_for, replaced
from veer.frontends.java.lowering.state import MethodState, ModuleNames
from veer.frontends.java.lowering.world import CLASS, PRIMITIVES, STRING, Reached, World
from veer.model.errors import UsageError
from veer.toolchain.cache import digest

BYTES = "[B"
_INTEGERS = {1: "i8", 2: "i16", 4: "i32", 8: "i64"}


class SharedText(Struct, frozen=True):
    """A method of the runtime as a module of its own, the same for all worlds. `symbol`: its function."""

    symbol: str
    text: str


class Written(Struct, frozen=True):
    """A world as text: the module of the user's methods and of all tables, and those of the runtime's methods."""

    own: str
    shared: tuple[SharedText, ...]


class Module(Struct, dict=True):
    """The module of a world; `write` writes it. `branches`: those of the source, by (function, column)."""

    world: World
    file_of: Callable[[ClassFile], str]
    branches: dict[tuple[str, int], SourceBranch] = field(default_factory=dict)
    is_shared: bool = False
    _constants: dict[str, str] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)

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

    def write(self, adapter: Callable[[], str] = str) -> Written:
        """All modules but for the head of the first. `adapter`: more text for it, which may ask for tables, too."""
        locations, functions = Locations(self.file_of), list[str]()
        shared = []
        for each in list(self.world.methods.values()):
            if self.is_kept(each):
                shared.append(self._shared(each))
            else:
                functions += self._function(each, locations)
                functions += self._once(each)
        more = adapter()
        fields = [self._static(*key, each) for key, each in self.world.statics.items()]
        self._class_tables()
        elsewhere = [line for each in self.world.methods.values() if self.is_kept(each) for line in declarations(each)]
        others = [line for each in self.world.methods.values() for line in declared_for(each)]
        parts = [helpers(self.layouts), copies(self), *elsewhere, *others, *self.constants, *fields]
        parts += [*functions, *locations.lines, more]
        return Written("\n".join(parts), tuple(shared))

    def is_kept(self, reached: Reached) -> bool:
        """Whether a method's text is the same for all worlds."""
        return not (reached.why_cut or reached.replacement or self.world.path.is_own(reached.owner.name))

    def _shared(self, reached: Reached) -> SharedText:
        locations, names = Locations(self.file_of), SharedNames(self)
        lines = [*self._function(reached, locations, names), *self._once(reached, names)]
        text = [*names.texts.values(), *lines]
        return SharedText(reached.symbol, "\n".join([*declared(text), *text, *locations.lines]))

    # -- what methods ask for -------------------------------------------------------------------------------------

    def text(self, words: str) -> str:
        """See ModuleNames."""
        if words not in self._texts:
            self._texts[words] = f"@java.text.{len(self._texts)}"
            self._constants[self._texts[words]] = text_constant(self._texts[words], words)
        return self._texts[words]

    def data(self, data: bytes) -> str:
        """See ModuleNames."""
        made = f"constant [{len(data)} x i8] {_bytes(data)}, align 8"
        return self._named(f"data.{_digest(tuple(data))}", lambda: made)

    def number(self, name: str) -> str:
        """See ModuleNames."""
        return self._named(f"number.{name}", lambda: f"constant i32 {self.layouts.numbers[name]}")

    def dimensions(self, name: str, count: int) -> str:
        """See ModuleNames."""
        return self._named(f"dimensions.{count}.{name}", lambda: self._dimensions(name, count))

    def subtypes(self, name: str) -> str:
        """See ModuleNames."""
        return self._named(f"subtypes.{name}", lambda: _table(set(self.layouts.subtypes(name)), self.layouts.count))

    def elements(self) -> str:
        """See ModuleNames."""
        return self._named("elements", self._elements)

    def dispatch(self, call: tuple[str, str, str]) -> str:
        """See ModuleNames."""
        return self._named(f"dispatch.{'.'.join(call)}", lambda: self._dispatch(call))

    def string(self, units: tuple[int, ...]) -> str:
        """See ModuleNames."""
        return self._named(f"string.{_digest(units)}", lambda: self._string(units))

    def class_object(self, name: str) -> str:
        """See ModuleNames."""
        return self._named(f"class.{name}", lambda: self._class(name))

    def table(self, role: str, type_: str, rows: Sequence[str]) -> str:
        """A table of such values."""
        listed = ", ".join(f"{type_} {row}" for row in rows)
        return self._named(f"table.{role}", lambda: f"constant [{len(rows)} x {type_}] [{listed}]")

    def _named(self, key: str, make: Callable[[], str]) -> str:
        name = f"@java.{escaped(key)}"
        if name not in self._constants:
            self._constants[name] = ""  # what it is made of may ask for it
            self._constants[name] = f"{name} = {make()}"
        return name

    def _dimensions(self, name: str, count: int) -> str:
        values = [self.layouts.numbers[name[start:]] for start in range(count)]
        return f"constant [{count} x i32] [{', '.join(f'i32 {value}' for value in values)}]"

    def _class_tables(self) -> None:
        """The class objects of all classes that objects may be of, by number; and what arrays of each are."""
        if CLASS not in self.layouts.numbers:
            return
        names = list(self.layouts.class_numbers)
        self.table("classes", "ptr", ["null", *(self.class_object(name) for name in names)])
        numbers = self.layouts.numbers
        arrays = [numbers.get(array_of(name), 0) for name in names]
        self.table("arrays", "i32", ["0", *map(str, arrays)])
        self.table("sizes", "i64", ["0", *(str(size_of(array_of(name)[1:])) for name in names)])
        known = self.layouts.class_numbers
        parts = [part if part in known else "" for part in map(component_of, names)]
        self.table("components", "ptr", ["null", *(self.class_object(part) if part else "null" for part in parts)])
        above = [next(iter(self.world.above_class(name)), "") for name in names]
        self.table("supers", "ptr", ["null", *(self.class_object(name) if name else "null" for name in above)])
        self.table("subtypes", "ptr", ["null", *(self.subtypes(name) for name in names)])
        values = [self.world.enum_values(name) if ENUM_CONSTANTS in self.world.methods else None for name in names]
        self.table("enums", "ptr", ["null", *(f"@{each.symbol}" if each is not None else "null" for each in values)])
        onces = [f"@{once_symbol(each.owner)}" if each is not None else "null" for each in values]
        self.table("onces", "ptr", ["null", *onces])

    def _class(self, name: str) -> str:
        words = tuple(ord(unit) for unit in PRIMITIVES.get(name, name.replace("/", ".")))
        values = {"name": f"ptr {self.string(words)}", "classRedefinedCount": f"i32 {self.layouts.class_numbers[name]}"}
        return self._object(CLASS, values)

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
        rows = ["@veer_call_java_nobody"] * self.layouts.count
        for name, reached in targets.items():
            rows[self.layouts.numbers[name]] = f"@{reached.symbol}"
        return f"constant [{len(rows)} x ptr] [{', '.join(f'ptr {row}' for row in rows)}]"

    def _string(self, units: Sequence[int]) -> str:
        """Latin-1 where all fit, as the JDK keeps it."""
        is_narrow = all(unit < 256 for unit in units)
        data = bytes(units) if is_narrow else b"".join(unit.to_bytes(2, "little") for unit in units)
        array = self._named(f"bytes.{_digest((int(is_narrow), *data))}", lambda: self._byte_array(data))
        return self._object(STRING, {"value": f"ptr {array}", "coder": f"i8 {int(not is_narrow)}"})

    def _object(self, name: str, values: Mapping[str, str]) -> str:
        """An object that is there from the beginning. `values`: of its fields; the others are zeros."""
        parts, end = [f"i32 {self.layouts.numbers[name]}", "i32 0"], 8
        shape = self.layouts.shape(name)
        for owner, each in shape.fields:
            offset, size = shape.offsets[owner, each.name], size_of(each.descriptor)
            parts += ["i8 0"] * (offset - end)
            parts.append(values.get(each.name, f"{_INTEGERS[size]} 0"))
            end = offset + size
        parts += ["i8 0"] * (shape.size - end)
        types = ", ".join(part.partition(" ")[0] for part in parts)
        return f"global <{{ {types} }}> <{{ {', '.join(parts)} }}>, align 8"

    def _byte_array(self, data: bytes) -> str:
        head = f"i32 {self.layouts.numbers[BYTES]}, i32 0, i32 {len(data)}, i32 0"
        types = f"<{{ i32, i32, i32, i32, [{len(data)} x i8] }}>"
        return f"global {types} <{{ {head}, [{len(data)} x i8] {_bytes(data)} }}>, align 8"

    # -- functions ------------------------------------------------------------------------------------------------

    def _function(self, reached: Reached, locations: Locations, names: ModuleNames | None = None) -> list[str]:
        if reached.replacement:
            return replaced(reached, self)
        if reached.why_cut:
            return cut(reached, self.text(reached.why_cut))
        code = reached.method.code
        assert code is not None
        scope = locations.scope(reached)
        state = MethodState(
            *(reached, code, self.world, self.layouts, names or self),
            lambda line, column: locations.at(scope, line, column),
        )
        try:
            lines, branches = lowered_code(state, scope_text(scope))
        except (ClassFormatError, IndexError) as error:
            raise UsageError(f"the code of {reached.symbol} cannot be followed: {error}") from error
        if self.world.path.has_file(reached.owner.name):
            self.branches.update({(reached.symbol, at + 1): branch for at, branch in branches.items()})
        return lines

    def _once(self, reached: Reached, names: ModuleNames | None = None) -> list[str]:
        """Behind a class's initialiser: what runs it when it is first called, those above it first."""
        if reached.method.name != "<clinit>":
            return []
        owner = reached.owner
        above = [each for each in self.world.superclasses(owner.name) if each.name in self.world.initialised][1:]
        before = [f"  call void @{once_symbol(above[0])}()"] if above else []
        if names is None and self.world.path.is_own(owner.name):
            return once(owner, before, self)
        failed = (names or self).text(f"an exception in the static initialiser of {owner.name.replace('/', '.')}")
        return once_of_runtime(owner, before, failed)

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
        return f"@{field_symbol(owner, name)} = global {type_} {value}"


def declarations(reached: Reached) -> list[str]:
    """What another module declares to call a method, and the initialiser of its class."""
    parameters, result = method_types(reached.method.descriptor)
    kinds = [*([] if reached.method.is_static else ["A"]), *(kind_of(type_) for type_ in parameters)]
    given = ", ".join(IR_TYPES[kind] for kind in kinds)
    own = f"declare {IR_TYPES[kind_of(result)] if result != 'V' else 'void'} @{reached.symbol}({given})"
    once = [f"declare void @{once_symbol(reached.owner)}()"] if reached.method.name == "<clinit>" else []
    return [own, *once]


class SharedNames(Struct):
    """What a method of the runtime asks for (ModuleNames): variables of the world, by their names alone."""

    module: Module
    texts: dict[str, str] = field(default_factory=dict)
    catches: bool = True
    is_shared: bool = True

    def text(self, words: str) -> str:
        """See ModuleNames; each module has its own."""
        name = f"@java.text.{_digest(tuple(words.encode()))}"
        self.texts[name] = text_constant(name, words)
        return name

    def data(self, data: bytes) -> str:
        """See ModuleNames; each module has its own."""
        name = f"@java.data.{_digest(tuple(data))}"
        self.texts[name] = f"{name} = internal constant [{len(data)} x i8] {_bytes(data)}, align 8"
        return name

    def number(self, name: str) -> str:
        """See ModuleNames."""
        return self.module.number(name)

    def class_object(self, name: str) -> str:
        """See ModuleNames."""
        return self.module.class_object(name)

    def string(self, units: tuple[int, ...]) -> str:
        """See ModuleNames."""
        return self.module.string(units)

    def dimensions(self, name: str, count: int) -> str:
        """See ModuleNames."""
        return self.module.dimensions(name, count)

    def subtypes(self, name: str) -> str:
        """See ModuleNames."""
        return self.module.subtypes(name)

    def dispatch(self, call: tuple[str, str, str]) -> str:
        """See ModuleNames."""
        return self.module.dispatch(call)

    def elements(self) -> str:
        """See ModuleNames."""
        return self.module.elements()


def text_constant(name: str, words: str) -> str:
    """The definition of a text."""
    data = words.encode() + b"\0"
    return f"{name} = internal constant [{len(data)} x i8] {_bytes(data)}"


def _digest(units: Sequence[int]) -> str:
    return digest(",".join(map(str, units)))[:24]


def scope_text(scope: int) -> str:
    """What a function's head says of its debug information."""
    return f" !dbg !{scope}"


def _table(ones: set[int], count: int) -> str:
    data = bytes(int(number in ones) for number in range(count))
    return f"constant [{count} x i8] {_bytes(data)}"


def _bytes(data: bytes) -> str:
    return f'c"{"".join(f"{chr(92)}{byte:02X}" for byte in data)}"' if data else "zeroinitializer"
