"""Where numbers lie at a call, and files that do not say what they are for."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.frontends.machine import hexfile, raw
from veer.frontends.machine.architectures import (
    AARCH64,
    ARM,
    EXTERNAL_BASE,
    I8051,
    INTERNAL_BASE,
    POWERPC,
    RISCV32,
    X86_64,
    Architecture,
)
from veer.frontends.machine.corrections import corrected
from veer.frontends.machine.decoder import INTERNAL, REGISTER, UNIQUE, Operation, Varnode
from veer.frontends.machine.image import Code, Image
from veer.frontends.machine.places import At, places
from veer.frontends.machine.prototype import parsed
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UnsupportedInputError, UsageError


def put(machine: Architecture, text: str, data: dict[str, int] | None = None) -> tuple[At, ...]:
    options = BuildOptions((Path("a.o"),), "f")
    image = Image(Path("a.o"), machine, (), {}, data=data or {})
    found = places(image, Code("f", 0x1000), parsed(text, machine, options))
    return (*found.parameters, *([found.result] if found.result else []))


def test_two_registers_begin_at_an_even_one_on_arm_and_not_on_riscv() -> None:
    text = "long long f(int a, long long b)"
    assert put(ARM, text) == (At(("r0",)), At(("r2", "r3")), At(("r0", "r1")))
    assert put(RISCV32, text) == (At(("a0",)), At(("a1", "a2")), At(("a0", "a1")))
    assert put(POWERPC, text) == (At(("r3",)), At(("r6", "r5")), At(("r4", "r3"))), "the lowest part first"


def test_what_finds_no_register_lies_on_the_stack() -> None:
    many = ", ".join(f"int a{k}" for k in range(10))
    assert put(ARM, f"void f({many})")[4:6] == (At(stack=0, size=4), At(stack=4, size=4))
    assert put(X86_64, f"void f({many})")[6:8] == (At(stack=8, size=8), At(stack=16, size=8))
    assert put(AARCH64, f"void f({many})")[8] == At(stack=0, size=8)
    assert put(POWERPC, f"void f({many})")[8] == At(stack=8, size=4, is_big=True)
    with pytest.raises(UnsupportedInputError, match="half in a register"):
        put(RISCV32, "void f(int a, int b, int c, int d, int e, int g, int h, long long i)")


def test_variables_are_inputs_and_the_8051_has_its_own_places() -> None:
    assert put(ARM, "void f(void); short x[2]", {"x": 0x100}) == (At(address=0x100, size=2), At(address=0x102, size=2))
    data = {"f_PARM_2": INTERNAL_BASE + 9, "x": EXTERNAL_BASE + 4}
    assert put(I8051, "long f(int a, char b); int x", data) == (
        At(("DPL", "DPH")),
        At(address=INTERNAL_BASE + 9, size=1),
        At(address=EXTERNAL_BASE + 4, size=2),
        At(("DPL", "DPH", "B", "ACC")),
    )
    with pytest.raises(UnsupportedInputError, match="f_PARM_2"):
        put(I8051, "int f(int a, char b)")
    with pytest.raises(UnsupportedInputError, match="no variable"):
        put(ARM, "void f(void); int y")


def test_hexadecimal_files_are_read_and_what_is_wrong_is_told() -> None:
    memory = {0x62: 1, 0x63: 2, 0x100: 0xFF}
    assert hexfile.read(hexfile.written(memory), "a.hex") == memory
    assert hexfile.read(":020000040800F2\n:0100100001EE\n:00000001FF\n", "a.hex") == {0x08000010: 1}
    assert hexfile.read("S1041000AA41\nS9030000FC\n", "a.s19") == {0x1000: 0xAA}
    for text, part in (
        (":0100100001EF\n", "checksum"),
        (":02001000\n", "another length"),
        (":01zz100001EE\n", "not of hexadecimal digits"),
        ("hello\n", "no record"),
        (":00000001FF\n", "no bytes"),
    ):
        with pytest.raises(UsageError, match=part):
            hexfile.read(text, "a.hex")


def test_a_raw_image_needs_an_architecture_and_lies_at_its_base() -> None:
    path = Path("a.bin")
    image = raw.load(path, b"\x01\x02", raw.Given("arm", "0x08000000", ("0x08100000:0x400",)))
    assert [(each.address, each.size, each.is_writable) for each in image.segments] == [
        (0x08000000, 2, False),
        (0x08100000, 0x400, True),
    ]
    for given, part in (
        (raw.Given(), "--arch arm"),
        (raw.Given("armm"), "did you mean arm"),
        (raw.Given("arm", "x"), "no address"),
        (raw.Given("arm", "0x50000000"), "can place it only"),
        (raw.Given("arm", "0x08000000", ("1-2",)), "BEGIN:SIZE"),
    ):
        with pytest.raises(UsageError, match=part):
            raw.load(path, b"\x01\x02", given)
    assert raw.given_in(raw.Given("arm", "4", ("1:2",)).words) == raw.Given("arm", "4", ("1:2",))


def run(operations: tuple[Operation, ...], accumulator: int, operand: int, carry: int) -> int:
    """The carry that the operations leave in unique 0x300."""
    values = {(REGISTER, 0x0B): accumulator, (INTERNAL, 8): operand, (UNIQUE, 1): carry}
    for each in operations:
        if each.name in ("INT_LESS", "INT_CARRY", "INT_SUB", "INT_ADD", "BOOL_OR"):
            a, b = (values[one.space, one.offset] for one in each.inputs)
            assert each.output is not None
            values[each.output.space, each.output.offset] = {
                "INT_LESS": int(a < b),
                "INT_CARRY": (a + b) >> 8,
                "INT_SUB": (a - b) % 256,
                "INT_ADD": (a + b) % 256,
                "BOOL_OR": a | b,
            }[each.name]
    return values[UNIQUE, 0x300]


@pytest.mark.parametrize(("mnemonic", "flag"), [("ADDC", "INT_CARRY"), ("SUBB", "INT_LESS")])
def test_carries_of_the_8051_are_those_of_the_processor_for_all_operands(mnemonic: str, flag: str) -> None:
    accumulator, operand, carry = Varnode(REGISTER, 0x0B, 1), Varnode(INTERNAL, 8, 1), Varnode(UNIQUE, 1, 1)
    given = (
        Operation("INT_RIGHT", carry, (Varnode(REGISTER, 0x48, 1), Varnode("const", 7, 4))),
        Operation("INT_ADD", Varnode(UNIQUE, 2, 1), (operand, carry)),
        Operation(flag, Varnode(UNIQUE, 0x300, 1), (accumulator, Varnode(UNIQUE, 2, 1))),
    )
    made = corrected(I8051, f"{mnemonic} A,0x8", given)
    wrong = 0
    for a in range(256):
        for b in (0, 1, 0x7F, 0x80, 0xFE, 0xFF, a):
            for c in (0, 1):
                expected = int(a + b + c > 255 if mnemonic == "ADDC" else a < b + c)
                assert run(made, a, b, c) == expected, (a, b, c)
                wrong += run(given, a, b, c) != expected
    assert wrong, "SLEIGH's own operations are wrong"
