"""Numbers that scanf reads, and that are decided where a byte of them is used: whatever uses them, veer finds all.

The reference is gcc's build, which runs every text of up to four characters of an alphabet.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from all_texts import differences, differences_of_texts, found_by_all_texts
from sampling import sampled
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

ALPHABET = "0129.-+exanif "
MOST = 4
HEAD = """
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int mixed(int first, float r, int last)
{
    return first == '1' ? (r > 5 ? 2 : 3) : last == '9' ? (r > 5 ? 4 : 5) : 6;
}
"""
USES = {
    "nobody": """
        float r = 7;
        int count = sscanf(s, "%f", &r);
        if (count < 0) return 1;
        return count ? 2 : 3;""",
    "a comparison": """
        float r = 0;
        if (sscanf(s, "%f", &r) != 1) return 1;
        return r > 2.5f ? 2 : r < 0 ? 3 : 4;""",
    "one side alone": """
        float r = 0; int c = 0;
        if (sscanf(s, "%f%c", &r, (char *)&c) != 2) return 1;
        if (c == '.') return r == 1 ? 2 : 3;
        return 4;""",
    "its bits": """
        float r = 0; uint32_t bits;
        if (sscanf(s, "%f", &r) != 1) return 1;
        memcpy(&bits, &r, sizeof bits);
        if (bits >> 31) return 2;
        return (bits & 0x7fffff) ? 3 : 4;""",
    "one byte": """
        union { double number; unsigned char bytes[8]; } r = {0};
        if (sscanf(s, "%lf", &r.number) != 1) return 1;
        return r.bytes[7] == 0x3f ? 2 : r.bytes[7] == 0x40 ? 3 : 4;""",
    "a copy on the heap": """
        struct pair { int tag; float r; } *one = calloc(1, sizeof *one), *two;
        if (!one) return 0;
        one->tag = sscanf(s, "%f", &one->r);
        two = malloc(2 * sizeof *two);
        if (!two) { free(one); return 0; }
        two[1] = *one;
        free(one);
        int found = two[1].tag != 1 ? 1 : two[1].r >= 9 ? 2 : two[1].r != two[1].r ? 3 : 4;
        free(two);
        return found;""",
    "memcmp": """
        float r = 0, nine = 9;
        if (sscanf(s, "%f", &r) != 1) return 1;
        return memcmp(&r, &nine, sizeof r) == 0 ? 2 : 3;""",
    "a byte that is written": """
        float r = 0; uint32_t bits;
        if (sscanf(s, "%f", &r) != 1) return 1;
        ((unsigned char *)&r)[3] = 0;
        memcpy(&bits, &r, sizeof bits);
        return bits == 0 ? 2 : bits == 0x100000 ? 3 : 4;""",
    "another number in its place": """
        float r = 0, q = 0;
        if (sscanf(s, "%f", &r) != 1) return 1;
        q = r;
        if (sscanf(s + 1, "%f", &r) != 1) return 2;
        return r > q ? 3 : r < q ? 4 : 5;""",
    "an index": """
        static const int codes[10] = {2, 3, 4, 4, 4, 4, 4, 4, 4, 5};
        double r = 0;
        if (sscanf(s, "%lf", &r) != 1 || !(r >= 0 && r < 10)) return 1;
        int code = codes[(int)r];
        return code == 2 ? 2 : code == 3 ? 3 : code == 5 ? 5 : 4;""",
    "a number that is read back": """
        float r = 0, q = -5; char text[64];
        if (sscanf(s, "%f", &r) != 1 || !(r >= 1 && r <= 3)) return 1;
        snprintf(text, sizeof text, "%.1f", r);
        return text[0] == '1' ? 2 : 3;""",
    "an argument between others": """
        float r = 0;
        if (sscanf(s, "%f", &r) != 1) return 1;
        return mixed(s[0], r, s[strlen(s) - 1]);""",
    "errno": """
        float r = 0;
        errno = 0;
        if (sscanf(s, "%f", &r) != 1) return 1;
        return errno == ERANGE ? 2 : 3;""",
    "a width": 'float r = 0; if (sscanf(s, "%3f", &r) != 1) return 1; return r == 0 ? 2 : r == 1 ? 3 : 4;',
    "no place": """
        char c = 0;
        if (sscanf(s, "%*f%c", &c) != 1) return 1;
        return c == 'x' ? 2 : c == 'e' ? 3 : 4;""",
}
FROM_FILES = ("nobody", "a comparison", "one side alone", "another number in its place", "errno", "a width", "no place")
FROM_A_FILE = """
#define sscanf(s, ...) fscanf(stream, __VA_ARGS__)
int of_stream(FILE *stream) { %s }
#undef sscanf
int f(const char *s)
{
    FILE *stream = fmemopen((void *)s, strlen(s), "r");
    int found = of_stream(stream);
    fclose(stream);
    return found;
}
"""


@pytest.mark.parametrize("use", sampled(USES, lambda use: use in ("nobody", "its bits", "errno")))
def test_whatever_uses_a_number_veer_finds_what_all_texts_find(tmp_path: Path, use: str) -> None:
    assert not differences_of_texts(tmp_path, HEAD, USES[use], ALPHABET, MOST)


@pytest.mark.parametrize("use", sampled(FROM_FILES, lambda use: use == "a comparison"))
def test_numbers_of_files_are_those_of_all_texts(tmp_path: Path, use: str) -> None:
    body = USES[use].replace("s + 1", "s")
    reference = found_by_all_texts(tmp_path, HEAD + FROM_A_FILE % body, ALPHABET, MOST)
    source = tmp_path / "unit.c"
    source.write_text(f"{HEAD}#define sscanf(s, ...) fscanf(stdin, __VA_ARGS__)\nint main(void) {{ {body} }}\n")
    assert not differences(BuildOptions((source,), "main", stdin_size=MOST), reference)


def test_a_number_that_nobody_uses_takes_few_runs(tmp_path: Path) -> None:
    runs = {}
    for use in ("nobody", "errno"):
        source = tmp_path / f"{use}.c"
        source.write_text(f"{HEAD}int f(const char *s) {{ if (!s) return 0; {USES[use]} }}\n")
        result = explore(BuildOptions((source,), "f", max_length=MOST), SearchOptions(budget=120.0))
        assert result.ending.claim == "paths"
        runs[use] = result.runs
    assert runs["nobody"] * 3 < runs["errno"], runs
