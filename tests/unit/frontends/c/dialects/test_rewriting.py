"""Words of embedded compilers → C: what becomes of each, and that lines and columns stay."""

from __future__ import annotations

import pytest

from veer.frontends.c.dialects.makers import expanded, makers
from veer.frontends.c.dialects.rewriting import constant, rewritten
from veer.frontends.c.dialects.tokens import Kind, tokens
from veer.frontends.c.dialects.words import Words, words_of
from veer.model.errors import UsageError

C51, IAR = words_of(["c51"]), words_of(["iar"])


def made(text: str, words: Words = C51) -> str:
    return rewritten(text, "/p/unit.c", words).text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("sfr P0 = 0x80;", "#define P0 VEER_SFR(0x80)"),
        ("sfr P0 = 0x80; // port\nint a;", "#define P0 VEER_SFR(0x80) // port\nint a;"),
        ("sfr16 T2 = 0xCC;", "#define T2 (*(volatile unsigned short *)(0xCC))"),
        ("sbit LED = P0^1;", "#define LED VEER_BIT(P0, 1)"),
        ("sbit LED = P0 ^ (1 + 2);", "#define LED VEER_BIT(P0, 3)"),
        ("sbit LED = 0x90^1;", "#define LED VEER_BIT(VEER_SFR(0x90), 1)"),
        ("sbit EA = 0xAF;", "#define EA VEER_BIT(VEER_SFR(0xA8), 7)"),
        ("sbit FLAG = 0x0B;", "#define FLAG VEER_BIT(VEER_SFR(0x21), 3)"),
        ("sbit high = word^11;", "#define high VEER_BIT(((unsigned char *)&(word))[1], 3)"),
        ("bit busy;", "_Bool busy;"),
        ("char xdata b[2];", "char       b[2];"),
        ("void t(void) interrupt 1 using 2 {}", "void t(void)                     {}"),
        ("#define FAST data\nFAST char a;", "#define FAST     \nFAST char a;"),
        ("x = XBYTE[a[1]];", "x = (*(volatile unsigned char *)(unsigned long)(sizeof(unsigned char) * (a[1])));"),
        ("unsigned char xdata b[4] _at_ 0x20;", "unsigned char       b[4]          ;"),
        ('/* data @ 5 */ char *s = "data @ 5"; // xdata', '/* data @ 5 */ char *s = "data @ 5"; // xdata'),
        ("int interrupt_count, database;", "int interrupt_count, database;"),
    ],
)
def test_words_of_c51(before: str, after: str) -> None:
    assert made(before) == after


def test_words_of_sdcc() -> None:
    words = words_of(["sdcc"])
    assert made("void f(void) __interrupt SI0_VECTOR __using 1 {}", words).split() == ["void", "f(void)", "{}"]
    assert made("void f(void) __interrupt(4);", words) == "void f(void) __interrupt(4);"
    assert made("__sbit __at (0x90 + 2) LED;", words) == "#define LED VEER_BIT(VEER_SFR(0x90), 2)"


REGISTER = 'extern volatile char P       ;\n#define P (*(__typeof__(P) *)(0x25))\n#line 2 "/p/unit.c"'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("volatile char P @ 0x25;", REGISTER),
        ("static volatile char P @ 0x25;", REGISTER.replace("extern ", "extern        ")),
        ("volatile char P @ 0x25;\nint a;", REGISTER + "\nint a;"),
        ("char ram @ 0x2000;", "char ram         ;"),
        ("volatile char P @ 0x25 = 3;", "volatile char P        = 3;"),
        ('void f(void) @ ".fast" {}', "void f(void)           {}"),
        ("__packed struct s { char a; };", "         struct __attribute__((packed)) s { char a; };"),
    ],
)
def test_words_of_iar(before: str, after: str) -> None:
    assert made(before, IAR) == after


def test_a_register_of_a_union_keeps_its_type() -> None:
    text = "void f(void) { }\nvolatile union { char all; struct { char b : 1; } bits; } PIN @ 0x26;\n"
    assert "\nextern volatile union {" in made(text, IAR)
    assert "#define PIN (*(__typeof__(PIN) *)(0x26))" in made(text, IAR)


def test_a_register_behind_an_indented_directive() -> None:
    text = "#if 1\n\t#define M 3\n\tvolatile char P @ 0x25;\n#endif\n"
    assert made(text, IAR).split("\n")[1:3] == ["\t#define M 3", "\textern volatile char P       ;"]


def test_members_of_a_union_without_a_name_are_names() -> None:
    text = "__no_init volatile union { char P0; struct { char P0_0 : 1, : 3; char b[2]; }; __B P0_bit; }"
    text += " @ 0xF00;\nint a;\n"
    lines = made(text, IAR).split("\n")
    assert lines[0].startswith("extern __no_init volatile union {") and "} at_0xF00 " in lines[0]
    names = [line.split()[1] for line in lines if line.startswith("#define")]
    assert names == ["P0", "P0_0", "b", "P0_bit"]
    assert lines[1] == "#define P0 ((*(__typeof__(at_0xF00) *)(0xF00)).P0)" and lines[-3:-1] == [
        '#line 2 "/p/unit.c"',
        "int a;",
    ]


def test_an_attribute_gives_an_address_too() -> None:
    assert "#define S (*(__typeof__(S) *)(0x40))" in made(
        "volatile int S __attribute__((at(0x40)));", words_of(["armcc"])
    )


def test_what_follows_on_a_line_keeps_its_line_and_column() -> None:
    text = "int a;\nsfr A = 1; sfr B = 2; int here;\nint there;\n"
    lines = made(text).split("\n")
    place = next(index for index, line in enumerate(lines) if "here" in line)
    assert lines[place].index("int here") == text.split("\n")[1].index("int here")
    assert lines[place - 1] == '#line 2 "/p/unit.c"'
    assert lines[place + 1] == "int there;"


def test_assembly_is_left_out_and_named_by_its_line() -> None:
    found = rewritten("int a;\n#pragma asm\n MOV A, #5\n#pragma endasm\nint b;\n", "/p/unit.c", C51)
    assert [line.strip() for line in found.text.split("\n")] == ["int a;", "", "", "", "int b;", ""]
    assert found.notes == ("unit.c:2: assembly is left out, it does nothing here",)
    kept = 'void f(void) { __asm("nop"); __asm__ volatile ("nop"); }'
    assert made(kept) == kept


@pytest.mark.parametrize(
    ("text", "words", "sentence"),
    [
        ("\nvolatile int @ 0x25;", IAR, "/p/unit.c:2: what stands at this address has no name"),
        ("volatile char A @ 1, B @ 2;", IAR, "/p/unit.c:1: give each register a declaration of its own"),
        ("sbit X = P0^n;", C51, "/p/unit.c:1: `n` is no number"),
    ],
)
def test_what_has_no_meaning_here_is_told_with_its_line(text: str, words: Words, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        made(text, words)


@pytest.mark.parametrize(
    "text", ["", "@", "sfr", "sfr P0 =", "x @", "__at", "__at (", "sbit LED", "a _at_", "bit", "(", "}"]
)
def test_what_is_no_c_is_left_to_the_compiler(text: str) -> None:
    for words in (C51, IAR):
        assert isinstance(made(text, words), str)


def test_macros_that_declare_registers_are_expanded() -> None:
    text = "#define SFR(name, addr) __sfr __at (addr) name\n#define MAX(a, b) ((a) > (b))\n"
    text += "SFR(P0, 0x80 + (1)); MAX(1, 2);\n"
    known = makers(text)
    assert known.keys() == {"SFR"}
    assert expanded(text, known).endswith("__sfr __at (0x80 + (1)) P0; MAX(1, 2);\n")


@pytest.mark.parametrize(
    ("written", "number"),
    [("0x80+3", 131), ("(1 << 3) | 1u", 9), ("P0", None), ("1 +", None), ("f(3)", None), ("2 ** 9", None)],
)
def test_constants(written: str, number: int | None) -> None:
    assert constant(written) == number


def test_tokens_know_directives_texts_and_comments() -> None:
    found = list(tokens("#define A \\\n  1 /* c */\nint x = 'a' + 1.5; // y\n"))
    assert [each.kind for each in found[:2]] == [Kind.DIRECTIVE, Kind.NAME]
    assert [each.text for each in found[1:]] == ["int", "x", "=", "'a'", "+", "1.5", ";"]
