"""Test inputs as bytes, for formats that know no C: named byte strings, or one byte string a test."""

from __future__ import annotations

from msgspec import Struct

from veer.model.bytestream import byte_file, byte_parameters
from veer.model.describe import type_at
from veer.model.errors import UsageError
from veer.model.filesgiven import held_bytes
from veer.model.inputs import InputMap, MemoryObject, Pointer
from veer.model.literal import image
from veer.model.program import HarnessKind, Program
from veer.model.types import TypeKind


class NamedBytes(Struct, frozen=True):
    """An input object: its name (of later occurrences `x#1`, of what a pointer leads to `p->next`) and its bytes."""

    name: str
    data: bytes


def named_bytes(inputs: InputMap) -> tuple[NamedBytes, ...]:
    """The roots in the order in which the run took them, then what pointers lead to; pointers themselves are zeros."""
    roots = [
        NamedBytes(root.name if not root.occurrence else f"{root.name}#{root.occurrence}", image(root.cells, root.size))
        for root in inputs.roots
    ]
    objects = [NamedBytes(f"*{item.path}", image(item.cells, item.size)) for item in inputs.objects]
    return (*roots, *objects)


def stream(program: Program, inputs: InputMap) -> bytes:
    """The input as a fuzzer hands it over: the buffer, standard input or the only file, or what a harness takes, one
    after another.

    Raises UsageError for a function whose inputs are more than one string or buffer.
    """
    if program.harness is HarnessKind.PROGRAM:
        file = byte_file(program)
        return held_bytes(file, inputs) if file is not None else b""
    if program.harness in (HarnessKind.KLEE, HarnessKind.TESTCOMP, HarnessKind.VEER):
        return b"".join(image(root.cells, root.size) for root in inputs.roots)
    parameter = _buffer_parameter(program)
    objects = {item.number: item for item in inputs.objects}
    root = next((root for root in inputs.roots if root.name == parameter), None)
    value = root.cells[0].value if root is not None and root.cells else None
    item = objects.get(value.target or 0) if isinstance(value, Pointer) else None
    return _text(program, item) if item is not None else b""


def _buffer_parameter(program: Program) -> str:
    """The only parameter that is a string or a buffer."""
    found = byte_parameters(program)
    if len(found) != 1:
        raise UsageError(
            f"--format corpus: {program.entry} takes {len(found)} strings or buffers, and a corpus file is one; "
            "give an entry with one, a fuzz target (LLVMFuzzerTestOneInput), or a program that reads standard input"
        )
    return found[0]


def _text(program: Program, item: MemoryObject) -> bytes:
    """The bytes of a buffer; of a string without the NUL that ends it."""
    data = image(item.cells, item.size)
    type_ = type_at(program, item.type)
    is_string = type_ is not None and type_.kind == TypeKind.CHAR and data.endswith(b"\0")
    return data[:-1] if is_string else data
