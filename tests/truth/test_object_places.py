"""How objects lie in memory is open in C: a claim names it where a run asks for it, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

WORDS = "objects lie where veer places them"

ASKING = """
#include <stdint.h>
#include <stdlib.h>
int order(int *p, int *q) { if (p < q) return 1; if (p > q) return 2; return 3; }
int blocks(void) {
    char *a = malloc(3), *b = malloc(3);
    int r = 0;
    if (a && b) r = a < b ? 1 : 2;
    free(a);
    free(b);
    return r;
}
int locals(int x) { int a = x, b = 1; int *p = x > 3 ? &a : &b; return p >= &b; }
long distance(char *p, char *q) { return p - q > 100; }
int alignment(unsigned long *p) { return ((uintptr_t)p & 15) == 8; }
int integers(int *p, int *q) { return (uintptr_t)p < (uintptr_t)q; }
static unsigned hash(const void *p) { return (unsigned)((uintptr_t)p >> 4) * 31; }
int bucket(int *p) { return hash(p) % 7 == 3; }
"""

SILENT = """
#include <stdint.h>
#include <stdlib.h>
struct text { const char *now, *end; };
static int next(struct text *text) { return text->now < text->end ? *text->now++ : -1; }
int parse(const char *bytes, unsigned length) {
    struct text text = {bytes, bytes + length};
    int sum = 0, c;
    if (length > 4) return -1;
    while ((c = next(&text)) >= 0) sum += c == 'a';
    return sum;
}
int loop(int x) { int a[4] = {x, 1, 2, 3}, *p, n = 0; for (p = a; p < a + 4; p++) n += *p == 1; return n; }
long length(char *s) { char *p = s; while (*p) p++; return p - s; }
int equal(int *p, int *q) { return p == q; }
int null(int *p) { return p > (int *)0 || (uintptr_t)p == 0; }
int middle(unsigned char n) {
    unsigned char *block = malloc(8), *p, *q;
    int r;
    if (!block) return 0;
    p = block;
    q = block + 8;
    while (q - p > 1) { unsigned char *m = p + (q - p) / 2; if (m - block > n) q = m; else p = m; }
    r = p < block + 4 ? 1 : 2;
    free(block);
    return r;
}
struct field { int a, b; };
int members(struct field *f) { int *low = &f->a, *high = &f->b; return low < high; }
int within(char *p, char *end) { int n = 0; for (; p < end; p++) n++; return n; }
"""


def _bounds(tmp_path: Path, text: str, entry: str) -> tuple[str, ...]:
    source = tmp_path / "unit.c"
    source.write_text(text)
    return campaign.run(BuildOptions((source,), entry), SearchOptions(budget=20.0)).ending.within


@pytest.mark.parametrize("entry", ["order", "blocks", "locals", "distance", "alignment", "integers", "bucket"])
def test_a_claim_names_the_places_of_objects_where_a_run_asks_for_them(tmp_path: Path, entry: str) -> None:
    assert WORDS in _bounds(tmp_path, ASKING, entry)


@pytest.mark.parametrize("entry", ["parse", "loop", "length", "equal", "null", "middle", "members", "within"])
def test_a_claim_does_not_name_them_within_one_object(tmp_path: Path, entry: str) -> None:
    assert WORDS not in _bounds(tmp_path, SILENT, entry)
