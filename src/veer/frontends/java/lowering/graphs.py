"""What a call leaves behind, told for tests (runtime/tracer/graphs.c): a row for each class of the world.

@java.graph.classes = constant [N x %veer.class] [...]
define void @veer_java_describe() { call void @veer_describe(result, object, rows, N) }
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.frontends.java.classfile.descriptors import dotted
from veer.frontends.java.lowering.layout import Layouts, size_of
from veer.frontends.java.lowering.module import Module
from veer.frontends.java.lowering.world import ENUM, STRING

DESCRIBE = "veer_java_describe"
RESULT, OBJECT = "veer_call_java_result", "veer_call_java_object"
"""Where the adapter keeps what the entry returns, and the object that it is called on."""
BOXES = {f"java/lang/{name}": name for name in ("Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float")}
BOXES["java/lang/Double"] = "Double"
ARRAY_LIST = "java/util/ArrayList"
TOLD = frozenset(
    f"java/util/{name}"
    for name in (
        *("HashMap", "HashMap$Node", "HashSet", "LinkedHashMap", "LinkedHashMap$Entry", "LinkedHashSet", "TreeMap"),
        *("TreeMap$Entry", "TreeSet", "LinkedList", "LinkedList$Node", "ArrayDeque", "PriorityQueue", "Optional"),
        *("OptionalInt", "OptionalLong", "OptionalDouble"),
    )
)
"""Classes of the runtime whose fields are told."""
_OPAQUE, _FIELDS, _ARRAY, _TEXT, _BOX, _CONSTANT, _LIST = range(7)
_LEFT_OUT = ("keySet", "values", "entrySet", "navigableKeySet", "descendingMap")
"""Views that the runtime makes when somebody asks for them."""


class Graphs:
    """The rows of a world's classes."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._layouts: Layouts = module.layouts
        self._texts: dict[str, str] = {}

    def text(self) -> list[str]:
        """Types, rows, and the function that tells."""
        members, rows = list[str](), ["%veer.class zeroinitializer"]
        for number, name in enumerate(self._layouts.numbers, 1):
            kind, letter, told = self._row(name)
            listed = ", ".join(self._member(*each) for each in told)
            place = f"@java.graph.members.{number}"
            if told:
                members.append(f"{place} = internal constant [{len(told)} x %veer.member] [{listed}]")
            given = f"ptr {self._constant(self._name(name))}, ptr {place if told else 'null'}, i32 {len(told)}"
            rows.append(f"%veer.class {{ {given}, i8 {kind}, i8 {ord(letter) if letter else 0} }}")
        return [
            "%veer.member = type { ptr, i32, i8 }",
            "%veer.class = type { ptr, ptr, i32, i8, i8 }",
            f"@{RESULT} = internal global ptr null",
            f"@{OBJECT} = internal global ptr null",
            "declare void @veer_describe(ptr, ptr, ptr, i32)",
            *members,
            f"@java.graph.classes = internal constant [{len(rows)} x %veer.class] [{', '.join(rows)}]",
            *self._texts.values(),
            f"define void @{DESCRIBE}() {{",
            f"  %result = load ptr, ptr @{RESULT}",
            f"  %object = load ptr, ptr @{OBJECT}",
            f"  call void @veer_describe(ptr %result, ptr %object, ptr @java.graph.classes, i32 {len(rows)})",
            "  ret void",
            "}",
        ]

    def _member(self, text: str, offset: int, letter: str) -> str:
        return f"%veer.member {{ ptr {self._constant(text)}, i32 {offset}, i8 {ord(letter)} }}"

    def _constant(self, text: str) -> str:
        name = f"@java.graph.text.{len(self._texts)}"
        if text not in self._texts:
            data = "".join(f"\\{byte:02X}" for byte in text.encode() + b"\0")
            self._texts[text] = f'{name} = internal constant [{len(text.encode()) + 1} x i8] c"{data}"'
        return self._texts[text].partition(" ")[0]

    def _name(self, name: str) -> str:
        """The class; of a constant the enum that has it."""
        enum = self._enum(name)
        return dotted(enum or name)

    def _row(self, name: str) -> tuple[int, str, list[tuple[str, int, str]]]:
        layouts, path = self._layouts, self._module.world.path
        if name.startswith("["):
            return _ARRAY, _letter(name[1:]), []
        if name == STRING:
            value, coder = layouts.offset(name, "value", "[B"), layouts.offset(name, "coder", "B")
            return _TEXT, "", [("value", value, "L"), ("coder", coder, "B")]
        if name in BOXES:
            (field,) = [each for _, each in layouts.shape(name).fields if each.name == "value"]
            return _BOX, "", [("value", layouts.offset(name, "value", field.descriptor), field.descriptor)]
        if self._enum(name):
            return _CONSTANT, "", [("name", layouts.offset(ENUM, "name", "Ljava/lang/String;"), "L")]
        if name == ARRAY_LIST:
            offsets = layouts.offset(name, "elementData", "[Ljava/lang/Object;"), layouts.offset(name, "size", "I")
            return _LIST, "", [("elementData", offsets[0], "L"), ("size", offsets[1], "I")]
        if self.is_told(name, is_own=path.has_file(name)):
            return _FIELDS, "", sorted(self._fields(name))
        return _OPAQUE, "", []

    def is_told(self, name: str, *, is_own: bool) -> bool:
        """Whether the fields of objects are told: of the user's classes that extend none of the runtime's, of some of
        the runtime's own."""
        chain = [each.name for each in self._module.world.superclasses(name)][:-1]
        above = [each for each in chain if each != "java/lang/Record" and not self._module.world.path.has_file(each)]
        return name in TOLD or (is_own and not above)

    def _enum(self, name: str) -> str:
        chain = [each.name for each in self._module.world.superclasses(name)] if not name.startswith("[") else []
        return chain[chain.index(ENUM) - 1] if ENUM in chain[1:] else ""

    def _fields(self, name: str) -> Iterator[tuple[str, int, str]]:
        shape = self._layouts.shape(name)
        for owner, each in shape.fields:
            if each.name not in _LEFT_OUT or owner not in TOLD | {"java/util/AbstractMap"}:
                yield f"{dotted(owner)}#{each.name}", shape.offsets[owner, each.name], _letter(each.descriptor)


def _letter(type_: str) -> str:
    return "L" if size_of(type_) == 8 and type_ not in ("J", "D") else type_
