"""Machine code as it is written (suite/protocol.py): what `veer.renderers` registers under `machine`.

A suite is a JSON file: each test has its arguments, the bytes behind its pointers, and what is expected.

    {"name": "test_001", "arguments": {"p": "&object_1"}, "memory": {"object_1": "0a00"}, "outcome": "returned",
     "returned": "03000000"}

"pointers" says where objects hold addresses of others: {"object_1": {"8": "&object_2"}}; "reads" what registers of
devices are read as, one after the other: {"read32(0x40013800)": [32, 65]}.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from veer.model.devicereads import is_device_read, read_as
from veer.model.errors import UsageError
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.literal import floating, image
from veer.model.program import Program
from veer.model.result import Branch, Bug, Test
from veer.suite.protocol import Updated

VERSION = 1
_NOT_READ = " (not read)"


class MachineRenderer:
    """Values as C writes them, tests as JSON."""

    def describe(self, program: Program, inputs: InputMap) -> dict[str, str]:
        """See Renderer."""
        shown = {_name(root) + cell.path: _value(cell) for root in inputs.roots for cell in root.cells}
        shown.update({f"object_{item.number}": _contents(item) for item in inputs.objects})
        return shown

    def file_name(self, program: Program) -> str:
        """See Renderer."""
        return f"{program.entry}_tests.json"

    def commands(self, program: Program) -> tuple[str, ...]:
        """None: the file is for tools."""
        return ()

    def beside(self, program: Program) -> dict[str, bytes]:
        """See Renderer."""
        return {}

    def updated(self, before: str, after: str) -> Updated:
        """Raises UsageError: such suites are not compared yet."""
        raise UsageError(
            "suites of machine code are not compared yet: run `veer test` again, and look at the difference"
        )

    def render(
        self, program: Program, tests: Sequence[Test], bugs: Sequence[Bug] = (), branches: Sequence[Branch] = ()
    ) -> str:
        """See Renderer."""
        sentences = {bug.test: bug.message for bug in bugs}
        names = {each.id: f"{each.function}: {each.text}: {each.side}" for each in branches}
        shown = [test for test in tests if not test.outcome.is_limit]
        rows = [dict(_row(test, sentences.get(test.name, ""), names)) for test in shown]
        whole = {
            "version": VERSION,
            "file": str(program.sources[0]),
            "flags": list(program.compile_flags),
            "entry": program.entry,
            "parameters": _parameters(program),
            "tests": rows,
        }
        return json.dumps(whole, indent=2) + "\n"


def _name(root: Root) -> str:
    """A register is read several times."""
    return f"{root.name}[{root.occurrence}]" if is_device_read(root) else root.name


def _parameters(program: Program) -> list[dict[str, object]]:
    entry = program.function(program.entry)
    given = entry.parameters if entry is not None else ()
    types = [(each.name, program.types[each.type]) for each in given]
    return [{"name": name, "type": type_.name, "size": type_.size} for name, type_ in types]


def _row(test: Test, bug: str, names: dict[int, str]) -> Iterator[tuple[str, object]]:
    yield "name", test.name
    given = [root for root in test.inputs.roots if root.cells and not is_device_read(root)]
    yield "arguments", {root.name: _text(root.cells[0]) for root in given}
    if reads := read_as(test.inputs):
        yield "reads", reads
    yield "memory", {f"object_{item.number}": image(item.cells, item.size).hex() for item in test.inputs.objects}
    links = {f"object_{item.number}": dict(_links(item)) for item in test.inputs.objects}
    if any(links.values()):
        yield "pointers", {name: found for name, found in links.items() if found}
    yield "outcome", test.outcome.key
    if bug:
        yield "bug", bug
    yield "returned", test.returned.hex() if test.returned is not None else None
    yield "memory_after", {f"object_{output.number}": output.after.hex() for output in test.outputs if output.number}
    yield "covers", [names[each] for each in test.covers if each in names]


def _links(item: MemoryObject) -> Iterator[tuple[str, str]]:
    """The pointers within an object, by their offsets."""
    return ((str(cell.offset), _text(cell)) for cell in item.cells if isinstance(cell.value, Pointer))


def _text(cell: Cell) -> str:
    value = cell.value
    if isinstance(value, Scalar):
        return str(value.number)
    return "null" if value.target is None else f"&object_{value.target}"


def _value(cell: Cell) -> str:
    value = cell.value
    is_read = value.used if isinstance(value, Scalar) else value.decided
    is_float = isinstance(value, Scalar) and value.kind == "float"
    shown = floating(value.bits, value.width) if isinstance(value, Scalar) and is_float else _text(cell)
    return shown + ("" if is_read else _NOT_READ)


def _contents(item: MemoryObject) -> str:
    cells = (_value(each) if isinstance(each.value, Pointer) else str(each.value.number) for each in item.cells)
    return "{" + ", ".join(cells) + "}"


RENDERER = MachineRenderer()
