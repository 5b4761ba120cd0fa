"""Numbers that code reads digit by digit, with guards of many kinds: veer finds what all texts find."""

from __future__ import annotations

from pathlib import Path

import pytest
from all_texts import differences_of_texts
from sampling import sampled
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions

ALPHABET = "0123456789-x"
MOST = 4
READERS = {
    "a guard by division": """
        short n = 0;
        for (; *s; s++) {
            int digit = *s - '0';
            if (digit < 0 || digit > 9) return 1;
            if (n > (127 - digit) / 10) return 2;
            n = (short)(n * 10 + digit);
        }
        return n == 127 ? 3 : n == 125 ? 4 : n > 99 ? 5 : 6;""",
    "checked products and sums of 8 bits": """
        signed char n = 0;
        for (; *s; s++) {
            if (*s < '0' || *s > '9') return 1;
            if (__builtin_mul_overflow(n, 10, &n)) return 2;
            if (__builtin_add_overflow(n, *s - '0', &n)) return 3;
        }
        return n == 127 ? 4 : n == 28 ? 5 : 6;""",
    "downwards": """
        signed char n = 0;
        int is_negative = *s == '-';
        for (s += is_negative; *s >= '0' && *s <= '9'; s++) {
            if (__builtin_mul_overflow(n, (signed char)10, &n)) return 1;
            if (__builtin_sub_overflow(n, (signed char)(*s - '0'), &n)) return 2;
        }
        if (*s) return 3;
        if (!is_negative && n == -128) return 4;
        return is_negative ? (n == -128 ? 5 : n < -99 ? 6 : 7) : -n == 127 ? 8 : 9;""",
    "unsigned products": """
        unsigned char n = 0;
        for (; *s; s++) {
            if (*s < '0' || *s > '9') return 1;
            if (__builtin_mul_overflow(n, 10, &n)) return 2;
            if (__builtin_add_overflow(n, (unsigned char)(*s - '0'), &n)) return 3;
        }
        return n == 255 ? 4 : n == 250 ? 5 : 6;""",
    "shifts and masks": """
        unsigned char n = 0;
        for (; *s; s++) {
            if (*s < '0' || *s > '8') return 1;
            if (n >> 5) return 2;
            n = (unsigned char)(n << 3 | (*s - '0' & 7));
        }
        return n == 0xff ? 3 : (n & 15) == 7 ? 4 : n / 8 == 5 ? 5 : 6;""",
    "remainders": """
        unsigned n = 0;
        for (; *s; s++) {
            if (*s < '0' || *s > '9') return 1;
            n = n * 10 + (unsigned)(*s - '0');
        }
        if (n % 97 == 1) return n > 1000 ? 2 : 3;
        return n % 7 == 0 ? 4 : n / 100 == 25 ? 5 : 6;""",
    "a sum of two numbers": """
        int parts[2] = {0, 0}, which = 0;
        for (; *s; s++) {
            if (*s == '-') {
                if (which) return 1;
                which = 1;
            } else if (*s < '0' || *s > '9') {
                return 2;
            } else {
                parts[which] = parts[which] * 10 + (*s - '0');
            }
        }
        if (parts[0] + parts[1] == 37) return 3;
        if (parts[0] - parts[1] == 68) return 4;
        return parts[0] * 3 + parts[1] * 5 > 2000 ? 5 : 6;""",
    "a factor below zero": """
        int n = 0;
        for (; *s; s++) {
            if (*s < '0' || *s > '9') return 1;
            n = n * -3 + (*s - '0');
            if (n < -20) return 2;
        }
        return n == 25 ? 3 : n == -19 ? 4 : n % 4 == 3 ? 5 : n % 4 == -3 ? 6 : 7;""",
}


@pytest.mark.parametrize("reader", sampled(READERS, lambda reader: reader in ("downwards", "shifts and masks")))
def test_what_is_read_is_what_all_texts_say(tmp_path: Path, reader: str) -> None:
    assert not differences_of_texts(tmp_path, "", READERS[reader], ALPHABET, MOST)


LONG = """
long number(const char s[22])
{
    long n = 0;
    for (; *s >= '0' && *s <= '9'; s++) n = 10 * n - (*s - '0');
    return n;
}
"""


def test_the_overflow_of_nineteen_digits_is_found(tmp_path: Path) -> None:
    """In either operation; what is read and does not overflow has a path for each length, and no solver is asked."""
    source = tmp_path / "long.c"
    source.write_text(LONG)
    result = explore(BuildOptions((source,), "number"), SearchOptions(budget=120.0))
    assert {bug.outcome for bug in result.bugs} == {Outcome.UNDEFINED, Outcome.BOUNDS_READ}, result.bugs
    assert result.ending.claim == "paths"
    assert "bitwuzla" not in result.queries.answered_by
