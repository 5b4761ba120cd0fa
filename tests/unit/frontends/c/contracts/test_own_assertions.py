"""Macros that assert something and never come back: contracts of the function that begins with them."""

from __future__ import annotations

import pytest
from front_fixtures import module_of

from veer.frontends.c.contracts.clauses import Range
from veer.frontends.c.contracts.heads import head_clauses
from veer.frontends.c.contracts.reading import Knowledge, known_parameters

SOURCE = """
extern int print(const char *);
extern void (*hook)(const char *);
_Noreturn void die(const char *);
void note(const char *);
#define LOOPS(e) do { if (!(e)) { print(#e); while (1); } } while (0)
#define DIES(e) ((e) ? (void)0 : die(#e))
#define HOOKED(e) if (!(e)) { if (hook == 0) { print(#e); while (1); } else { hook(#e); } }
#define TRAPS(e) if (!(e)) __builtin_trap()
#define WAITS(e) while (!(e)) __builtin_trap()
#define FAULTS(e) do { if (!(e)) *(volatile int *)0 = 0; } while (0)
#define NOTES(e) do { if (!(e)) note(#e); } while (0)
int loops(int n) { LOOPS(n <= 5); return n; }
int dies(int n) { DIES(n <= 5); return n; }
int hooked(int n) { HOOKED(n <= 5); return n; }
int traps(int n) { TRAPS(n <= 5); return n; }
int waits(int n) { WAITS(n <= 5); return n; }
int faults(int n) { FAULTS(n <= 5); return n; }
int notes(int n) { NOTES(n <= 5); return n; }
int endless(int n) { if (n > 5) for (;;); return n; }
int trapped(int n) { if (n > 5) __builtin_trap(); return n; }
int ends(int n) { if (n > 5) die("n"); return n; }
"""


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Knowledge:
    return Knowledge(module_of(tmp_path_factory.mktemp("asserts"), SOURCE))


@pytest.mark.parametrize(
    ("name", "asserts"),
    [
        *(("loops", True), ("dies", True), ("hooked", True), ("traps", True), ("waits", True), ("faults", True)),
        *(("notes", False), ("endless", False), ("ends", False), ("trapped", False)),
    ],
)
def test_what_a_macro_asserts_is_a_contract(knowledge: Knowledge, name: str, *, asserts: bool) -> None:
    """A loop or a call that stands in the function itself is no assertion, and a macro that comes back is none."""
    body = knowledge.bodies().function(name)
    function = next(each for each in knowledge.module.debug.functions() if each.name == name)
    assert body is not None
    found = list(head_clauses(body, known_parameters(knowledge.module.debug, function)))
    assert [(each.low, each.high) for each in found if isinstance(each, Range)] == ([(None, 5)] if asserts else [])
