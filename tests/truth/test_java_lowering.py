"""Lowered methods beside the JVM: the same result, the same exception, the same arrays, for random arguments."""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from java_lowered import Lowered
from sampling import first, sampled

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.entries import parameter_names
from veer.frontends.java.jdk import find_jdk
from veer.frontends.java.lowering.calls import STRING_TYPE as STRING
from veer.frontends.java.lowering.world import SIZES
from veer.frontends.java.replay.jvm import driver_classes, run_all
from veer.frontends.java.replay.replayer import is_nan
from veer.frontends.java.units import Found, Unit, read_unit
from veer.toolchain.compiler import find

FOLDER = Path(__file__).parent / "java"
CLASSES = {"Opcodes": (59, 30), "Strings": (30, 60), "Concats": (14, 60)}
"""Classes: how many methods are compared at least, and of how many calls one throws at least."""
PARTS = 8
"""Library's methods are compared in so many parts, for each reaches much of the runtime."""
_LETTERS = (*b"abab ", *b"a1-\xe9")
_EDGES = (0, 1, 2, 7, 8, 31, 32, 33, 1000)
_FLOATS = {"F": (0x7FC00000, 0x7F800000, 0xFF800000, 0x80000000, 0x4F000000, 0xCF000000, 0x5F000000, 0x3FC00000)}
_DOUBLES = (0x7FF8 << 48, 0x7FF0 << 48, 0xFFF0 << 48, 1 << 63, 0x41E0 << 48, 0xC1E0 << 48, 0x43E0 << 48, 0xC3E0 << 48)


def _bits(draw: random.Random, type_: str) -> int:
    width = 8 * SIZES[type_]
    kind = draw.randrange(4)
    if type_ == "Z":
        return draw.randrange(2)
    if type_ in "FD" and kind < 2:
        return draw.choice(_FLOATS["F"] if type_ == "F" else _DOUBLES)
    if kind == 0:
        return draw.randrange(1 << width)
    if kind == 1:
        return draw.choice((1 << width - 1, (1 << width - 1) - 1, (1 << width) - 1))
    return draw.choice((1, -1)) * draw.choice(_EDGES) % (1 << width)


def argument(draw: random.Random, type_: str) -> object:
    if type_ in SIZES:
        return _bits(draw, type_)
    if type_ == STRING and draw.randrange(8):
        return [draw.choice(_LETTERS) for _ in range(draw.randrange(6))]
    if type_ == STRING:
        return None
    return None if not draw.randrange(5) else [_bits(draw, type_[1:]) for _ in range(draw.randrange(6))]


def word(type_: str, value: object, number: int) -> str:
    if isinstance(value, list):
        return f"{type_}#{number}:{len(value)}:{','.join(f'{bits:x}' for bits in value)}"
    return f"{type_}:null" if value is None else f"{type_}:{value:x}"


def is_same(type_: str, one: int, other: int) -> bool:
    return one == other or (type_ in "FD" and is_nan(one, SIZES[type_]) and is_nan(other, SIZES[type_]))


def unsigned(type_: str, elements: list[int]) -> list[int]:
    """What an array of the type holds, as bits of its elements' width."""
    return [bits & ((1 << 8 * SIZES[type_[1:]]) - 1) for bits in elements]


def is_given(found: Found) -> bool:
    types = method_types(found.method.descriptor)[0]
    return all(each in SIZES or each == STRING or (each[0] == "[" and each[1:] in SIZES) for each in types)


def _static_methods(unit: Unit, name: str) -> list[Found]:
    return [each for each in unit.methods if each.owner.name == name and each.method.is_static and is_given(each)]


@pytest.mark.parametrize("name", sampled(CLASSES, lambda name: name != "Strings"))
def test_lowered_methods_do_what_the_jvm_does(name: str) -> None:
    if shutil.which("javac") is None:
        pytest.skip("there is no javac")
    unit = read_unit(FOLDER / f"{name}.java", find_jdk(), find().cache)
    methods = _static_methods(unit, name)
    least, one_of = CLASSES[name]
    assert len(methods) >= least
    calls, threw = _compared(unit, name, methods)
    assert threw > calls // one_of


@pytest.mark.parametrize("part", sampled(range(PARTS), lambda part: part == 0))
def test_the_library_does_what_the_jvm_does(part: int) -> None:
    if shutil.which("javac") is None:
        pytest.skip("there is no javac")
    unit = read_unit(FOLDER / "Library.java", find_jdk(), find().cache)
    methods = _static_methods(unit, "Library")
    assert len(methods) >= 30
    calls, threw = _compared(unit, "Library", methods[part::PARTS])
    assert threw < calls


def _compared(unit: Unit, name: str, methods: Sequence[Found]) -> tuple[int, int]:
    """How many calls were the same, and how many of them threw."""
    jdk, cache, draw = find_jdk(), find().cache, random.Random(11)
    lowered = Lowered(unit, methods)
    cases: dict[str, tuple[Found, list[object]]] = {}
    for each in methods:
        for number in first(8, 1000):
            values = [argument(draw, type_) for type_ in method_types(each.method.descriptor)[0]]
            cases[f"{each.method.name}.{number}"] = (each, values)
    commands = []
    for case, (each, values) in cases.items():
        types = method_types(each.method.descriptor)[0]
        words = [word(type_, value, place) for place, (type_, value) in enumerate(zip(types, values, strict=True))]
        commands.append("\t".join([case, name, each.method.name, *words]))
        assert len(parameter_names(each.method)) == len(types)
    ran = run_all(jdk, driver_classes(jdk, cache), (unit.classes,), commands, 5.0)
    threw = 0
    for case, (each, values) in cases.items():
        result, thrown, arrays = lowered.call(each, values)
        seen, (types, type_) = ran[case], method_types(each.method.descriptor)
        assert seen.state == "end", (case, seen)
        assert thrown == seen.thrown, (case, values, seen)
        if not thrown and type_ != "V":
            expected = int(seen.result, 16) & ((1 << 8 * SIZES[type_]) - 1)
            assert is_same(type_, result, expected), (case, values, result, expected)
        given = [type_ for type_, value in zip(types, values, strict=True) if isinstance(value, list)]
        after = [(type_, seen.objects[key]) for type_, key in zip(given, seen.objects, strict=True)]
        assert arrays == [unsigned(*pair) for pair in after if pair[0] != STRING], (case, values)
        threw += bool(thrown)
    assert not lowered.refused
    return len(cases), threw
