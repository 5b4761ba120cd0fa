"""A pointer that starts from an object is never NULL, whatever is added to it: no input is made whose number does so
where the object happens to lie. Such tests ended otherwise on the plain build."""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled

import veer

SOURCE = """
#include <stddef.h>
struct span { char *base; long off; };
static char *at(struct span *p) { return p->base + p->off; }
int member(struct span *p) { if (p == NULL) return 5; return at(p) == NULL ? p->off == 0 ? 1 : 2 : 3; }
int parameter(char *p, long n) { char *q = p + n; if (q == NULL) return n == 0 ? 1 : 2; return p == NULL ? 4 : 3; }
typedef struct { size_t used, room; char *base; } pool;
static void *taken(void *from, size_t size)
{
    pool *p = from;
    if (p->room - p->used < size) return NULL;
    p->used += size;
    return p->base + p->used - size;
}
int zeros(void *from, size_t count) { return from && taken(from, count * 2) ? 3 : 1; }
"""
RETURNS = {"member": {1, 3, 5}, "parameter": {1, 3, 4}, "zeros": {1, 3}}
"""None returns 2: NULL and a number that is not 0 is not NULL."""


@pytest.mark.parametrize("entry", sampled(list(RETURNS), lambda name: name == "zeros"))
def test_no_number_makes_null_of_an_object(tmp_path: Path, entry: str) -> None:
    source = tmp_path / "unit.c"
    source.write_text(SOURCE)
    result = veer.test(source, entry=entry, budget="5s", grow=False)
    assert {test.replayed for test in result.tests if not test.outcome.is_bug} == {"same"}
    assert not [reason for reason in result.ending.lost_by if "plain build" in reason]
    returned = {int.from_bytes(test.returned, "little") for test in result.tests if test.returned}
    assert returned == RETURNS[entry]
