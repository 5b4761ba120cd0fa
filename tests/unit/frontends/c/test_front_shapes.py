"""Parameters → what is made for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from front_fixtures import shape_of

from veer.model.errors import UsageError


def facts(folder: Path, text: str, *size_of: str) -> dict[str, tuple[str, int, str]]:
    """Parameter of f → extent, maximum, length."""
    found, types = shape_of(folder, text, "f", *size_of)
    return {
        each.name: (types[each.type].extent, types[each.type].maximum, types[each.type].length)
        for each in found.function.parameters
    }


def test_characters_are_strings(tmp_path: Path) -> None:
    found = facts(tmp_path, "int f(char *a, const char *b, unsigned char *c, signed char *d) { return 0; }")
    assert found == dict.fromkeys("abcd", ("string", 8, ""))


def test_a_length_behind_a_pointer(tmp_path: Path) -> None:
    found = facts(tmp_path, "#include <stddef.h>\nint f(char *b, size_t length, int *a, int n) { return 0; }")
    assert found == {
        "b": ("length", 8, "length"),
        "length": ("one", 8, ""),
        "a": ("length", 4, "n"),
        "n": ("one", 4, ""),
    }


def test_a_length_before_needs_brackets(tmp_path: Path) -> None:
    assert facts(tmp_path, "int f(int n, int a[]) { return 0; }")["a"] == ("length", 4, "n")
    assert facts(tmp_path, "int f(int n, int *out) { return 0; }") == {"n": ("one", 0, ""), "out": ("count", 4, "")}


def test_void_is_bytes(tmp_path: Path) -> None:
    found, types = shape_of(tmp_path, "int f(void *p, const void *q, unsigned long size) { return 0; }")
    rows = [types[each.type] for each in found.function.parameters]
    assert [(row.extent, row.maximum, row.length) for row in rows] == [
        ("fixed", 8, ""),
        ("length", 8, "size"),
        ("one", 8, ""),
    ]


def test_one_length_for_two_arrays_of_numbers_but_not_for_strings(tmp_path: Path) -> None:
    numbers = facts(tmp_path, "int f(const int *a, const int *b, int n) { return 0; }")
    assert numbers["a"] == numbers["b"] == ("length", 4, "n")
    strings = facts(tmp_path, "int f(const char *from, char *to, int n) { return 0; }")
    assert (strings["from"], strings["to"]) == (("string", 8, ""), ("length", 8, "n"))


@pytest.mark.parametrize(
    "name",
    ["n", "len", "length", "size", "count", "num", "nelem", "nelems", "buf_len", "bufsize", "dataLen", "num_items"],
)
def test_names_of_lengths(tmp_path: Path, name: str) -> None:
    assert facts(tmp_path, f"int f(int *a, int {name}) {{ return 0; }}")["a"] == ("length", 4, name)


@pytest.mark.parametrize("name", ["number", "discount", "account", "x", "key", "note", "flags", "nice"])
def test_names_that_are_none(tmp_path: Path, name: str) -> None:
    assert facts(tmp_path, f"int f(int *a, int {name}) {{ return 0; }}")["a"] == ("count", 4, "")


def test_written_array_sizes(tmp_path: Path) -> None:
    assert facts(tmp_path, "int f(int a[4], int n) { return 0; }") == {"a": ("fixed", 4, ""), "n": ("one", 0, "")}
    text = "int f(int a[static 0x10], int *b, int c[const], int d[2][3]) { return 0; }"
    assert {name: size for name, (_, size, _) in facts(tmp_path, text).items()} == {"a": 16, "b": 4, "c": 4, "d": 2}


def test_a_parameter_as_array_size(tmp_path: Path) -> None:
    found = facts(tmp_path, "int f(int rows, int a[rows], int grid[static rows][3]) { return 0; }")
    assert found == {"rows": ("one", 4, ""), "a": ("length", 4, "rows"), "grid": ("length", 4, "rows")}


def test_size_of_takes_a_length_away(tmp_path: Path) -> None:
    assert facts(tmp_path, "int f(char *text, int n) { return 0; }", "text=") == {
        "text": ("string", 8, ""),
        "n": ("one", 0, ""),
    }


def test_size_of_names_a_length(tmp_path: Path) -> None:
    text = "struct s { int x; }; int f(struct s *items, int flags, short how_many) { return 0; }"
    assert facts(tmp_path, text, "items=how_many")["items"] == ("length", 4, "how_many")
    with pytest.raises(UsageError, match="no parameter 'how'"):
        facts(tmp_path, text, "items=how")
    with pytest.raises(UsageError, match="is no pointer"):
        facts(tmp_path, text, "flags=how_many")
    with pytest.raises(UsageError, match="is no integer"):
        facts(tmp_path, text, "items=items")


@pytest.mark.parametrize(
    ("parameter", "why"),
    [
        ("FILE *p", "cannot make a FILE"),
        ("va_list p", "cannot make a va_list"),
        ("long double p", "long double"),
        ("__int128 p", "128 bits"),
        ("double _Complex p", "complex"),
        ("v4 p", "vectors"),
        ("struct { int x; } p", "no name"),
    ],
)
def test_unsupported_parameters_say_why_and_what_to_do(tmp_path: Path, parameter: str, why: str) -> None:
    text = f"""#include <stdio.h>
        #include <stdarg.h>
        typedef int v4 __attribute__((vector_size(16)));
        int f({parameter}) {{ return 0; }}"""
    found, _ = shape_of(tmp_path, text)
    reason = found.function.parameters[0].unsupported
    assert why in reason and (":" in reason)


def test_function_pointers_get_a_stub_and_are_noted(tmp_path: Path) -> None:
    found, types = shape_of(tmp_path, "int f(int (*callback)(int), int x) { return x; }")
    row = types[found.function.parameters[0].type]
    assert (row.extent, row.callback, types[row.returns].name) == ("function", "veer_callback_1", "int")
    assert "callback is NULL or a stub" in found.notes[0]


def test_function_pointers_with_results_that_cannot_be_made_are_null(tmp_path: Path) -> None:
    found, types = shape_of(tmp_path, "int f(long double (*callback)(int), int x) { return x; }")
    assert types[found.function.parameters[0].type].extent == "null"


def test_variadic_functions_are_noted(tmp_path: Path) -> None:
    found, _ = shape_of(tmp_path, "int f(const char *format, ...) { return 0; }")
    assert "variable arguments" in found.notes[0]


def test_what_a_parameter_list_declares_no_caller_can_name(tmp_path: Path) -> None:
    parameters = "enum mode { OFF, FAST = 7 } m, enum { RED } c, struct pair { int x; } *p, int v[3]"
    text = f"enum {{ ON = 5 }} f({parameters}) {{ return ON; }}"
    found, types = shape_of(tmp_path, text, "f")
    enums = [types[each.type] for each in found.function.parameters[:2]]
    assert [(row.name, row.enumerators) for row in enums] == [("unsigned int", ())] * 2
    assert "struct pair is declared in the parameter list" in found.function.parameters[2].unsupported
    assert types[found.function.parameters[3].type].maximum == 3
