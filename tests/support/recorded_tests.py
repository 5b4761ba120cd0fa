"""Recorded tests of small C functions, written by hand: numbers, strings, and pointers to objects."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from veer.frontends.c import build as front_end
from veer.frontends.c.replay.replayer import c_replayer
from veer.frontends.llvm.replay.replayer import NativeReplayer
from veer.frontends.protocol import Built
from veer.model.buildoptions import BuildOptions
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.result import Output
from veer.model.result import Test as Recorded
from veer.toolchain import compiler

Value = int | str | Pointer


def replayer(
    source: Path, entry: str, *, seconds: float = 5.0, others: Sequence[Path] = (), **more: object
) -> NativeReplayer:
    """A replayer of the function; its program is `replayer(...).built.program`."""
    options = BuildOptions((source, *others), entry, **more)  # type: ignore[arg-type]
    toolchain = compiler.find(options.cc)
    return c_replayer(Built(front_end.build(options, toolchain), options), toolchain, seconds)


def recorded(
    program: Program,
    values: dict[str, Value],
    returned: int | None = None,
    objects: Sequence[MemoryObject] = (),
    *,
    outcome: Outcome = Outcome.RETURNED,
    exit_code: int | None = None,
    outputs: Sequence[Output] = (),
) -> Recorded:
    """A test of these arguments. A string is an object of its own, behind `objects`."""
    entry = program.function(program.entry)
    assert entry is not None
    made = list(objects)
    roots = []
    for parameter in entry.parameters:
        type_ = program.types[parameter.type]
        value = values[parameter.name]
        if isinstance(value, str):
            made.append(text(len(made) + 1, type_.target, value))
            value = Pointer(len(made))
        content = value if isinstance(value, Pointer) else number(value, 8 * type_.size)
        roots.append(Root(parameter.name, 0, type_.id, type_.size, (Cell(0, "", content),)))
    size = program.types[entry.returns].size if entry.returns >= 0 else 0
    answer = None if returned is None else (returned % (1 << 8 * size)).to_bytes(size, "little")
    inputs = InputMap(tuple(roots), tuple(made))
    return Recorded("test_001", inputs, outcome, exit_code, answer, (), "", outputs=tuple(outputs))


def number(value: int, width: int) -> Scalar:
    """A signed number of so many bits."""
    return Scalar(value % (1 << width), width, "signed")


def text(which: int, type_: int, value: str) -> MemoryObject:
    """The characters of a string and its NUL, as object number `which`."""
    data = value.encode() + b"\0"
    cells = tuple(Cell(place, f"[{place}]", Scalar(byte, 8, "char")) for place, byte in enumerate(data))
    return MemoryObject(which, f"*{value}", type_, len(data), len(data), cells)
