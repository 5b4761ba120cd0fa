"""Declarations in the compiler's print of its syntax tree."""

from __future__ import annotations

from veer.frontends.c.contracts.printed import PrintedParameter, declarations

PRINT = """
typedef int four[4];
int scale(int adc[16], int gain) __attribute__((nonnull(1)));
__attribute__((format(printf, 1, 2))) void note(const char *fmt, ...);
int many(int a[static 5], four d, int m[2][3], int v[n], char *_Nonnull s, int (*call)(int scale[9]));
struct holder {
    int (*scale)(int);
};
static int later = 3;
enum {
    ON = 5
} odd(enum {
    RED
} c, __attribute__((annotate("veer:out"))) int *p);
"""


def test_sizes_attributes_and_both_ends_of_a_declaration() -> None:
    found = declarations(PRINT, ["scale", "note"])
    (scale,) = found["scale"]
    assert scale.attributes == ("nonnull(1)",)
    assert [(each.name, each.size) for each in scale.parameters] == [("adc", "16"), ("gain", None)]
    (note,) = found["note"]
    assert note.attributes == ("format(printf, 1, 2)",)


def test_kinds_of_parameters() -> None:
    (many,) = declarations(PRINT, ["many"])["many"]
    sizes = {each.name: (each.size, each.is_static) for each in many.parameters}
    assert sizes == {
        "a": ("5", True),
        "d": ("4", False),
        "m": ("2", False),
        "v": ("n", False),
        "s": (None, False),
        "": (None, False),
    }
    assert many.parameters[4] == PrintedParameter("s", None, is_static=False, attributes=(), nullability="_Nonnull")


def test_types_within_a_declaration_and_annotations() -> None:
    (odd,) = declarations(PRINT, ["odd"])["odd"]
    assert odd.parameters[1].attributes == ('annotate("veer:out")',)
    assert "RED" in odd.text


def test_what_is_no_declaration() -> None:
    assert declarations("int x = scale(3);\nreturn scale(4);\n", ["scale"]) == {}
