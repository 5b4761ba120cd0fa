"""Hangs in one loop are one bug, wherever the budget of steps ran out; hangs in two loops are two."""

from __future__ import annotations

from pathlib import Path

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions

TEXT = """
static unsigned sum;
static void once(unsigned x) { sum += x; }
static void twice(unsigned x) { once(x); once(x); }
int f(unsigned char kind, unsigned char step)
{
    if (kind > 40)
        return 0;
    unsigned by = 0;
    if (step & 2)
        by = 2;
    for (unsigned at = 0; at != 200; at += by) {
        if (kind == 1) once(at);
        else if (kind == 2) twice(at);
        else if (kind == 3) { once(at); twice(at); }
        else sum++;
    }
    while (kind == 9)
        once(kind);
    return 1;
}
"""


def test_each_endless_loop_is_one_bug(tmp_path: Path) -> None:
    source = tmp_path / "hangs.c"
    source.write_text(TEXT)
    result = campaign.run(BuildOptions((source,), "f"), SearchOptions(budget=40.0, max_steps=4999))
    hangs = [bug for bug in result.bugs if bug.outcome is Outcome.HANG]
    assert len(hangs) == len(result.bugs) == 2
    assert {bug.confirmed for bug in hangs} == {"plain"}
