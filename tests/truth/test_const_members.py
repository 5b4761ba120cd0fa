"""Members that are const: inputs where an object is made, never changed where there is one already."""

from __future__ import annotations

from pathlib import Path

import pytest

import veer

UNIT = """
struct state { const int kind; int level; struct { int low, high; } const ends; };
static struct state now = {3, 1, {1, 2}};
static const struct state fixed = {4, 4, {4, 4}};
int kept(int n)
{
    if (now.kind == 4 || now.ends.low == 5 || fixed.level == 5) return 1;
    if (now.level == 7) return now.kind == 3 && now.ends.high == 2 ? 2 : 6;
    now.level = 0;
    return n > 3 ? 3 : 4;
}
struct packed { const unsigned first : 4; unsigned second : 15; signed third : 8; unsigned fourth : 5; short last; };
static struct packed bits = {2, 145, 15, 3, 9};
unsigned packed(int n)
{
    if (bits.last == 77) return bits.second * 3 + bits.third + bits.fourth;
    if (n == 4) bits.last = 10;
    return bits.second;
}
int made(struct state *p, struct state q)
{
    if (p && p->kind == 5 && p->ends.high == 9) return 3;
    return q.kind == 11 ? 4 : 5;
}
"""


@pytest.mark.parametrize(("entry", "reachable"), [("kept", {2, 3, 4}), ("made", {3, 4, 5}), ("packed", {145, 453})])
def test_const_members_are_inputs_of_new_objects_alone(entry: str, reachable: set[int], tmp_path: Path) -> None:
    source = tmp_path / "f.c"
    source.write_text(UNIT)
    result = veer.test(source, entry, budget=12)
    returned = {int.from_bytes(test.returned or b"", "little") for test in result.tests}
    assert returned == reachable  # 2: the state is free, but for what is const
    assert not result.bugs and {test.replayed for test in result.tests} == {"same"}
    assert not [note for note in result.program.notes if "does not compile" in note]
