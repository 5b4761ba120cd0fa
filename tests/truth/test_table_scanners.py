"""Scanners by tables, and sums of characters: the native ladder answers all that is asked of them."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

ALPHABET = "1-.e "
SCANNER = r"""
enum { DIGIT, SIGN, POINT, EXPONENT, OTHER, KINDS };
static const signed char next[8][KINDS] = {
    {2, 1, -1, -1, -1}, {2, -1, -1, -1, -1}, {2, -1, 3, 5, -1}, {4, -1, -1, -1, -1},
    {4, -1, -1, 5, -1}, {7, 6, -1, -1, -1}, {7, -1, -1, -1, -1}, {7, -1, -1, -1, -1},
};
static const unsigned char kinds[256] = {
    [0 ... 255] = OTHER, ['0' ... '9'] = DIGIT, ['+'] = SIGN, ['-'] = SIGN, ['.'] = POINT,
    ['e'] = EXPONENT, ['E'] = EXPONENT,
};
int scan(const char *s)
{
    int state = 0, read = 0;
    for (; *s; s++, read++) {
        state = next[state][kinds[(unsigned char)*s]];
        if (state < 0) return -1 - read;
    }
    return state == 2 || state == 4 || state == 7 ? read : 100;
}
"""
NUMBER = re.compile(r"[+-]?1+(\.1+)?(e[+-]?1+)?")
REMAINDER = """
int is_valid(const unsigned char s[10])
{
    unsigned sum = 0;
    for (int i = 0; i < 9; i++) sum += (i % 2 ? 3u : 1u) * (s[i] & 15);
    if ((sum + s[9]) % 10 == 0) return 1;
    return 0;
}
"""


def expected(text: str) -> int:
    """What scan returns, told by what is a number and what begins one."""
    for read in range(1, len(text) + 1):
        beginnings = (text[:read], text[:read] + "1", text[:read] + "1e1")
        if not any(NUMBER.fullmatch(each) for each in beginnings):
            return -read
    return len(text) if NUMBER.fullmatch(text) else 100


def test_a_scanner_by_tables_is_searched_to_its_end_without_solvers(tmp_path: Path) -> None:
    source = tmp_path / "scan.c"
    source.write_text(SCANNER)
    build, search = BuildOptions((source,), "scan", max_length=5), SearchOptions(budget=60.0, criterion="path")
    result = explore(build, search)
    every = {expected("".join(text)) for length in range(6) for text in itertools.product(ALPHABET, repeat=length)}
    assert {int.from_bytes(test.returned, "little", signed=True) for test in result.tests if test.returned} == every
    assert {test.replayed for test in result.tests} == {"same"}
    assert result.ending.claim == "paths"
    assert "bitwuzla" not in result.queries.answered_by
    assert result.queries.answered_by["frontier"] > 10


def test_a_sum_whose_remainder_is_asked_is_solved_leaf_by_leaf(tmp_path: Path) -> None:
    source = tmp_path / "valid.c"
    source.write_text(REMAINDER)
    result = explore(BuildOptions((source,), "is_valid"), SearchOptions(budget=60.0, criterion="path"))
    assert {test.returned for test in result.tests if test.returned} == {bytes(4), bytes([1, 0, 0, 0])}
    assert result.ending.claim == "paths"
    assert "bitwuzla" not in result.queries.answered_by
