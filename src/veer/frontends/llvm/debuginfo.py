"""Debug info from the text of LLVM IR: functions, parameters, global variables, type nodes.

Metadata is a graph of numbered nodes, one a line:

    !19 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "cell", size: 128, elements: !20)
    !20 = !{!21, !22}

Lines are indexed once and parsed when they are asked for: most of them (locations, headers' types) never are.
"""

from __future__ import annotations

import os
import re

from msgspec import Struct, field

from veer.instrument.lexer import unquoted

_NODE = re.compile(r"^!(\d+) = (?:distinct )?!(?!DILocation\()(.*)$", re.MULTILINE)
_FIELD = re.compile(r'(\w+): ("[^"]*"|!DIExpression\([^)]*\)|[^,()"]+)')
_REFERENCE = re.compile(r"!(\d+)|null")
_QUALIFIERS = {
    "DW_TAG_const_type",
    "DW_TAG_volatile_type",
    "DW_TAG_restrict_type",
    "DW_TAG_atomic_type",
}
_TRAP = 'name: "__clang_trap_msg$'
"""How clang writes down what a trap is about: as a function, which is none."""
NO_NODE = -1
"""Stands for `null`: void, or no type."""


class Node(Struct, frozen=True):
    """A metadata node: its class (DIBasicType, ... or "" for a tuple), its fields as text, a tuple's references."""

    kind: str
    fields: dict[str, str]
    references: tuple[int, ...] = ()

    def text(self, name: str) -> str:
        """A field without its quotes; "" when it is absent."""
        return unquoted(self.fields.get(name, ""))

    def number(self, name: str) -> int:
        """An integer field; 0 when absent or not a number."""
        value = self.fields.get(name, "0").removeprefix("i64 ")
        return int(value) if value.lstrip("-").isdigit() else 0

    def reference(self, name: str) -> int:
        """The node that a field points to, or NO_NODE."""
        value = self.fields.get(name, "")
        return int(value[1:]) if value.startswith("!") and value[1:].isdigit() else NO_NODE

    @property
    def tag(self) -> str:
        """The DWARF tag, e.g. DW_TAG_pointer_type."""
        return self.fields.get("tag", "")


_NOTHING = Node("", {})


class DebugParameter(Struct, frozen=True):
    """A parameter as written: name (made up when there is none) and type node."""

    name: str
    type: int


class DebugFunction(Struct, frozen=True):
    """A function that the module defines."""

    name: str
    file: str
    line: int
    parameters: tuple[DebugParameter, ...]
    returns: int
    is_static: bool
    is_variadic: bool


class DebugGlobal(Struct, frozen=True):
    """A variable at file scope that the module defines."""

    name: str
    file: str
    line: int
    type: int
    is_static: bool


class DebugInfo(Struct):
    """The metadata of one module; nodes are parsed on demand and kept."""

    lines: dict[int, str]
    parsed: dict[int, Node] = field(default_factory=dict)
    typedef_of: dict[int, str] = field(
        default_factory=dict
    )  # anonymous struct, union or enum → the typedef that names it
    _functions: tuple[DebugFunction, ...] | None = None
    _stripped: dict[int, int] = field(default_factory=dict)

    def node(self, number: int) -> Node:
        """The node of that number; an empty one for NO_NODE and unknown numbers."""
        node = self.parsed.get(number)
        if node is None:
            line = self.lines.get(number)
            node = _parse(line) if line is not None else _NOTHING
            self.parsed[number] = node
        return node

    def strip(self, number: int) -> int:
        """The type behind typedefs and qualifiers."""
        found = self._stripped.get(number)
        if found is None:
            found = self._stripped[number] = self._strip(number)
        return found

    def _strip(self, number: int) -> int:
        while number != NO_NODE:
            node = self.node(number)
            if node.tag != "DW_TAG_typedef" and node.tag not in _QUALIFIERS:
                return number
            number = node.reference("baseType")
        return NO_NODE

    def unqualified(self, number: int) -> int:
        """The type behind qualifiers; typedefs stay."""
        while number != NO_NODE and self.node(number).tag in _QUALIFIERS:
            number = self.node(number).reference("baseType")
        return number

    def is_const(self, number: int) -> bool:
        """Whether the type itself is const, directly or through typedefs."""
        while number != NO_NODE:
            node = self.node(number)
            if node.tag == "DW_TAG_const_type":
                return True
            if node.tag == "DW_TAG_array_type" or (node.tag != "DW_TAG_typedef" and node.tag not in _QUALIFIERS):
                return node.tag == "DW_TAG_array_type" and self.is_const(node.reference("baseType"))
            number = node.reference("baseType")
        return False

    def made(self, kind: str, fields: dict[str, str]) -> int:
        """The number of a node that the module does not have; the same one for the same fields."""
        node = Node(kind, fields)
        for number, known in self.parsed.items():
            if number not in self.lines and known == node:
                return number
        number = max([*self.lines, *self.parsed], default=0) + 1
        self.parsed[number] = node
        return number

    def pointer_to(self, number: int) -> int:
        """A node for a pointer to that type."""
        return self.made("DIDerivedType", {"tag": "DW_TAG_pointer_type", "baseType": f"!{number}", "size": "64"})

    def path(self, number: int) -> str:
        """The absolute path of a DIFile node."""
        node = self.node(number)
        return os.path.normpath(os.path.join(node.text("directory"), node.text("filename")))  # noqa: PTH118

    def functions(self) -> tuple[DebugFunction, ...]:
        """The functions that the module defines, in the order of file and line."""
        if self._functions is None:
            self._functions = self._defined()
        return self._functions

    def _defined(self) -> tuple[DebugFunction, ...]:
        locals_of = self._parameters()
        found = [
            self._function(number, locals_of.get(number, {}))
            for number, line in self.lines.items()
            if line.startswith("DISubprogram(") and "DISPFlagDefinition" in line and _TRAP not in line
        ]
        return tuple(sorted(found, key=lambda function: (function.file, function.line, function.name)))

    def _parameters(self) -> dict[int, dict[int, DebugParameter]]:
        found: dict[int, dict[int, DebugParameter]] = {}
        for number, line in self.lines.items():
            if line.startswith("DILocalVariable(") and " arg: " in line:
                node = self.node(number)
                of_function = found.setdefault(node.reference("scope"), {})
                position = node.number("arg")
                of_function[position] = DebugParameter(
                    node.text("name") or f"argument_{position}", node.reference("type")
                )
        return found

    def _function(self, number: int, named: dict[int, DebugParameter]) -> DebugFunction:
        node = self.node(number)
        types = self.node(self.node(node.reference("type")).reference("types")).references
        declared = list(types[1:])
        is_prototype = "DIFlagPrototyped" in node.text("flags")
        is_variadic = bool(declared) and declared[-1] == NO_NODE and is_prototype
        if declared and declared[-1] == NO_NODE:
            declared.pop()
        count = max(len(declared), max(named, default=0))
        parameters = [
            named.get(i + 1) or DebugParameter(f"argument_{i + 1}", declared[i] if i < len(declared) else NO_NODE)
            for i in range(count)
        ]
        return DebugFunction(
            name=node.text("linkageName") or node.text("name"),
            file=self.path(node.reference("file")),
            line=node.number("line"),
            parameters=tuple(parameters),
            returns=types[0] if types else NO_NODE,
            is_static="DISPFlagLocalToUnit" in node.text("spFlags"),
            is_variadic=is_variadic,
        )

    def globals(self) -> tuple[DebugGlobal, ...]:
        """The variables at file scope that the module defines, in the order of file and line."""
        found = []
        for number, line in self.lines.items():
            if (
                not line.startswith("DIGlobalVariable(")
                or "isDefinition: true" not in line
                or ' name: "' not in f" {line[17:]}"
            ):
                continue
            node = self.node(number)
            if self.node(node.reference("scope")).kind != "DICompileUnit":
                continue
            found.append(
                DebugGlobal(
                    name=node.text("name"),
                    file=self.path(node.reference("file")),
                    line=node.number("line"),
                    type=node.reference("type"),
                    is_static=node.text("isLocal") == "true",
                )
            )
        return tuple(sorted(found, key=lambda variable: (variable.file, variable.line, variable.name)))


def _parse(line: str) -> Node:
    if line.startswith("{"):
        references = tuple(int(match[1]) if match[1] else NO_NODE for match in _REFERENCE.finditer(line))
        return Node("", {}, references)
    kind, _, rest = line.partition("(")
    return Node(kind, {match[1]: match[2].strip() for match in _FIELD.finditer(rest)})


def read(text: str) -> DebugInfo:
    """Indexes the debug info of a module's text."""
    lines = {int(match[1]): match[2] for match in _NODE.finditer(text)}
    info = DebugInfo(lines)
    for number, line in lines.items():
        if line.startswith("DIDerivedType(tag: DW_TAG_typedef"):
            node = info.node(number)
            target = node.reference("baseType")
            if info.lines.get(target, "").startswith("DICompositeType(") and not info.node(target).text("name"):
                info.typedef_of.setdefault(target, node.text("name"))
    return info
