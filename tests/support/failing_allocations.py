"""A function whose allocations may fail, and what it returns for every pattern of failures."""

from __future__ import annotations

from pathlib import Path

from suite_builds import build_suite

ALLOCATING = """
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int memory(unsigned char n)
{
    char *first, *second, *grown;
    int result = 1;
    errno = 0;
    if (n > 3) return 0;
    first = malloc(n + 1u);
    if (!first) return errno == ENOMEM ? 2 : -1;
    strcpy(first, "");
    if (n == 2) {
        grown = realloc(first, 8);
        if (!grown) { free(first); return errno == ENOMEM ? 3 : -2; }
        first = grown;
        result = 4;
    }
    second = n & 1 ? strdup(first) : calloc(1, 2);
    if (!second) { free(first); return 5 + (n & 1); }
    free(first);
    free(second);
    return result;
}
"""
_NAMES = ("malloc", "calloc", "realloc", "strdup")
_EVERY_FAILURE = """
#include <stdio.h>
static unsigned fails;
static int next(void) { int now = fails & 1; fails >>= 1; if (now) errno = ENOMEM; return now; }
void *may_fail_malloc(size_t size) { return next() ? NULL : malloc(size); }
void *may_fail_calloc(size_t count, size_t size) { return next() ? NULL : calloc(count, size); }
void *may_fail_realloc(void *old, size_t size) { return next() ? NULL : realloc(old, size); }
char *may_fail_strdup(const char *text) { return next() ? NULL : strdup(text); }
int main(void)
{
    for (unsigned n = 0; n < 256; n++)
        for (unsigned mask = 0; mask < 16; mask++) {
            fails = mask;
            printf("%d\\n", memory((unsigned char)n));
        }
}
"""


def every_result(folder: Path) -> set[int]:
    """What `memory` returns for all inputs, whichever of its allocations fail."""
    renamed = "".join(f"#define {name} may_fail_{name}\n" for name in _NAMES)
    back = "".join(f"#undef {name}\n" for name in _NAMES)
    done = build_suite(folder, "every.c", renamed + ALLOCATING + back + _EVERY_FAILURE).run()
    assert done.returncode == 0
    return {int(line) for line in done.stdout.split()}
