"""Which static and global variables a claim depends on: those that are read and that somebody may have written."""

from __future__ import annotations

from pathlib import Path

import pytest
from front_fixtures import toolchain

from veer.frontends.c.analysis import ALL_FUNCTIONS
from veer.frontends.c.state import initial_state
from veer.frontends.llvm.compiled import Module, compile_module

UNIT = """
#include <errno.h>
#include <stdio.h>
#include <string.h>
static int level = 1;
static int never = 3;
static int table[3] = {1, 2, 3};
static const int fixed[3] = {1, 2, 3};
int visible = 4;
static char text[10];
static int only_written;
static int led_to;
static int *pointer = &led_to;
extern int elsewhere;
static int count(int x) { static int calls; return ++calls + x; }
static int reads_nothing(int x) { return x; }
void init(void) { level = 2; strcpy(text, "x"); }
int reads(int x) { only_written = x; return x == level; }
int constant(int x) { errno = x; fputs("x", stderr); return never + fixed[x & 1] + table[x & 1]; }
int all(int x) { return count(x) + text[1] + visible + level + *pointer; }
int by_address(int x) { int (*called)(int) = count; return called(x); }
int outside(int x) { return elsewhere + x; }
static int (*const tab[])(int) = {reads_nothing, count};
int through_table(int x) { return tab[x & 1](x); }
int nothing(int x) { return x > 3; }
"""
OTHER = "int elsewhere = 3; int more(void) { return elsewhere; }\n"


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> tuple[Module, ...]:
    folder = tmp_path_factory.mktemp("state")
    made = []
    for name, text in (("unit.c", UNIT), ("other.c", OTHER)):
        source = folder / name
        source.write_text(text)
        made.append(compile_module(toolchain(), source, ()))
    return tuple(made)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("reads", ("static data as it begins (level)",)),
        ("constant", ()),
        ("all", ("static data as it begins (text, visible, level, calls of count, and 1 more)",)),
        ("by_address", ("static data as it begins (calls of count)",)),
        ("nothing", ()),
        ("through_table", ("static data as it begins (calls of count)",)),
        ("init", ("static data as it begins (text)",)),  # strcpy could read it
    ],
)
def test_what_a_function_depends_on(entry: str, said: tuple[str, ...], modules: tuple[Module, ...]) -> None:
    assert initial_state(modules, modules[0], [entry], set()) == said


def test_a_static_entry_that_nobody_calls_is_in_another_ir_of_its_source(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(
        "static int level;\nstatic int uncalled(int x) { return x == level; }\nvoid f(void) { level = 2; }\n"
    )
    usual, complete = (compile_module(toolchain(), source, flags) for flags in ((), ALL_FUNCTIONS))
    assert usual.function("uncalled") is None
    assert initial_state((usual,), complete, ["uncalled"], set()) == ("static data as it begins (level)",)


def test_an_input_is_no_dependency(modules: tuple[Module, ...]) -> None:
    assert initial_state(modules, modules[0], ["reads"], {"level"}) == ()


def test_what_another_source_defines_is_one(modules: tuple[Module, ...]) -> None:
    assert initial_state(modules, modules[0], ["outside"], set()) == ("static data as it begins (elsewhere)",)
    assert initial_state(modules, modules[1], ["more"], set()) == ("static data as it begins (elsewhere)",)
