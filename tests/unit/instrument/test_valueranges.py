"""Ranges of values hold for every value; what "cannot overflow" does not; and what is small is known to be small."""

from __future__ import annotations

import random
from itertools import product

import pytest

from veer.instrument import valueranges
from veer.instrument.instructions import Instruction, parse_instruction
from veer.instrument.lexer import Operand
from veer.instrument.typelayout import Layout
from veer.instrument.valueranges import ValueRanges

WIDTHS = {"i8": 8, "i16": 16}
BINARY = ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "sdiv", "udiv", "srem", "urem")
FLAGGED = ("sadd", "uadd", "ssub", "usub", "smul", "umul")
VALUES = (-128, -127, -100, -9, -3, -2, -1, 0, 1, 2, 3, 5, 8, 15, 16, 63, 64, 100, 126, 127)
LAYOUT = Layout({})


def _signed(value: int, width: int) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def _binary(opcode: str, left: int, right: int, width: int) -> int | None:
    """LLVM's value of an operation as a signed number; None where it has none."""
    mask = (1 << width) - 1
    if opcode in ("shl", "lshr", "ashr"):
        if not 0 <= right < width:
            return None
        shifted = {"shl": left << right, "lshr": (left & mask) >> right, "ashr": left >> right}[opcode]
        return _signed(shifted, width)
    if opcode in ("sdiv", "udiv", "srem", "urem"):
        if right == 0 or (opcode[0] == "s" and left == -(1 << (width - 1)) and right == -1):
            return None
        x, y = (left, right) if opcode[0] == "s" else (left & mask, right & mask)
        quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        return _signed(quotient if opcode.endswith("div") else x - quotient * y, width)
    made = {"add": left + right, "sub": left - right, "mul": left * right}
    made |= {"and": left & right, "or": left | right, "xor": left ^ right}
    return _signed(made[opcode], width)


class Program:
    """Some random instructions over %x and %y, of 8 bits, and what they give."""

    def __init__(self, source: random.Random) -> None:
        self._source = source
        self.types = {"%x": "i8", "%y": "i8"}
        self.made: dict[str, Instruction] = {}
        for number in range(12):
            self._add(f"%v{number}")

    def _value(self, type_: str) -> str:
        names = [name for name, its in self.types.items() if its == type_]
        if not names or self._source.random() < 0.3:
            return str(self._source.choice((0, 1, 2, 3, 7, 15, 100, 127, -1, -5)))
        return self._source.choice(names)

    def _add(self, name: str) -> None:
        type_ = self._source.choice(("i8", "i16"))
        kind = self._source.randrange(6)
        if kind == 0 and type_ == "i16":
            text = f"{self._source.choice(('sext', 'zext'))} i8 {self._value('i8')} to i16"
        elif kind == 1 and type_ == "i8" and "i16" in self.types.values():
            text = f"trunc i16 {self._value('i16')} to i8"
        elif kind == 2:
            opcode = self._source.choice(FLAGGED)
            call = f"call {{ {type_}, i1 }} @llvm.{opcode}.with.overflow.{type_}({type_} {self._value(type_)}, "
            self._keep(name + ".p", call + f"{type_} {self._value(type_)})", "")
            text = f"extractvalue {{ {type_}, i1 }} {name}.p, 0"
        elif kind == 3:
            text = f"select i1 %c, {type_} {self._value(type_)}, {type_} {self._value(type_)}"
        else:
            text = f"{self._source.choice(BINARY)} {type_} {self._value(type_)}, {self._value(type_)}"
        self._keep(name, text, type_)

    def _keep(self, name: str, text: str, type_: str) -> None:
        self.made[name] = parse_instruction(f"  {name} = {text}")
        if type_:
            self.types[name] = type_

    def run(self, x: int, y: int, chosen: bool) -> dict[str, int | None]:
        """The values by name; None: none."""
        values: dict[str, int | None] = {"%x": x, "%y": y}
        for name, each in self.made.items():
            values[name] = self._run(each, values, chosen=chosen)
        return values

    def _run(self, each: Instruction, values: dict[str, int | None], *, chosen: bool) -> int | None:
        if each.opcode == "extractvalue":
            return values[each.operands[0].value]
        operands = [operand for operand in each.operands if operand.type in WIDTHS]
        given = [values[o.value] if o.value in values else int(o.value) for o in operands]
        width = WIDTHS[operands[0].type]
        if each.opcode == "select":
            return given[0] if chosen else given[1]
        if None in given:
            return None
        numbers = [_signed(value, width) for value in given if value is not None]
        if each.opcode == "zext":
            return numbers[0] & 0xFF
        if each.opcode in ("sext", "trunc"):
            return _signed(numbers[0], 8)
        opcode = each.opcode if each.call is None else each.call.callee[len("@llvm.s") :][:3]
        return _binary(opcode, *numbers, width)


def _wrong(program: Program) -> list[str]:
    """Values that lie beyond their ranges, and arithmetic that overflows though it cannot."""
    ranges = ValueRanges(LAYOUT, program.made)
    known = {name: ranges.of(Operand(type_, name)) for name, type_ in program.types.items()}
    fits = {
        name: ranges.fits(
            each.call.callee[7:10], (each.operands[0], each.operands[1]), signed=each.call.callee[6] == "s"
        )
        for name, each in program.made.items()
        if each.call is not None
    }
    wrong = []
    for x, y, chosen in product(VALUES, VALUES, (False, True)):
        values = program.run(x, y, chosen)
        for name, (low, high) in known.items():
            value = values[name]
            if value is not None and not low <= value <= high:
                wrong.append(f"{name} is {value}, not {low} to {high}")
        for name, each in program.made.items():
            if fits.get(name) and _overflows(each, values):
                wrong.append(f"{name} overflows")
    return wrong


def _overflows(each: Instruction, values: dict[str, int | None]) -> bool:
    assert each.call is not None
    width, callee = WIDTHS[each.operands[0].type], each.call.callee
    given = [values[o.value] if o.value in values else int(o.value) for o in each.operands]
    if None in given:
        return False
    mask = (1 << width) - 1
    left, right = (_signed(v, width) if callee[6] == "s" else v & mask for v in given if v is not None)
    exact = {"add": left + right, "sub": left - right, "mul": left * right}[callee[7:10]]
    return exact != (_signed(exact, width) if callee[6] == "s" else exact & mask)


@pytest.mark.parametrize("seed", range(20))
def test_random_programs_keep_to_their_ranges(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(5):
        assert not _wrong(Program(source))


def test_a_planted_mistake_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A zext is taken for a sext."""
    monkeypatch.setattr(valueranges, "_unsigned", lambda signed, width: signed)
    assert any(_wrong(Program(random.Random(seed))) for seed in range(40))


def _fits(text: str, opcode: str, left: str, right: str, *, signed: bool = True) -> bool:
    made = {line.split()[0]: parse_instruction(line) for line in text.splitlines()}
    return ValueRanges(LAYOUT, made).fits(opcode, (Operand("i64", left), Operand("i64", right)), signed=signed)


def test_a_product_of_two_extended_numbers_fits() -> None:
    text = "%a = sext i32 %x to i64\n%b = sext i32 %y to i64\n%c = zext i32 %y to i64\n%d = mul i64 %a, %b"
    assert _fits(text, "mul", "%a", "%b") and _fits(text, "mul", "%a", "%c")
    assert _fits(text, "mul", "%c", "%c", signed=False) and not _fits(text, "mul", "%c", "%c")
    assert not _fits(text, "mul", "%a", "%x") and not _fits(text, "mul", "%d", "%a")
    assert not _fits(text, "sub", "%c", "%c", signed=False) and _fits(text, "sub", "%c", "%c")


@pytest.mark.parametrize(("shift", "fits"), [("ashr", True), ("lshr", False)])
def test_the_upper_halves_of_two_numbers_have_a_product(shift: str, fits: bool) -> None:
    """(a >> 32) * (b >> 32), as fixed-point code has it before it compares."""
    text = f"%a = {shift} i64 %x, 32\n%b = {shift} i64 %y, 32\n%c = {shift} i64 %y, 31"
    assert _fits(text, "mul", "%a", "%b") is fits
    assert not _fits(text, "mul", "%c", "%c")
