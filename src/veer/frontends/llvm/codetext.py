"""What the definitions of modules are, apart from where their lines stand: texts that only change with the program.

Numbers that depend on what stands around a definition are replaced by what they stand for: nodes of debug info by their
content, constants without a name by theirs, lines by their distance from the function's first one.

    %7 = load i32, ptr @.str.3, !dbg !51      ─►      %7 = load i32, ptr {c"a\\00"}, !dbg {+2:9 of get}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property

from msgspec import Struct

from veer.frontends.llvm.compiled import Module
from veer.instrument.definitions import definitions
from veer.instrument.lexer import unquoted
from veer.toolchain.cache import digest

_NAME = r'@("[^"]+"|[\w.$-]+)'
_DEFINE = re.compile(rf"^define [^@\n]*?{_NAME}\(")
_DECLARE = re.compile(rf"^declare [^@\n]*?{_NAME}\(")
_GLOBAL = re.compile(rf"^{_NAME} = ")
_TYPE = re.compile(r'^(%(?:"[^"]+"|[\w.$-]+)) = type ')
_ATTRIBUTES = re.compile(r"^attributes #(\d+) = (.*)$")
_NODE = re.compile(r"^!(\d+) = (.*)$")
_NAMELESS = re.compile(r" = (?:private|internal)\b[^\n]*?\bunnamed_addr\b[^\n]*?\bconstant\b")
_PART = re.compile(
    r'(?P<text>c?"(?:[^"\\]|\\.)*")|!(?P<node>\d+)|@(?P<symbol>"[^"]+"|[\w.$-]+)|#(?P<group>\d+)\b'
    r'|(?P<type>%(?:"[^"]+"|(?:struct|union)\.[\w.$-]+))'
)
_REFERENCE = re.compile(r"!(\d+)")
_LINE = re.compile(r",? ?\b(?:line|scopeLine): \d+")
_FIELD = re.compile(r"\b(line|column|scope|inlinedAt): !?(\d+)")
_CALLED = re.compile(r"\b(?:call|invoke|callbr)\b(.*)$")
_CALLEE = re.compile(r'(@(?:"[^"]+"|[\w.$-]+)|%[\w.]+)\(')
_CONSTRUCTORS = ("llvm.global_ctors", "llvm.global_dtors")
Symbol = tuple[int, str]
"""The number of a module, and a name in it."""


class Definition(Struct, frozen=True):
    """What a symbol is. `names`: the symbols that it names; `calls_unknown`: it calls what some value says."""

    text: str
    names: tuple[str, ...]
    is_function: bool = False
    calls_unknown: bool = False


class ModuleText:
    """The definitions of one module."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._debug = module.locations
        self._nodes: dict[int, str] = {}
        self._attributes: dict[str, str] = {}
        self._pieces: dict[str, list[str]] = {}
        self._canonical: dict[int, str] = {}
        self._files = {each.name: each.file for each in module.debug.functions()}
        self._lines = {each.name: each.line for each in module.debug.functions()}
        self._last: dict[str, int] = {}
        head: list[str] = []
        for matched, piece in definitions(module.ir.splitlines(), _DEFINE):
            line = piece[0]
            if matched is not None:
                self._pieces[unquoted(matched[1])] = piece
            elif found := _NODE.match(line):
                self._nodes[int(found[1])] = found[2]
            elif found := _ATTRIBUTES.match(line):
                self._attributes[found[1]] = digest(found[2])
            elif found := _GLOBAL.match(line) or _DECLARE.match(line):
                self._pieces[unquoted(found[1])] = piece
            elif found := _TYPE.match(line):
                self._pieces[found[1]] = piece
            elif line and not line.startswith((";", "!", "source_filename")):
                head.append(line)
        self.head = "\n".join(head)

    @cached_property
    def definitions(self) -> Mapping[str, Definition]:
        """All of them by name, those of the module's types too (%struct.x)."""
        return {name: self._definition(name, piece) for name, piece in self._pieces.items()}

    @cached_property
    def in_data(self) -> Set[str]:
        """The symbols that variables begin with addresses of."""
        return {
            used
            for each in self.definitions.values()
            if not each.is_function and each.text.startswith("variable")
            for used in each.names
        }

    def last_line(self, function: str) -> int:
        """Of a function's code."""
        return max(self._last.get(function, 0), self._lines.get(function, 0))

    def _definition(self, name: str, piece: Sequence[str]) -> Definition:
        first = piece[0]
        is_function = first.startswith("define ")
        names: dict[str, None] = {}
        if not is_function:
            kind = "declared" if first.startswith("declare ") else "variable" if _GLOBAL.match(first) else "type"
            return Definition(f"{kind} {self._line(first, '', names)}", self._others(name, names))
        text = "\n".join(self._line(line, name, names) for line in piece if not line.startswith(";"))
        unknown = any(_calls_unknown(line) for line in piece)
        return Definition(text, self._others(name, names), is_function=True, calls_unknown=unknown)

    def _others(self, own: str, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for name in names if name != own)

    def _line(self, line: str, function: str, names: dict[str, None], within: frozenset[str] = frozenset()) -> str:
        def shown(found: re.Match[str]) -> str:
            if found["node"] is not None:
                return self._node(int(found["node"]), function)
            if found["group"] is not None:
                return f"#{{{self._attributes.get(found['group'], found['group'])}}}"
            if found["type"] is not None:
                names[found["type"]] = None
                return found["type"]
            if found["symbol"] is not None:
                return self._symbol(unquoted(found["symbol"]), function, names, within)
            return found[0]

        return _PART.sub(shown, line)

    def _symbol(self, name: str, function: str, names: dict[str, None], within: frozenset[str]) -> str:
        line = (self._pieces.get(name) or [""])[0]
        if _NAMELESS.search(line) and name not in within:  # its number depends on what stands before it
            return f"{{{self._line(line.partition(' = ')[2], function, names, within | {name})}}}"
        names[name] = None
        return f"@{name}"

    def _node(self, number: int, function: str) -> str:
        text = self._nodes.get(number, "")
        if text.startswith(("!DILocation(", "distinct !DILocation(")):
            return self._place(number, function)
        return self._canonical_of(number)

    def _place(self, number: int, function: str) -> str:
        fields = dict(_FIELD.findall(self._nodes.get(number, "")))
        found = self._debug.position(number)
        own = found.file == self._files.get(function, "")
        if own:
            self._last[function] = max(self._last.get(function, 0), found.line)
        where = f"+{found.line - self._lines[function]}" if own else f"{found.file}:{found.line}"
        scope = self._scope(int(fields.get("scope", -1)))
        return f"{{{where}:{found.column} in {scope}}}"

    def _scope(self, number: int) -> str:
        """The function, or trap message, that a scope belongs to."""
        text = self._nodes.get(number, "")
        while "DILexicalBlock" in text:
            number = int(dict(_FIELD.findall(text)).get("scope", -1))
            text = self._nodes.get(number, "")
        name = re.search(r'name: "([^"]*)"', text)
        return name[1] if name else ""

    def _canonical_of(self, number: int) -> str:
        """A node and all that it leads to, numbered from it on; without lines, and without what functions contain."""
        if number in self._canonical:
            return self._canonical[number]
        order, seen, parts = [number], {number: 0}, []
        for each in order:
            text = self._nodes.get(each, "")
            if each != number and ("DISubprogram(" in text or "DICompileUnit(" in text):
                parts.append(f"scope {self._scope(each)}")
                continue
            if "DICompileUnit(" in text:
                parts.append("unit")
                continue
            if "DISubprogram(" in text:
                text = re.sub(r", (?:retainedNodes|unit|declaration): !\d+", "", text)
            if "DILexicalBlock" in text:
                text = f"block of {self._scope(each)}"
            for used in map(int, _REFERENCE.findall(text)):
                if used not in seen:
                    seen[used] = len(order)
                    order.append(used)
            parts.append(_REFERENCE.sub(lambda found: f"!{seen[int(found[1])]}", _LINE.sub("", text)))
        self._canonical[number] = found = f"{{{digest(*parts)}}}"
        return found


def _calls_unknown(line: str) -> bool:
    called = _CALLED.search(line) if "call" in line or "invoke" in line else None
    callee = _CALLEE.search(called[1]) if called is not None else None
    return callee is not None and callee[1].startswith("%")


class ProgramText:
    """The definitions of all modules of a program."""

    def __init__(self, modules: Sequence[Module]) -> None:
        self.modules = tuple(map(ModuleText, modules))
        self._outer: dict[str, Symbol] = {}
        for number, each in enumerate(self.modules):
            for name, found in each.definitions.items():
                if not found.text.startswith(("declared", "type")) and not re.search(
                    r"^(?:define|variable @\S+ =) (?:[\w()]+ )*?(?:internal|private)\b", found.text
                ):
                    self._outer.setdefault(name, (number, name))

    def closure(self, roots: Iterable[str], within: Sequence[int] = (), *, everything: bool = False) -> set[Symbol]:
        """What these names lead to, looked for in the modules of these numbers first.

        Whoever calls what some value says may call each function that data holds the address of (search/reachable.py).
        """
        waiting = [found for name in roots for found in self._found(name, within)]
        waiting += [
            (n, name) for n, each in enumerate(self.modules) for name in _CONSTRUCTORS if name in each.definitions
        ]
        if everything:
            waiting += [(number, name) for number, each in enumerate(self.modules) for name in each.definitions]
        seen: set[Symbol] = set()
        takes_data = False
        while waiting:
            symbol = waiting.pop()
            if symbol in seen:
                continue
            seen.add(symbol)
            found = self.modules[symbol[0]].definitions[symbol[1]]
            waiting += [used for name in found.names for used in self._found(name, (symbol[0],))]
            if found.calls_unknown and not takes_data:
                takes_data = True
                waiting += [
                    used
                    for number, each in enumerate(self.modules)
                    for name in each.in_data
                    for used in self._found(name, (number,))
                ]
        return seen

    def _found(self, name: str, within: Sequence[int]) -> Iterator[Symbol]:
        """The definition of a name, and its declarations in these modules."""
        is_defined = False
        for number in within:
            found = self.modules[number].definitions.get(name)
            if found is not None:
                yield number, name
                is_defined = is_defined or (not found.text.startswith("declared") and " external " not in found.text)
        if not is_defined and name in self._outer:
            yield self._outer[name]

    def text(self, symbols: Iterable[Symbol]) -> Iterator[str]:
        """What these symbols are, in an order that only depends on their names."""
        for number, name in sorted(symbols):
            module = self.modules[number]
            yield f"{module.module.source}\n{name}\n{module.definitions[name].text}"

    def functions(self, symbols: Iterable[Symbol]) -> Iterator[Symbol]:
        """The functions with a body among these."""
        return (each for each in symbols if self.modules[each[0]].definitions[each[1]].is_function)

    @cached_property
    def declared(self) -> tuple[str, ...]:
        """What is declared and defined nowhere else, with its type."""
        return tuple(
            sorted(
                {
                    found.text
                    for each in self.modules
                    for name, found in each.definitions.items()
                    if found.text.startswith("declared") or " = external " in found.text
                    if name not in self._outer and not name.startswith("llvm.")
                }
            )
        )

    @cached_property
    def calls(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """All functions, each with the functions that it names."""
        functions = {
            name
            for each in self.modules
            for name, found in each.definitions.items()
            if (found.is_function or found.text.startswith("declared")) and not name.startswith("llvm.")
        }
        return tuple(
            sorted(
                (name, tuple(sorted(functions.intersection(found.names))))
                for each in self.modules
                for name, found in each.definitions.items()
                if found.is_function
            )
        )
