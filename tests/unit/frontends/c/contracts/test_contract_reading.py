"""Contracts that are written in C, and what the code shows, by the compiler that veer brings."""

from __future__ import annotations

from pathlib import Path

import pytest
from front_fixtures import contract_of

ARRAYS = """
#define N 3
enum { K = 5 };
typedef int four[4];
int f(int a[N], int b[sizeof(int) * 2], int c[static K], four d, int m[2][3], int n, int v[n], int e[]) { return 0; }
"""
ATTRIBUTES = """
#include <stddef.h>
#include <unistd.h>
#define NEVER_NULL __attribute__((nonnull))
#define READS(p, n) __attribute__((access(read_only, p, n)))
NEVER_NULL READS(1, 2) int f(const char *, size_t, int *, int *_Nullable r);
int f(const char *text, size_t wide, int *out, int *r) { return access(text, 0); }
"""
SAL = """
#ifndef _In_
#define _In_
#define _In_reads_(n)
#endif
#ifndef _Out_
#define _Out_
#endif
#ifndef _Inout_
#define _Inout_updates_opt_(n)
#endif
int f(_In_reads_(many) const short *in, int many, _Out_ int *out, _Inout_updates_opt_(4) short *both, _In_ char *c)
{ return 0; }
"""
HEAD = """
#include <assert.h>
int f(int *p, int n, unsigned u, int late, int loose) {
    int r = 0;
    assert(p != 0 && n >= 0);
    assert(!(n > 100) && u);
    __builtin_assume(loose < 7);
    if (!p) return 1;
    assert(late > 3);
    return r;
}
"""


def words(folder: Path, text: str, name: str = "f") -> list[str]:
    """The clauses of a function, without who says so."""
    return [str(each) for each in contract_of(folder, text, name).clauses]


def test_array_parameters_however_their_size_is_spelled(tmp_path: Path) -> None:
    contract = contract_of(tmp_path, ARRAYS)
    assert contract.elements == {"a": 3, "b": 8, "c": 5, "d": 4, "m": 2}
    assert contract.lengths == {"v": "n"}
    assert {"a", "b", "c", "d", "m", "v"} <= contract.not_null
    assert "c is not NULL (array parameter [static 5])" in contract.words


def test_an_array_parameter_that_is_tested_may_be_null(tmp_path: Path) -> None:
    contract = contract_of(tmp_path, "int f(const unsigned char a[3]) { return a && a[2] == 2; }")
    assert contract.elements == {"a": 3} and contract.not_null == frozenset()


def test_a_declarator_does_not_speak_for_its_neighbour(tmp_path: Path) -> None:
    text = "int e_other(const unsigned char a[3]) { return a[2]; } int e_num(const char*a) { return a && *a == 4; }"
    assert contract_of(tmp_path, text, "e_num").elements == {}


def test_attributes_of_a_prototype_reach_the_definition(tmp_path: Path) -> None:
    contract = contract_of(tmp_path, ATTRIBUTES)
    assert contract.not_null == {"text", "out"}
    assert contract.lengths == {"text": "wide"}
    assert "r may be NULL (attribute _Nullable)" in contract.words


def test_sal_where_no_definition_is_in_force(tmp_path: Path) -> None:
    contract = contract_of(tmp_path, SAL)
    assert contract.lengths == {"in": "many"} and contract.elements == {"out": 1, "both": 4}
    assert contract.not_null == {"in", "out", "c"}


def test_assertions_at_the_head_but_not_behind_it(tmp_path: Path) -> None:
    found = words(tmp_path, HEAD)
    assert "p is not NULL" in found and "n is 0..100" in found
    assert f"u is 1..{2**32 - 1}" in found and f"loose is {-(2**31)}..6" in found
    assert not any(each.startswith("late") for each in found)


def test_an_assertion_that_always_fails_is_no_contract(tmp_path: Path) -> None:
    text = "#include <assert.h>\nint f(unsigned char c) { assert(c > 255); return 0; }"
    assert contract_of(tmp_path, text).ranges == {}


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("int f(int *a, int k) { int s = 0; for (int i = 0; i < k; i++) s += a[i]; return s; }", {"a": "k"}),
        ("int f(int *a, int k) { int s = 0; for (int i = 0; i + 1 < k; i++) s += a[i]; return s; }", {"a": "k"}),
        ("int f(char *a, unsigned k) { int s = 0; while (k--) s += *a++; return s; }", {"a": "k"}),
        ("int f(char *a, unsigned k) { for (char *e = a + k; a < e; a++) *a = 0; return 0; }", {"a": "k"}),
        ("#include <string.h>\nvoid f(int *a, int *b, long k) { memcpy(a, b, k * sizeof *a); }", {"a": "k", "b": "k"}),
        ("#include <string.h>\nvoid f(int *a, long k) { memset(a, 0, k); }", {}),
        ("int f(int *a, int k) { return a[k]; }", {}),
        ("void f(char *b, const char *a, unsigned k) { for (int i = 0; i < 9; i++) b[i] ^= a[i % k]; }", {"a": "k"}),
        ("int f(int *a, int k) { int i = 0; while (a[i]) i = (i + 1) % k; return i; }", {"a": "k"}),
        ("int f(int *a, int k, int i) { return a[i % 8] + k; }", {}),
        ("int f(const char *a, int k) { int i = 0; while (i < k && a[i]) i++; return i; }", {}),
        (
            "static int g(int *p, int m) { int s = 0; for (int i = 0; i < m; i++) s += p[i]; return s; }"
            "int f(int *a, int k) { return g(a, k); }",
            {"a": "k"},
        ),
    ],
)
def test_lengths_by_what_the_code_does(tmp_path: Path, text: str, lengths: dict[str, str]) -> None:
    assert contract_of(tmp_path, text).lengths == lengths


@pytest.mark.parametrize(
    ("parameters", "lengths"),
    [
        (
            "const char *src, char *dst, int compressedSize, int dstCapacity",
            {"src": "compressedSize", "dst": "dstCapacity"},
        ),
        ("char *buf, int x, int buf_len", {"buf": "buf_len"}),
        ("const char *c, const char *mac, unsigned long clen", {"c": "clen"}),
        ("const char *from, char *to, int fromSize, int most", {"from": "fromSize"}),
        (
            "const char *source, char *dest, int compressedSize, int maxDecompressedSize",
            {"source": "compressedSize", "dest": "maxDecompressedSize"},
        ),
        ("const char *src, int *srcSizePtr, int flags, int targetSize", {}),
        ("struct heap *heap, unsigned long size", {}),
        ("struct item *items, unsigned long size", {"items": "size"}),
        ("void *p, unsigned long newsize", {}),
        ("unsigned char *dst, int capacity", {"dst": "capacity"}),
        ("const char *name, char *dst, int flags, int dstCapacity", {"dst": "dstCapacity"}),
    ],
)
def test_lengths_by_their_names(tmp_path: Path, parameters: str, lengths: dict[str, str]) -> None:
    structs = "struct heap { int x; }; struct item { int x; };"
    assert contract_of(tmp_path, f"{structs} int f({parameters}) {{ return 0; }}").lengths == lengths


def test_names_win_where_the_code_uses_another_length(tmp_path: Path) -> None:
    text = """int f(char *dst, int dst_size, const char *src, int src_len)
              { int i; for (i = 0; i < src_len; i++) dst[i] = src[i]; return i; }"""
    assert contract_of(tmp_path, text).lengths == {"dst": "dst_size", "src": "src_len"}


@pytest.mark.parametrize(
    ("type_", "call", "lengths"),
    [
        ("const char *", "strlen(buf)", {}),
        ("const char *", 'strcmp(buf, "a")', {}),
        ("const char *", 'strncmp(buf, "a", 1)', {"buf": "n"}),
        ("char *", "strlen(buf)", {"buf": "n"}),
    ],
)
def test_a_text_that_the_library_reads_to_its_nul_has_no_length_by_name(
    tmp_path: Path, type_: str, call: str, lengths: dict[str, str]
) -> None:
    """What is written to may have `n` bytes of room."""
    text = f"#include <string.h>\nint f({type_}buf, int n) {{ return (int){call} + n; }}"
    assert contract_of(tmp_path, text).lengths == lengths


def test_a_text_of_the_library_has_no_length_by_its_index(tmp_path: Path) -> None:
    """`cap` bounds the index of both, but only `out` has its elements."""
    text = """#include <string.h>
              int f(const char *in, unsigned char *out, unsigned long cap)
              { unsigned long i, n = strlen(in);
                for (i = 0; i < n; i++) { if (i >= cap) return -1; out[i] = (unsigned char)in[i]; } return 0; }"""
    assert contract_of(tmp_path, text).lengths == {"out": "cap"}


def test_a_callee_that_tests_for_null_tests_for_its_caller(tmp_path: Path) -> None:
    text = """static int g(int *p, int n)
              { int s = 0; if (!p) return 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
              int f(int *p, int n) { return g(p, n); }"""
    assert contract_of(tmp_path, text).not_null == frozenset()


def test_what_excludes_no_input_is_told_too(tmp_path: Path) -> None:
    text = """__attribute__((alloc_size(1, 2), returns_nonnull)) void *f(int many, int size);
              void *f(int many, int size) { static char here[9]; return here; }"""
    assert words(tmp_path, text) == ["what it returns has many * size bytes", "it returns no NULL"]


def test_argc_counts_the_arguments_and_not_the_text_before_it(tmp_path: Path) -> None:
    text = "int f(const char *folder, int argc, char **argv) { return argc > 1 ? *argv[1] : *folder; }"
    assert contract_of(tmp_path, text).lengths == {"argv": "argc"}


SINGLE = """
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct heap { int *data; size_t size, cap; };
void *sort(struct heap *, size_t);
void init(struct heap *h, size_t cap) { *h = (struct heap){0}; h->cap = cap; }
void reset(struct heap *h, size_t cap) { h->size = 0; init(h, cap); }
size_t nth(struct heap *h, size_t n) { return n ? h[n - 1].size : h->size; }
size_t of_nth(struct heap *h, size_t n) { return h->size + nth(h, n); }
void sorted(struct heap *h, size_t n) { h->size = 0; sort(h, n); }
size_t walk(struct heap *h, size_t n) { size_t all = h->size; while (n--) all += (h++)->cap; return all; }
size_t copied(struct heap *h, size_t n) { struct heap *to = malloc(n); h->size = 1; memcpy(to, h, n); return to->size; }
void cleared(struct heap *h, size_t n) { memset(h, 0, n); *h = (struct heap){0}; }
void set(struct heap *h, size_t n) { struct heap made = {0, n, n}; *h = made; }
size_t looked(struct heap *h, size_t n) { struct heap all = *h; return all.size + n; }
void filled(struct heap *h, size_t n) { memset(h, 0, sizeof *h); }
void third(struct heap *h, size_t n) { struct heap made = {0, n, n}; *h++ = made; if (n > 1) *h = made; }
int half(size_t *h, size_t n) { *h = n / 2; return n % 2 == 0; }
void zeroed(size_t *h, size_t n) { *h = 0; if (n > 1) h[1] = 1; }
void ended(unsigned char *h, size_t n) { *h = 0; }
"""


@pytest.mark.parametrize("name", ["init", "reset", "set", "looked", "filled", "half"])
def test_a_number_beside_a_pointer_to_one_object_counts_something_else(tmp_path: Path, name: str) -> None:
    assert contract_of(tmp_path, SINGLE, name).lengths == {}


@pytest.mark.parametrize("name", ["nth", "of_nth", "sorted", "walk", "copied", "cleared", "third", "zeroed", "ended"])
def test_objects_that_are_counted_have_the_number_beside_them(tmp_path: Path, name: str) -> None:
    assert contract_of(tmp_path, SINGLE, name).lengths == {"h": "n"}


WALKED = """
void narrowed(char *out, const unsigned char *in, int room) {
    unsigned v;
    for (; (v = in[0] | in[1] << 8) != 0; in += 2) {
        if (v < 128 && room > 1) { *out++ = v; room--; }
        else if (v >= 128 && room > 2) { *out++ = v >> 6; *out++ = v & 63; room -= 2; }
        else break;
    }
    *out = 0;
}
void copied(char *out, const unsigned char *in, int room) {
    for (; room > 0; room--) *out++ = *in++;
}
void paired(char *out, const unsigned char *in, int room) {
    while (room > 1) { *out++ = in[0] + in[1]; in += 2; room -= 2; }
}
void chosen(char *out, const unsigned char *in, int room) {
    for (; room > 0; room--, in++) if (*in != 32) *out++ = *in;
}
void spread(char *out, const unsigned char *in, int room) {
    while (room-- > 0) { out[0] = *in & 15; out[1] = *in >> 4; out += 2; in++; }
}
"""


CHECKED = ("-fsanitize=signed-integer-overflow", "-fsanitize-trap=signed-integer-overflow")


@pytest.mark.parametrize("flags", [(), CHECKED], ids=["plain", "checked"])
@pytest.mark.parametrize(
    ("name", "counted"),
    [("narrowed", ["out"]), *((each, ["out", "in"]) for each in ("copied", "paired", "chosen", "spread"))],
)
def test_a_buffer_that_moves_otherwise_than_the_number_is_not_counted(
    tmp_path: Path, name: str, counted: list[str], flags: tuple[str, ...]
) -> None:
    assert contract_of(tmp_path, WALKED, name, flags=flags).lengths == dict.fromkeys(counted, "room")


WRITTEN = """
int digit(unsigned char *h, int n) { if (n < 0 || n > 9) return -1; *h = '0' + n; return 0; }
void put(unsigned char *h, int n) { h[0] = n >> 8; h[1] = n & 255; if (n > 65535) h[0] = 255; }
void moved(unsigned char *h, int n) { *h++ = n >> 8; *h = n > 99 ? 0 : n; }
void local(unsigned char *h, int n) { unsigned char *p = h; p[1] = n; }
void frame(unsigned char *h, int n) { *h = n; while (n--) *++h = 0; }
void filled(unsigned char *h, int n) { for (int i = 0; i < n; i++) h[i] = n; }
void last(unsigned char *h, int n) { h[n - 1] = n; }
void either(unsigned char *h, int n) { h[n > 9 ? 9 : n] = n; }
void halved(unsigned char *h, int n) { int m = n / 2; *h = n; while (m-- > 0) h[m] = 0; }
int abs(int);
void positive(unsigned char *h, int n) { int m = abs(n); *h = n; while (m-- > 0) h[m] = 0; }
void other(unsigned char *h, int n) { static int kept; kept = n; *h = 1; }
"""


@pytest.mark.parametrize("name", ["digit", "put", "moved", "local"])
def test_a_number_that_is_written_is_no_length(tmp_path: Path, name: str) -> None:
    assert contract_of(tmp_path, WRITTEN, name).lengths == {}


@pytest.mark.parametrize("name", ["frame", "filled", "last", "either", "halved", "positive", "other"])
def test_a_number_that_may_count_is_a_length_even_if_it_is_written(tmp_path: Path, name: str) -> None:
    assert contract_of(tmp_path, WRITTEN, name).lengths == {"h": "n"}


SET_ANEW = {
    "by a value": "n = v[0]; for (int i = 0; i < n; i++) s += v[i];",
    "by scanf": 'if (scanf("%d", &n) != 1) return 0; for (int i = 0; i < n; i++) s += v[i];',
    "by sscanf": 'sscanf(name, "%d", &n); for (int i = 0; i < n; i++) s += v[i];',
}
NOT_ANEW = {
    "by itself": "n = n + 1; for (int i = 0; i < n; i++) s += v[i];",
    "behind a look": "for (int i = 0; i < n; i++) s += v[i]; n = 3;",
    "in a branch": "if (name) n = 3; for (int i = 0; i < n; i++) s += v[i];",
    "by others": "clamp(&n); for (int i = 0; i < n; i++) s += v[i];",
}


@pytest.mark.parametrize("name", [*SET_ANEW, *NOT_ANEW])
def test_a_number_that_gets_another_value_at_once_is_no_length(tmp_path: Path, name: str) -> None:
    head = "#include <stdio.h>\nvoid clamp(int *);\nint f(const int *v, int n, const char *name) { int s = 0;"
    contract = contract_of(tmp_path, f"{head} {(SET_ANEW | NOT_ANEW)[name]} return s; }}")
    assert contract.lengths == ({} if name in SET_ANEW else {"v": "n"})


POOL = "typedef unsigned long size_t; typedef struct { size_t used, room; char *base; } pool_t;"
STRUCT = "pool_t *p = (pool_t *)from; p->used += n_bytes; return p->room > p->used;"
BYTES = "const char *p = from; int s = 0; for (size_t i = 0; i < n_bytes; i++) s += p[i]; return s;"


@pytest.mark.parametrize(("body", "lengths"), [(STRUCT, {}), (BYTES, {"from": "n_bytes"})], ids=("struct", "bytes"))
def test_a_pointer_to_void_that_is_one_to_a_struct_has_no_length_by_name(
    tmp_path: Path, body: str, lengths: dict[str, str]
) -> None:
    head = f"{POOL} int taken(void *from, size_t n_bytes) {{ {body} }}"
    text = f"{head} int f(void *from, size_t n_bytes) {{ return taken(from, n_bytes); }}"
    for name in ("taken", "f"):
        assert contract_of(tmp_path, text, name).lengths == lengths
