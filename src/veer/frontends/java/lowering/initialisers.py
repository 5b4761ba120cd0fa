"""What makes an object of a new input, in LLVM IR: a function for each row of objects (types.py), called when the input
is first followed. It writes the number of the class, which is decided here, and what else is no input.

    define void @veer_java_make_7(ptr %made) { ... }
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.lowering.kinds import IR_TYPES, kind_of
from veer.frontends.java.lowering.layout import MEMORY_TYPES
from veer.frontends.java.lowering.module import Module
from veer.frontends.java.lowering.names import field_symbol, method_symbol, once_symbol
from veer.frontends.java.lowering.world import ENUM, INPUTS, LENGTH_AT, OBJECTS, STRING
from veer.frontends.java.shapes.shape import Candidate, Kind
from veer.frontends.java.types import INITIALISER, Placed, Row, TypeTable
from veer.model.types import ORDINAL

PLACE = "@veer_call_java_place"
"""Where the next new object of the class that is noted there lies; null: anywhere (helpers.py)."""
_LONGEST = 64
"""Longer arrays keep a length that is an input."""
_MARKED = "ZBCSIJ"
"""Boxes that valueOf makes once (identity.py)."""
FILL = ("fill", "(Ljava/util/Collection;[Ljava/lang/Object;)V")
FILL_MAP = ("fill", "(Ljava/util/Map;[Ljava/lang/Object;)V")
"""Of veer.Inputs: what puts elements into a new collection."""


class Initialisers:
    """The functions of a program's rows."""

    def __init__(self, module: Module, table: TypeTable) -> None:
        self._module = module
        self._table = table

    def text(self) -> list[str]:
        """All of them."""
        return [line for row in self._table.rows.values() for line in self._function(row)]

    def _function(self, row: Row) -> list[str]:
        kind = row.shape.kind
        writers = {
            **{Kind.TEXT: self._text, Kind.ARRAY: self._array, Kind.LIST: self._list},
            **{Kind.COLLECTION: self._collection, Kind.CONSTANT: self._constant},
        }
        body = writers.get(kind, self._object)(row)
        return [f"define void @{INITIALISER}{row.id}(ptr %made) {{", *body, "}"]

    # -- arrays, and objects with one behind them ---------------------------------------------------------------------

    def _text(self, row: Row) -> list[str]:
        layouts = self._module.layouts
        value = layouts.offset(STRING, "value", "[B")
        return [*self._numbered(STRING), *self._behind(row, "[B"), *_stored(value, "%array"), "  ret void"]

    def _array(self, row: Row) -> list[str]:
        return [*self._numbered(row.shape.type.descriptor), "  ret void"]

    def _list(self, row: Row) -> list[str]:
        layouts, owner = self._module.layouts, row.shape.owner
        elements, size = layouts.offset(owner, "elementData", "[Ljava/lang/Object;"), layouts.offset(owner, "size", "I")
        lines = [*self._numbered(owner), *self._behind(row, OBJECTS), *_stored(elements, "%array")]
        return [*lines, *_lengths(row.base, size)]

    def _collection(self, row: Row) -> list[str]:
        """The array behind the object holds what is put into it; of a map each key, and its value behind it."""
        owner, is_map = row.shape.owner, row.shape.second is not None
        fill = FILL_MAP if is_map else FILL
        lines = [*self._numbered(owner), *self._behind(row, OBJECTS), *_lengths(row.base, twice=is_map)[:-1]]
        calls = [
            f"call void @{self._symbol(owner, ('<init>', '()V'))}(ptr %made)",
            f"call void @{self._symbol(INPUTS, fill)}(ptr %made, ptr %array)",
        ]
        return [*lines, *guarded(calls, "filled"), "  ret void"]

    def _behind(self, row: Row, name: str) -> list[str]:
        return [
            f"  %array = getelementptr i8, ptr %made, i64 {row.base}",
            f"  store i32 {self._module.layouts.numbers[name]}, ptr %array",
        ]

    # -- objects ------------------------------------------------------------------------------------------------------

    def _object(self, row: Row) -> list[str]:
        candidates = row.shape.candidates
        if len(candidates) == 1:
            return self._candidate(row, candidates[0], row.placed[0], "c0")
        cases = " ".join(f"i32 {number}, label %c{number}" for number in range(len(candidates)))
        lines = ["  %which = load i32, ptr %made", f"  switch i32 %which, label %none [ {cases} ]"]
        lines += ["none:", "  ret void"]
        for number, (each, placed) in enumerate(zip(candidates, row.placed, strict=True)):
            lines += [f"c{number}:", *self._candidate(row, each, placed, f"c{number}")]
        return lines

    def _candidate(self, row: Row, made: Candidate, placed: Sequence[Placed], name: str) -> list[str]:
        lines = [*self._initialised(made.name, name), *self._numbered(made.name)]
        if made.letter in _MARKED and made.letter:
            lines += [f"  %{name}.mark = getelementptr i8, ptr %made, i64 4", f"  store i32 1, ptr %{name}.mark"]
        if made.letter:
            lines += self._number(made, placed[0].offset, f"%{name}.v")
        if made.constructor is None:
            return [*lines, "  ret void"]
        given = [] if made.constructor.is_static else ["ptr %made"]
        types = method_types(made.constructor.descriptor)[0]
        for place, (type_, each) in enumerate(zip(types, placed, strict=True)):
            value = f"%{name}.a{place}"
            lines += loaded(type_, each.offset, "%made", value)
            if kind_of(type_) == "A":  # an object is made before others hold it
                lines += [
                    f"  {value}.other = icmp ne ptr {value}, %made",
                    f"  {value}.holds = zext i1 {value}.other to i32",
                    f"  call void @veer_assume(i32 {value}.holds)",
                ]
            given.append(f"{IR_TYPES[kind_of(type_)]} {value}")
        symbol = self._symbol(made.name, made.constructor.key)
        if made.constructor.is_static:
            return [*lines, *self._by_factory(made, f"@{symbol}({', '.join(given)})", name), "  ret void"]
        return [*lines, *guarded([f"call void @{symbol}({', '.join(given)})"], name), "  ret void"]

    def _by_factory(self, made: Candidate, call: str, name: str) -> list[str]:
        """The first object of the class that it makes lies where the input does. What it returns is that object, else
        this is no input; of the runtime's it may be a copy, for nobody may ask which one it is."""
        if not self._module.world.path.is_own(made.name):
            size = self._module.layouts.shape(made.name).size
            copied = f"call void @llvm.memcpy.p0.p0.i64(ptr %made, ptr %{name}.one, i64 {size}, i1 false)"
            return [*guarded([f"%{name}.one = call ptr {call}"], name), f"  {copied}"]
        calls = [
            f"%{name}.place = load ptr, ptr {PLACE}",
            f"store ptr %made, ptr {PLACE}",
            f"%{name}.one = call ptr {call}",
            f"store ptr %{name}.place, ptr {PLACE}",
        ]
        return [
            *guarded(calls, name),
            f"  %{name}.is_one = icmp eq ptr %{name}.one, %made",
            f"  %{name}.counts = zext i1 %{name}.is_one to i32",
            f"  call void @veer_assume(i32 %{name}.counts)",
        ]

    def _number(self, box: Candidate, offset: int, name: str) -> list[str]:
        """A box's number that lies behind the object is put into it."""
        (slot,), memory = box.slots, MEMORY_TYPES[box.letter]
        own = self._module.layouts.offset(slot.owner, slot.name, box.letter)
        if own == offset:
            return []
        return [
            f"  {name}.from = getelementptr i8, ptr %made, i64 {offset}",
            f"  {name} = load {memory}, ptr {name}.from",
            f"  {name}.to = getelementptr i8, ptr %made, i64 {own}",
            f"  store {memory} {name}, ptr {name}.to",
        ]

    def _constant(self, row: Row) -> list[str]:
        """A copy of the constant: what it is compared with looks at the number (identity.py)."""
        owner, layouts = row.shape.owner, self._module.layouts
        ordinal = layouts.offset(ENUM, ORDINAL, "I")
        cases = " ".join(f"i32 {number}, label %c{number}" for number in range(len(row.shape.constants)))
        lines = [
            *self._initialised(owner, "enum"),
            f"  %at = getelementptr i8, ptr %made, i64 {ordinal}",
            "  %ordinal = load i32, ptr %at",
            f"  switch i32 %ordinal, label %none [ {cases} ]",
            "none:",
            "  ret void",
        ]
        incoming = []
        for number, name in enumerate(row.shape.constants):
            lines += [f"c{number}:", f"  %v{number} = load ptr, ptr @{field_symbol(owner, name)}", "  br label %copy"]
            incoming.append(f"[ %v{number}, %c{number} ]")
        lines += [
            "copy:",
            f"  %constant = phi ptr {', '.join(incoming)}",
            "  %is_there = icmp ne ptr %constant, null",
            "  %holds = zext i1 %is_there to i32",
            "  call void @veer_assume(i32 %holds)",
            "  %class = load i32, ptr %constant",
        ]
        classes = self._table.constant_classes(owner)
        listed = " ".join(f"i32 {layouts.numbers[each]}, label %k{place}" for place, each in enumerate(classes))
        lines.append(f"  switch i32 %class, label %none [ {listed} ]")
        for place, each in enumerate(classes):
            copied = f"ptr %made, ptr %constant, i64 {layouts.shape(each).size}, i1 false"
            lines += [f"k{place}:", f"  call void @llvm.memcpy.p0.p0.i64({copied})", "  ret void"]
        return lines

    # -- parts --------------------------------------------------------------------------------------------------------

    def _numbered(self, name: str) -> list[str]:
        return [f"  store i32 {self._module.layouts.numbers[name]}, ptr %made"]

    def _initialised(self, name: str, prefix: str) -> list[str]:
        """The class of an object is used: where that fails, there is no such input."""
        calls = initialised(self._module, name)
        return guarded((each.strip() for each in calls), f"{prefix}.class") if calls else []

    def _symbol(self, owner: str, key: tuple[str, str]) -> str:
        found = self._module.world.methods.get((owner, *key))
        if found is not None:
            return found.symbol
        own = self._module.world.type(owner)
        method = own.method(*key)
        assert method is not None
        return method_symbol(own, method)


def initialised(module: Module, name: str) -> list[str]:
    """A class is used."""
    if name.startswith("["):
        return []
    classes = module.world.superclasses(name)
    first = next((each for each in classes if each.name in module.world.initialised), None)
    return [f"  call void @{once_symbol(first)}()"] if first is not None else []


def loaded(type_: str, offset: int, base: str, name: str) -> list[str]:
    """The value that lies at an offset, narrow ones as ints."""
    memory = MEMORY_TYPES.get(type_, "ptr")
    lines = [f"  {name}.at = getelementptr i8, ptr {base}, i64 {offset}"]
    if memory not in ("i8", "i16"):
        return [*lines, f"  {name} = load {memory}, ptr {name}.at"]
    wider = "zext" if type_ in "ZC" else "sext"
    return [*lines, f"  {name}.m = load {memory}, ptr {name}.at", f"  {name} = {wider} {memory} {name}.m to i32"]


def guarded(calls: Iterable[str], name: str) -> list[str]:
    """Calls that make an object: where they throw, there is no such input."""
    lines = [
        f"  %{name}.guards = load i32, ptr @veer_call_java_guarded",
        f"  %{name}.more = add i32 %{name}.guards, 1",
        f"  store i32 %{name}.more, ptr @veer_call_java_guarded",
        *(f"  {call}" for call in calls),
        f"  store i32 %{name}.guards, ptr @veer_call_java_guarded",
        f"  %{name}.thrown = load ptr, ptr @veer_call_java_pending",
        f"  %{name}.whole = icmp eq ptr %{name}.thrown, null",
        f"  %{name}.holds = zext i1 %{name}.whole to i32",
        f"  call void @veer_assume(i32 %{name}.holds)",
    ]
    return lines


def _stored(offset: int, value: str) -> list[str]:
    return [f"  %kept = getelementptr i8, ptr %made, i64 {offset}", f"  store ptr {value}, ptr %kept"]


def _lengths(base: int, size: int = 0, *, twice: bool = False) -> list[str]:
    """How many elements there are is decided when a list is made: from then on its length is a constant. `size`:
    where the object has it, too; `twice`: there are two for each that is counted."""
    cases = " ".join(f"i32 {length}, label %l{length}" for length in range(_LONGEST + 1))
    made = [
        f"  %place = getelementptr i8, ptr %made, i64 {base + LENGTH_AT}",
        *([f"  %size = getelementptr i8, ptr %made, i64 {size}"] if size else []),
        "  %length = load i32, ptr %place",
        *(["  %all = shl i32 %length, 1", "  store i32 %all, ptr %place"] if twice else []),
        *(["  store i32 %length, ptr %size"] if size else []),
        f"  switch i32 %length, label %end [ {cases} ]",
    ]
    for length in range(_LONGEST + 1):
        made += [f"l{length}:", f"  store i32 {2 * length if twice else length}, ptr %place"]
        made += [f"  store i32 {length}, ptr %size"] if size else []
        made.append("  br label %end")
    return [*made, "end:", "  ret void"]
