"""Functions of the C library that are not in each program: veer and its emulator against the machine's own library."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled
from test_machine_library import FLAGS, TARGETS, explored, given, zig

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions

pytestmark = NEEDS_MACHINE
UNIT = """\
#include <stdint.h>
typedef __SIZE_TYPE__ size_t;
unsigned long long strtoumax(const char *, char **, int);
long long strtoimax(const char *, char **, int);
long long atoll(const char *);
void *memmem(const void *, size_t, const void *, size_t), *memccpy(void *, const void *, int, size_t);
void *rawmemchr(const void *, int), *reallocarray(void *, size_t, size_t);
void explicit_bzero(void *, size_t), bcopy(const void *, void *, size_t), free(void *);
char *stpncpy(char *, const char *, size_t), *strcasestr(const char *, const char *);
char *index(const char *, int), *rindex(const char *, int);
char *strtok(char *, const char *), *strtok_r(char *, const char *, char **), *strsep(char **, const char *);
int strcoll(const char *, const char *), fflush(void *), pthread_mutex_lock(void *), pthread_mutex_unlock(void *);
char *getenv(const char *);
int ffs(int), isascii(int), toascii(int);
size_t strlen(const char *);
unsigned htonl(unsigned);
uint16_t ntohs(uint16_t);
#ifdef OWN
static size_t strlcpy(char *to, const char *from, size_t room) {
    size_t n = strlen(from);
    for (size_t k = 0; k + 1 < room && k <= n; k++) to[k] = from[k];
    if (room) to[n < room ? n : room - 1] = 0;
    return n;
}
static size_t strlcat(char *to, const char *from, size_t room) {
    size_t n = strlen(to);
    return n + strlcpy(to + n, from, room - n);
}
#else
size_t strlcpy(char *, const char *, size_t), strlcat(char *, const char *, size_t);
#endif
int uses(uint8_t which, uint8_t a, uint8_t b) {
    char text[8] = {'k', 0}, other[8] = "a1-7", *end;
    text[1] = a & 1 ? 'x' : 0, text[2] = a & 2 ? '9' : 0;
    other[b & 3] = b & 4 ? 0 : 'Q';
    switch (which) {
    case 0: return (int)strtoumax(other + 1, &end, 0) * 10 + (int)(end - other);
    case 1: return (int)strtoimax(other + 2, &end, 16) * 10 + (int)(end - other);
    case 2: return (int)atoll(other + 1);
    case 3: return memmem(text, 3, "x9", 2) ? 1 : 2;
    case 4: end = memccpy(text + 3, other, '1', 4); return end ? (int)(end - text) : 40 + text[5];
    case 5: return (int)((char *)rawmemchr(other, 0) - other);
    case 6: {
        unsigned char *copy = reallocarray(0, (b & 3) + 1, 2);
        copy[0] = 9, copy[2 * (b & 3) + 1] = a;
        explicit_bzero(copy, 1 + (a & 1));
        int sum = copy[0] + (b & 3 ? 3 : copy[1] == a);
        free(copy);
        return sum;
    }
    case 7: bcopy(other, text, (a & 3) + 1); return text[1];
    case 8: end = stpncpy(text, other, 3); return (int)(end - text) * 8 + (text[2] == 0);
    case 9: return strcasestr(other, "q-") ? 1 : 2;
    case 10: return index(other, 'Q') ? 3 : rindex(other, '7') ? 4 : 5;
    case 11: return ffs((int)(a & 6)) * 4 + !!isascii(a) * 2 + (toascii(a) == a);
    case 12: return (int)strlcpy(text, other, b >> 6) * 10 + (b >> 6 ? text[0] == 'a' : 2);
    case 13: text[4] = 0; return (int)strlcat(text, other, 3) * 10 + (int)strlen(text);
    case 14: {
        uint32_t word = htonl(a);
        uint16_t half;
        ((uint8_t *)&half)[0] = a, ((uint8_t *)&half)[1] = b;
        return ((uint8_t *)&word)[3] == 7 ? 1 : ntohs(half) == 0x102 ? 2 : 3;
    }
    case 15: end = strtok(other + (a & 1), "-Q"); return end ? (int)(end - other) * 4 + !strtok(0, "7") : 99;
    case 16: {
        if (sizeof(void *) < 8) return 0;
        char *rest = 0, *first = strtok_r(other, "7-", &rest), *second = strtok_r(0, "1", &rest);
        return (first ? (int)(first - other) : 70) * 100 + (second ? (int)(second - other) : 7);
    }
    case 17: {
        if (sizeof(void *) < 8) return 0;
        char *rest = other, *first = strsep(&rest, "-Q");
        return (int)(first - other) * 100 + (rest ? (int)(rest - other) : 50);
    }
    case 18: return strcoll(other, "a1-7") == 0;
    case 19: {
        static long mutex[8];
        int failed = pthread_mutex_lock(mutex) + fflush(0) + pthread_mutex_unlock(mutex);
        return failed + (getenv("NOTHING_IS_CALLED_SO") == 0);
    }
    default: return 0;
    }
}
"""
KEEP_A_POINTER = (16, 17)


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name == "x86-64"))
def test_library_calls_are_those_of_the_library(name: str, tmp_path: Path) -> None:
    source, output = tmp_path / "unit.c", tmp_path / "unit.o"
    source.write_text(UNIT)
    zig("-target", TARGETS[name], *FLAGS, "-c", source, "-o", output)
    result = explored(output, 240)
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    assert {test.outcome for test in result.tests} == {Outcome.RETURNED}
    own = tmp_path / "own.so"
    zig("-target", "x86_64-linux-gnu", *FLAGS, "-DOWN", "-shared", "-fPIC", source, "-o", own)
    library = ctypes.CDLL(str(own))
    skipped = KEEP_A_POINTER if name in ("arm", "powerpc", "riscv32") else ()  # they are not called on 32 bits
    for test in result.tests:
        values = given(test)
        if values.get("which") in skipped:
            continue
        expected = library.uses(*(values.get(each, 0) for each in ("which", "a", "b")))
        assert int.from_bytes(test.returned or b"", "little", signed=True) == expected, values
    assert {given(test)["which"] for test in result.tests} >= {*range(20)} - {*skipped}


def test_an_assertion_of_newlib_that_fails_is_a_bug(tmp_path: Path) -> None:
    source, output = tmp_path / "unit.c", tmp_path / "unit.o"
    source.write_text("""\
void __assert_func(const char *file, int line, const char *function, const char *text) __attribute__((noreturn));
int checked(int a) { if (a == 77) __assert_func("unit.c", 2, "checked", "a != 77"); return a > 3; }
""")
    zig("-target", TARGETS["arm"], *FLAGS, "-c", source, "-o", output)
    build = BuildOptions((output,), "checked", prototype="int checked(int a)")
    result = campaign.run(build, SearchOptions(budget=30, shrink=False, keep_going=True))
    assert result.ending.claim == "paths", result.ending
    (bug,) = result.bugs
    assert bug.outcome is Outcome.ASSERTION and "a != 77" in bug.message
    assert {test.replayed for test in result.tests} == {"same"}
