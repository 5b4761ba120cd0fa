"""Which functions may be called before the entry, and which variables may be set."""

from __future__ import annotations

import pytest
from front_fixtures import toolchain

from veer.frontends.c.analysis import module_shapes, object_bounds
from veer.frontends.c.inputs import global_inputs
from veer.frontends.c.statebefore import calls_before
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.compiled import Module, compile_module
from veer.model.buildoptions import BuildOptions
from veer.model.state import StateBefore

UNIT = """
struct node { struct node *next; int value; };
struct hidden;
static int level, stored, other, once = 3;
static struct node *first;
static int (*hook)(int);
int *given = &other;
void set(int to) { level = to; }
void load(void) { set(stored); }
void store(int it) { stored = it; }
static void reset(void) { level = 0; }
void all(void) { reset(); }
void many(int count, ...) { level = count; }
void unknown(struct hidden v);
int peek(void) { return level; }
int reads(int x) { return x == level; }
void add(struct node *n) { n->next = first; first = n; }
void mark(void) { if (first) first->value = 1; }
int look(void) { return first ? first->value : 0; }
void install(int (*to)(int)) { hook = to; }
int run(int x) { return hook ? hook(x) : x; }
int fixed(int x) { return x == once; }
void through(void) { *given = 4; }
int at(int x) { return x == *given; }
int nothing(int x) { return x; }
static int own(int x) { static int calls; return ++calls + x; }
int counted(int x) { return own(x); }
int main(void) { level = 4; return 0; }
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Module:
    source = tmp_path_factory.mktemp("statebefore") / "unit.c"
    source.write_text(UNIT)
    return compile_module(toolchain(), source, ())


def found(module: Module, entry: str) -> StateBefore | None:
    options = BuildOptions((module.source,), entry)
    table = TypeTable(object_bounds(options))
    function = next(each.function for each in module_shapes(module, table, 0) if each.function.name == entry)
    known, _ = global_inputs(module, table)
    before = calls_before((module,), module, function, known, table, options)
    if before is None:
        return None
    assert tuple(each.name for each in before.functions) == before.state.functions
    return before.state


@pytest.mark.parametrize(
    ("entry", "functions", "free"),
    [
        ("reads", ("set", "load", "all", "store"), ("level",)),  # those that write it, then what these read
        ("look", ("add", "mark"), ("first",)),  # look itself only reads behind the pointer
        ("run", ("install",), ("hook",)),  # run only calls what hook leads to
        ("at", ("through",), ("other", "given")),
        ("counted", ("counted",), ()),  # what is static in a function has no name that a harness could set
    ],
)
def test_functions_that_change_what_the_entry_reads(
    entry: str, functions: tuple[str, ...], free: tuple[str, ...], module: Module
) -> None:
    state = found(module, entry)
    assert state is not None
    assert (state.functions, set(state.free)) == (functions, set(free))
    assert state.begins.startswith("static data as it begins (")


@pytest.mark.parametrize("entry", ["nothing", "fixed", "set"])
def test_nothing_that_changes_is_read(entry: str, module: Module) -> None:
    assert found(module, entry) is None
