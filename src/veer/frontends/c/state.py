"""Static and global variables that what is tested reads as they begin: a claim about "every input" depends on them.

static int level = 1;                        read by f, written by init: f is tested at level 1 alone
static int names[] = {...};                  nobody writes it, and nobody outside can: no dependency
static int count(void) { static int n; ... }  n of count

What a function mentions counts as used, what a variable begins with addresses of, too; what is only written does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache

from msgspec import Struct

from veer.frontends.llvm.compiled import Module
from veer.instrument.lexer import unquoted
from veer.model.boards import Statics

_MOST_KEPT = 64
_NAMED = 4
"""Variables that are named; of the others it is said how many there are."""
_NAME = r'@("[^"]+"|[\w.$-]+)'
_MENTION = re.compile(_NAME)
_BODY = re.compile(rf"^define [^@\n]*?{_NAME}\(.*?^}}$", re.MULTILINE | re.DOTALL)
_VARIABLE = re.compile(
    rf"^{_NAME} = (?!.*\b(?:external|extern_weak|available_externally) )([^@\n]*?)\b((?:global|constant) .*)$",
    re.MULTILINE,
)
_LOCAL = re.compile(r"\b(?:internal|private)\b")
_CONSTANT = re.compile(r"constant ")
_STORE = re.compile(rf"^  store [^@\n]*, ptr {_NAME}(?:,|$)")
_OF_THE_CORE = "host_core_"
"""How variables of veer's own preludes begin (dialects/headers/arm_core.h): they are no data of the unit."""
_LOAD = re.compile(r"^  %\S+ = load ")
_ADDRESS = re.compile(r"^  (%\S+) = getelementptr ")
_LINKAGE = re.compile(r'DIGlobalVariable\(name: "([^"]+)", linkageName: "([^"]+)"')


def initial_state(
    modules: Sequence[Module], module: Module, entries: Sequence[str], inputs: Set[str]
) -> tuple[str, ...]:
    """The bound in words; empty where no entry depends on such a variable.

    `entries`: the function that is tested, or those of a sequence, of this module; `inputs`: the variables that are
    inputs.
    """
    # A static entry that nobody calls is in another IR of its source than that of `modules`.
    units = [StaticUnit.of(module if each.source == module.source else each) for each in modules]
    own = units[next(index for index, each in enumerate(modules) if each.source == module.source)]
    found = [
        unit.shown(name) for unit, name in reached(units, own, entries) if unit.varies(name) and name not in inputs
    ]
    if not found:
        return ()
    more = len(found) - _NAMED
    named = ", ".join([*found[:_NAMED], *([f"and {more} more"] if more > 0 else [])])
    return (f"static data as it begins ({named})",)


def read_state(module: Module) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The functions of a module, each with the variables that it reads and that somebody may have written, if any."""
    unit = StaticUnit.of(module)
    for function in unit.bodies:
        names = dict.fromkeys(unit.shown(name) for name in unit.leads_to(function) if unit.varies(name))
        if names:
            yield function, tuple(names)


def statics(modules: Sequence[Module], module: Module) -> Statics:
    """The variables that keep what a test writes to them. `module` defines the entry; a suite includes its source."""
    units = {each.source: StaticUnit.of(module if each.source == module.source else each) for each in modules}
    own = units.setdefault(module.source, StaticUnit.of(module))
    touched = {name for unit in units.values() for lines in unit.bodies.values() for name in written_by(lines)}
    touched |= {name for unit in units.values() for begins in unit.variables.values() for name in mentions(begins)}
    named = tuple(
        dict.fromkeys(
            each.name
            for each in module.debug.globals()
            if own.varies(each.name) and not module.debug.is_const(each.type)
        )
    )
    hidden = [
        unit.shown(name)
        for unit in units.values()
        for name, begins in unit.variables.items()
        if name in touched and not _CONSTANT.match(begins) and not (unit is own and name in named)
    ]
    return Statics(named, tuple(dict.fromkeys(hidden)))


class StaticUnit(Struct, frozen=True):
    """One module: the lines of its functions, its variables with what they begin with, those that somebody writes."""

    bodies: Mapping[str, Sequence[str]]
    variables: Mapping[str, str]
    visible: Set[str]
    written: Set[str]
    names: Mapping[str, str]  # of variables in C++

    @classmethod
    def of(cls, module: Module) -> StaticUnit:
        """The unit of a module; builds of many entries ask about the same ones."""
        return cls._read(module.ir)

    @classmethod
    @lru_cache(maxsize=_MOST_KEPT)
    def _read(cls, ir: str) -> StaticUnit:
        bodies = {unquoted(match[1]): match[0].splitlines() for match in _BODY.finditer(ir)}
        variables, visible = {}, set()
        for match in _VARIABLE.finditer(ir):
            name = unquoted(match[1])
            if name.startswith(_OF_THE_CORE):
                continue
            variables[name] = match[3]
            if not _LOCAL.search(match[2]):
                visible.add(name)
        written = {name for lines in bodies.values() for name in written_by(lines)}
        written |= {name for begins in variables.values() for name in mentions(begins)}
        names = {linkage: name for name, linkage in _LINKAGE.findall(ir)}
        return cls(bodies, variables, visible, written | visible, names)

    def varies(self, name: str) -> bool:
        """Whether this is a variable that somebody may have written before."""
        return name in self.written and name in self.variables and not _CONSTANT.match(self.variables[name])

    def leads_to(self, name: str) -> Iterator[str]:
        """The functions and variables that a function uses, or that a variable begins with addresses of."""
        if name in self.variables:
            yield from mentions(self.variables[name])
            return
        for line in self.bodies[name][1:]:
            stored = _STORE.match(line)
            target = unquoted(stored[1]) if stored is not None else ""
            yield from (each for each in mentions(line) if each != target)

    def stores_to(self, name: str) -> Iterator[str]:
        """The variables that a function stores to as a whole."""
        stores = (_STORE.match(line) for line in self.bodies.get(name, ())[1:])
        yield from (unquoted(store[1]) for store in stores if store is not None)

    def shown(self, variable: str) -> str:
        """`n of count` for a variable of a function."""
        function, dot, name = variable.partition(".")
        return f"{name} of {function}" if dot and function in self.bodies else self.names.get(variable, variable)


def mentions(line: str) -> Iterable[str]:
    """The functions and variables that a text of IR names, in their order."""
    return (unquoted(name) for name in _MENTION.findall(line))


def written_by(lines: Sequence[str]) -> Iterator[str]:
    """What a function may write: all that it mentions but in loads, and in addresses that are only loaded from."""
    for line in lines[1:]:
        if "@" not in line or _LOAD.match(line):
            continue
        address = _ADDRESS.match(line)
        if address is not None and all(_LOAD.match(use) for use in _uses(lines, address[1]) if use is not line):
            continue
        yield from mentions(line)


def _uses(lines: Sequence[str], value: str) -> Iterator[str]:
    pattern = re.compile(rf"{re.escape(value)}(?![\w.$-])")
    return (line for line in lines if pattern.search(line))


def reached(units: Sequence[StaticUnit], own: StaticUnit, entries: Sequence[str]) -> Iterator[tuple[StaticUnit, str]]:
    """The functions and variables that the entries lead to, in the order in which they are met, each with its unit."""
    elsewhere = {name: unit for unit in units for name in (*unit.bodies, *unit.visible)}
    waiting = [(own, entry) for entry in dict.fromkeys(entries)]
    seen = {(id(own), entry) for entry in entries}
    for unit, name in waiting:
        yield unit, name
        for used in unit.leads_to(name):
            home = unit if used in unit.bodies or used in unit.variables else elsewhere.get(used)
            if home is not None and (id(home), used) not in seen:
                seen.add((id(home), used))
                waiting.append((home, used))
