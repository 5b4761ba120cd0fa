"""Tests on an emulator that is not our lifter: what is asked of its process (emulated.py), and what it answered.

Input objects lie at addresses of their own, each at the end of a page: an access behind one is a fault. A test that
ends otherwise there, for it asks for the lowest bits of an address, is run again with objects aligned as in the search.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import msgspec
from msgspec import Struct

from veer.execution.confinement import python_folders, tool
from veer.frontends.machine.adapter import MOST_FRAMES, return_address, stack_pointer, thumb_bit, with_stack
from veer.frontends.machine.answer import Answer
from veer.frontends.machine.architectures import I8051, Architecture
from veer.frontends.machine.bridges import Imported, imported
from veer.frontends.machine.floatplaces import Held, bits_in
from veer.frontends.machine.image import Code, Image, Segment
from veer.frontends.machine.library import FORMATTED
from veer.frontends.machine.places import At, Places, first_above, registers_of_floats
from veer.frontends.machine.simulated import simulated
from veer.frontends.machine.straightcode import SIGNED
from veer.model.confinement import OFF, Confinement
from veer.model.devicereads import DEVICE_READ, read_as
from veer.model.errors import ToolchainError
from veer.model.inputs import MemoryObject, Pointer, Scalar
from veer.model.literal import image as image_of
from veer.model.result import Test
from veer.model.types import Type, TypeKind
from veer.model.values import replace
from veer.toolchain.session import scratch_root

_OBJECTS = 0x70000000
_APART = 0x100000
_PAGE = 0x1000
_ALIGNED, _WORD = 8, 8
_ALIGNED_IN_SEARCH = 16
_SPARE = 30.0
"""Seconds for the start of the process."""


class Case(Struct, frozen=True):
    """A call of the entry. `arguments`: a number, the name of an object whose address is given, or "" for null;
    `memory`: the bytes of each object; `read`: the objects that are looked at behind the call; `links`: of each object
    the pointers in it, by their offsets: the names of the objects that they lead to; `reads`: what registers of devices
    are read as, one after the other, by address and size; `is_aligned`: objects are aligned as those of the search are,
    which leaves some bytes between the end of one and its page's."""

    arguments: tuple[int | str, ...]
    memory: dict[str, bytes]
    read: tuple[str, ...] = ()
    links: dict[str, dict[int, str]] = {}
    reads: dict[tuple[int, int], tuple[int, ...]] = {}
    is_aligned: bool = False


class Machine(Struct, frozen=True, dict=True):
    """An entry of an image on the emulator. `sizes`: bytes of each argument, as its type says.

    `places`: where they lie; None: in the first registers.
    """

    image: Image
    entry: Code
    sizes: tuple[int, ...]
    confinement: Confinement = OFF
    places: Places | None = None

    def run(self, cases: Sequence[Case], seconds: float) -> tuple[Answer | None, ...]:
        """Each call, at most so long; None for those that ended the emulator itself.

        Raises ToolchainError when there is no emulator.
        """
        request = self._request(cases, seconds)
        if self.image.architecture is I8051:
            with tempfile.TemporaryDirectory(prefix="veer-simulator-", dir=scratch_root()) as scratch:
                return simulated(request, self.confinement, Path(scratch))
        command = [sys.executable, "-m", "veer.frontends.machine.emulated"]
        limit = _SPARE + (seconds + 1) * len(cases)
        given = json.dumps(request).encode()
        try:
            with tempfile.TemporaryDirectory(prefix="veer-emulator-", dir=scratch_root()) as scratch:
                started = tool(self.confinement, command, python_folders(), Path(scratch))
                ran = subprocess.run(
                    started, input=given, capture_output=True, timeout=limit, check=False, start_new_session=True
                )
            lines, errors = ran.stdout.splitlines(), ran.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired as expired:
            lines, errors = (expired.stdout or b"").splitlines(), "it took too long"
        if cases and not lines:
            last = (errors.strip().splitlines() or ["it ended"])[-1]
            raise ToolchainError(f"the emulator did not run: {last}")
        answers = [msgspec.json.decode(line, type=Answer) for line in lines]
        return (*answers, *[None] * (len(cases) - len(answers)))

    def judged(
        self, cases: Sequence[Case], seconds: float, agrees: Callable[[int, Answer | None], bool]
    ) -> tuple[Answer | None, ...]:
        """As `run`; each case with objects to which the caller does not agree is run again with these aligned, and that
        answer taken where the caller agrees to it. `agrees`: of the number of a case, and its answer."""
        answers = list(self.run(cases, seconds))
        again = [
            number
            for number, (case, answer) in enumerate(zip(cases, answers, strict=True))
            if case.memory and not agrees(number, answer)
        ]
        aligned = [replace(cases[number], is_aligned=True) for number in again]
        for number, answer in zip(again, self.run(aligned, seconds) if again else (), strict=True):
            if agrees(number, answer):
                answers[number] = answer
        return tuple(answers)

    @cached_property
    def _stack(self) -> Segment:
        return self._segments[-1]

    @cached_property
    def _segments(self) -> tuple[Segment, ...]:
        """With a stack as deep as any program has it: a suite does not say how deep its program's is."""
        return with_stack(replace(self.image, frames=MOST_FRAMES))

    def _request(self, cases: Sequence[Case], seconds: float) -> dict[str, object]:
        machine = self.image.architecture
        segments = [[each.address, each.size, each.data.hex(), int(each.is_writable)] for each in self._segments]
        result, (register, pointer) = self._places.result, self.image.thread
        registers = result.registers if result is not None else (machine.result,)
        return {
            "machine": machine.name,
            "profile": self.image.profile,
            "regions": [list(each) for each in self.image.regions],
            "segments": segments,
            "entry": self.entry.address,
            "thumb": thumb_bit(machine, self.entry),
            "back": return_address(self._stack),
            "result": list(registers),
            "is_wide": result is not None and result.held is Held.WIDE,
            "bits": self._part,
            "order": "big" if machine.is_big else "little",
            "stack": machine.stack,
            "link": machine.link,
            "registers": {register: pointer} if register else {},
            "imports": [row for address, name in self.image.undefined.items() for row in self._import(address, name)],
            "seconds": seconds,
            "tests": [self._test(case) for case in cases],
        }

    def _import(self, address: int, name: str) -> Iterator[dict[str, object]]:
        """A function of the library as the emulator's process is told of it; nothing for one without a model."""
        known = imported(self.image, name)
        if known is None:
            return
        machine, types = self.image.architecture, known.machines.types
        result = known.put.result
        yield {
            "address": address,
            "name": known.name,
            "parameters": [
                {
                    "registers": list(at.registers),
                    "stack": at.stack,
                    "size": at.size,
                    "bits": machine.bits if types[each.type].kind == TypeKind.POINTER else 8 * types[each.type].size,
                    "signed": types[each.type].kind in SIGNED,
                    **_held(at, types[each.type], machine),
                }
                for each, at in zip(known.machines.parameters, known.put.parameters, strict=True)
            ],
            "result": [machine.result] if known.gives_pointer else list(result.registers) if result else [],
            "names": [each.name for each in known.machines.parameters],
            "is_float": known.returns_float,
            **(_held(result, types[known.machines.returns], machine) if result is not None else {}),
            **self._behind(known),
        }

    def _behind(self, known: Imported) -> dict[str, object]:
        """Where formatted output has the arguments behind the named ones."""
        if known.name not in FORMATTED:
            return {}
        machine, named = self.image.architecture, len(known.machines.parameters)
        return {
            "behind": list(machine.arguments[named:]),
            "number": named,
            "floats": list(registers_of_floats(machine)),
            "above": first_above(machine, named),
        }

    @cached_property
    def _places(self) -> Places:
        if self.places is not None:
            return self.places
        return Places(tuple(At((register,)) for register in self.image.architecture.arguments[: len(self.sizes)]))

    @property
    def _part(self) -> int:
        """Bits of one register."""
        return 8 if self.image.architecture is I8051 else self.image.architecture.bits

    def _test(self, case: Case) -> dict[str, object]:
        machine, top = self.image.architecture, stack_pointer(self._stack, self.image, self._places)
        back = return_address(self._stack) | thumb_bit(machine, self.entry)
        sizes = {name: len(data) for name, data in case.memory.items()}
        places = {name: _place(number, sizes[name], is_aligned=case.is_aligned) for number, name in enumerate(sizes)}
        registers = {machine.stack: top}
        memory: list[list[object]] = []
        if machine.link:
            registers[machine.link] = back
        elif machine is not I8051:
            memory.append([top, back.to_bytes(machine.bytes, "little").hex(), machine.bytes])
        for at, value, size in zip(self._places.parameters, case.arguments, self.sizes, strict=True):
            number = places.get(value, 0) if isinstance(value, str) else value
            if at.registers:
                part = self._part
                whole = (
                    number
                    if isinstance(value, str)
                    else bits_in(
                        at.held, register_value(machine, number, size, max(part * len(at.registers), 8 * size))
                    )
                )
                rest = range(len(at.registers) - 1)
                registers.update({at.registers[k]: whole >> part * k & (1 << part) - 1 for k in rest})
                registers[at.registers[-1]] = whole >> part * len(rest)
            else:
                address = at.address if at.address >= 0 else top + at.stack
                data = (number % (1 << 8 * at.size)).to_bytes(at.size, "big" if at.is_big else "little")
                memory.append([address, data.hex(), at.size])
        for name, data in case.memory.items():
            linked = _linked(data, case.links.get(name, {}), places, machine)
            memory.append([places[name], linked.hex(), len(data)])
        read = [[places[name], len(case.memory[name])] for name in case.read]
        reads = [[address, size, list(values)] for (address, size), values in case.reads.items()]
        objects = [[places[name], size] for name, size in sizes.items()]
        return {"registers": registers, "memory": memory, "read": read, "objects": objects, "reads": reads}


def _held(at: At, type_: Type, machine: Architecture) -> dict[str, object]:
    """Bits of a register, and how it holds a number."""
    is_own = type_.kind is TypeKind.FLOAT and len(at.registers) == 1
    return {
        "part": 8 * type_.size if is_own and at.held is Held.PLAIN else 64 if is_own else machine.bits,
        "held": at.held.name,
    }


def _linked(data: bytes, links: dict[int, str], places: dict[str, int], machine: Architecture) -> bytes:
    """An object's bytes with the addresses that its pointers lead to."""
    found = bytearray(data)
    for offset, name in links.items():
        found[offset : offset + machine.bytes] = places.get(name, 0).to_bytes(machine.bytes, "little")
    return bytes(found)


def _place(number: int, size: int, *, is_aligned: bool) -> int:
    """Where an object lies: it ends where its page does, as far as its alignment allows."""
    alignment = _ALIGNED_IN_SEARCH if is_aligned else min(size & -size if size else 1, _ALIGNED)
    pages = -(-size // _PAGE) * _PAGE
    return _OBJECTS + _APART * number + (pages - size) // alignment * alignment


def register_value(machine: Architecture, number: int, size: int, width: int) -> int:
    """What registers of so many bits hold for a number of `size` bytes; a negative one is signed."""
    if machine.name == "riscv64" and size == 4 and number >> 31 == 1:
        number -= 1 << 32
    return number % (1 << width)


def case_of(test: Test, parameters: Sequence[str]) -> Case:
    """The call of a recorded test. `parameters`: their names, in order."""
    roots = {root.name: root.cells[0].value for root in test.inputs.roots if root.cells}
    names = {item.number: f"object_{item.number}" for item in test.inputs.objects}
    memory = {names[item.number]: image_of(item.cells, item.size) for item in test.inputs.objects}
    read = tuple(names[output.number] for output in test.outputs if output.number in names)
    links = {names[item.number]: links_of(item, names) for item in test.inputs.objects}
    arguments = tuple(_argument(roots.get(name), names) for name in parameters)
    return Case(arguments, memory, read, links, reads_of(read_as(test.inputs)))


def reads_of(rows: Mapping[str, Sequence[int]]) -> dict[tuple[int, int], tuple[int, ...]]:
    """What registers are read as, by address and size. `rows`: by the names of these inputs."""
    found = {}
    for name, values in rows.items():
        if matched := DEVICE_READ.fullmatch(name):
            found[int(matched[2], 16), int(matched[1]) // 8] = tuple(values)
    return found


def links_of(item: MemoryObject, names: dict[int, str]) -> dict[int, str]:
    """Where an object has pointers, and the objects that they lead to ("": null)."""
    pointers = [(cell.offset, cell.value) for cell in item.cells if isinstance(cell.value, Pointer)]
    return {offset: names.get(value.target or 0, "") for offset, value in pointers}


def without_pointers(data: bytes, links: Iterable[int]) -> bytes:
    """The bytes of an object with zeros where it began with pointers: addresses are otherwise elsewhere."""
    found = bytearray(data)
    for offset in links:
        found[offset : offset + _WORD] = bytes(len(found[offset : offset + _WORD]))
    return bytes(found)


def _argument(value: Scalar | Pointer | None, names: dict[int, str]) -> int | str:
    if isinstance(value, Scalar):
        return value.number
    return names.get(value.target or 0, "") if value is not None else 0
