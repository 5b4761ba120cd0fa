"""What functions use, as their text says: the tables of compositional builds (instrument/uses.py)."""

from __future__ import annotations

import re
from pathlib import Path

from ir_fixtures import instrumented, prepared

from veer.instrument.uses import Fact
from veer.wire.layout import NONE

_TEXT = """
static int g, table[4];
static const int fixed = 3;
static int leaf(const signed char *s, int i, int *out) { *out = s[i] + fixed; return table[i & 3]; }
static int over(int n, int *out) {
  signed char own[2] = {1, 2};
  return leaf(own, n, out ? out : &g);
}
static int odd(int n);
static int even(int n) { return n ? odd(n - 1) : 1; }
static int odd(int n) { return n ? even(n - 1) : 0; }
int top(int n, int *p, struct pair { int *first; char c; } *q) {
  if (q->c) return *q->first;
  return even(n) + over(n, p);
}
"""
_LINE = re.compile(
    r"i64 ptrtoint \(ptr getelementptr \(i8, ptr @\w+, i64 (\d+)\) to i64\), ptr (\S+), i32 (-?\d+), "
    r'i32 (\d+), i32 (\d+), i32 (\d+) \}, section "veer_uses"'
)


def _uses(folder: Path) -> dict[str, set[tuple[object, ...]]]:
    """Function → (argument or global, unit, written), or facts."""
    unit = instrumented(prepared(folder, _TEXT), boundaries=True)
    names = {site.id: site.function for site in unit.sites}
    found: dict[str, set[tuple[object, ...]]] = {}
    for site, base, argument, size, written, fact in _LINE.findall(unit.text):
        place: object = Fact(int(fact)) if int(fact) else base if int(argument) == NONE - (1 << 32) else int(argument)
        found.setdefault(names[int(site)], set()).add((place, int(size), bool(int(written))))
    return found


def test_a_function_uses_what_it_and_its_callees_touch(tmp_path: Path) -> None:
    uses = _uses(tmp_path)
    assert uses["leaf"] == {(0, 1, False), (2, 4, True), ("@table", 4, False)}
    assert uses["over"] == {(1, 4, True), ("@g", 4, True), ("@table", 4, False), (Fact.STACK, 1, False)}
    assert uses["even"] == uses["odd"] == {(Fact.IN_CYCLE, 1, False), (Fact.CALLS_CYCLE, 1, False)}
    assert uses["top"] == {
        *((1, 4, True), ("@g", 4, True), ("@table", 4, False)),
        (2, 8, False),  # cells for its pointers
        *((Fact.STACK, 1, False), (Fact.CALLS_CYCLE, 1, False)),
    }


def test_other_builds_have_no_such_tables(tmp_path: Path) -> None:
    assert "veer_uses" not in instrumented(prepared(tmp_path, _TEXT)).text
