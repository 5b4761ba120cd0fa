"""Which functions of the unit may be called before the entry, because they change static data that it reads.

static int level = 1;                          f reads it: as it begins, and after calls of
void set(int to) { level = to; }               this one, and of
void load(void) { set(stored); }               this one, whose state depends on `stored`, and so of
void store(int it) { stored = it; }            this one
static void reset(void) { level = 0; }         no function of other files can call it

A function changes what it stores to, what it hands an address of to others, and what a pointer leads to that it loads
from a variable, unless it only reads there. The types of objects are not looked at: too many are found, never too few
of the same source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set

from veer.frontends.c.analysis import module_shapes
from veer.frontends.c.before_harness import CallsBefore
from veer.frontends.c.inputs import why_no_entry
from veer.frontends.c.sequences import with_own_lengths
from veer.frontends.c.state import StaticUnit, initial_state, reached, written_by
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.compiled import Module
from veer.model.buildoptions import BuildOptions
from veer.model.program import Function
from veer.model.state import StateBefore

MOST_FUNCTIONS = 16
"""Functions that may be called before the entry: those that write what it reads itself come first."""
_INTERNAL = re.compile(r"^define (?:[^@\n]* )?(?:internal|private) ")
_POINTER = re.compile(r'^  (%\S+) = load (?:volatile )?ptr, ptr @("[^"]+"|[\w.$-]+)')
_ADDRESS = re.compile(r"^  (%\S+) = getelementptr ")
_HARMLESS = re.compile(r"^  %\S+ = (?:load|icmp) ")


def calls_before(
    modules: Sequence[Module],
    module: Module,
    entry: Function,
    variables: Sequence[tuple[str, int]],
    table: TypeTable,
    options: BuildOptions,
) -> CallsBefore | None:
    """What may be done to the static data that the entry reads; None where there is none that anything changes.

    `module` of `modules` defines the entry; `variables`: those of it that can be inputs, each with the id of its type.
    """
    unit = StaticUnit.of(module)
    if entry.name not in unit.bodies:
        return None
    read = {name for _, name in reached([unit], unit, [entry.name]) if unit.varies(name)}
    free = tuple(each for each in variables if each[0] in read)
    functions = _usable(module, tuple(_changing(unit, read)), table, options) if read else ()
    begins = initial_state(modules, module, [entry.name], set())
    if not begins or not (free or functions):
        return None
    state = StateBefore(tuple(each.name for each in functions), tuple(name for name, _ in free), begins[0])
    return CallsBefore(functions, free, state)


def _usable(module: Module, names: Sequence[str], table: TypeTable, options: BuildOptions) -> tuple[Function, ...]:
    """Those of the functions that can be called with inputs. One that wants a predicate to hold is left out."""
    if not names:
        return ()
    given = [each for each in options.contracts if each.function]
    shapes = {each.function.name: each for each in module_shapes(module, table, 0, given, infers=True)}
    found = []
    for name in names:
        shape = shapes.get(name)
        if shape is None or shape.function.variadic or shape.contract.preconditions:
            continue
        if not why_no_entry(shape.function, table.types):
            found.append(with_own_lengths(shape.function, table))
    return tuple(found[:MOST_FUNCTIONS])


def _changing(unit: StaticUnit, read: Set[str]) -> Iterator[str]:
    """The functions for other files that change one of the variables, then those that change what these read."""
    ways = {
        name: list(reached([unit], unit, [name])) for name in unit.bodies if name != "main" and _is_public(unit, name)
    }
    wanted, left = set(read), dict(ways)
    while found := [name for name, way in left.items() if wanted & _changed(unit, (each for _, each in way))]:
        for name in found:
            yield name
            wanted |= {each for _, each in left.pop(name) if unit.varies(each)}


def _is_public(unit: StaticUnit, function: str) -> bool:
    return not _INTERNAL.match(unit.bodies[function][0])


def _changed(unit: StaticUnit, functions: Iterable[str]) -> set[str]:
    """The variables that one of these functions may change."""
    bodies = [unit.bodies[each] for each in functions if each in unit.bodies]
    return {name for lines in bodies for name in (*written_by(lines), *_led_to(lines)) if name in unit.variables}


def _led_to(lines: Sequence[str]) -> Iterator[str]:
    """The variables behind whose pointers a function may write."""
    for line in lines:
        if (found := _POINTER.match(line)) is not None and not _is_only_read(found[1], lines):
            yield found[2].strip('"')


def _is_only_read(value: str, lines: Sequence[str]) -> bool:
    """Whether a pointer is loaded from, compared and called, and nothing else, nor are the addresses made of it."""
    used = re.compile(rf"{re.escape(value)}(?![\w.$-])")
    called = re.compile(rf"\bcall [^(]*{re.escape(value)}\(")
    for line in lines:
        if not used.search(line) or line.startswith(f"  {value} = "):
            continue
        address = _ADDRESS.match(line)
        if address is not None and _is_only_read(address[1], lines):
            continue
        if not (_HARMLESS.match(line) or called.search(line)):
            return False
    return True
