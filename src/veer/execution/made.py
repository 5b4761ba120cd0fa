"""The blocks that a recorded run made, from its records, and the pointers of what it left.

MADE 24   MADE 4096      its number is its size; its first bytes, then a flag for each: whether nobody wrote it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from veer.execution.addresses import is_of_image, is_of_unit, words
from veer.execution.stubcalls import Record
from veer.model.inputs import InputMap
from veer.model.made import Left, Link, Made, PoolObject
from veer.model.program import DEVICE_LOG, Program
from veer.model.sequence import result_places
from veer.model.values import replace
from veer.model.written import POINTER_SIZE
from veer.wire.layout import HEAP_BASE, OutputKind

_WHOLE = 0xFF  # bits


class _Place(Struct, frozen=True):
    """Memory that links may lead to."""

    address: int
    size: int
    to: int = 0
    variable: str = ""


class Places(Struct, frozen=True):
    """All memory of a run that links may lead to."""

    known: tuple[_Place, ...]

    def link(self, at: int, word: int) -> Link | None:
        """What this word is as a pointer; None: it is no address of the run. Where one object ends another may begin:
        then it is that one's."""
        if not word:
            return None
        within = [each for each in self.known if each.address <= word < each.address + max(1, each.size)]
        near = within or [each for each in self.known if each.address + each.size == word]
        if len(near) == 1:
            return Link(at, near[0].to, word - near[0].address, near[0].variable)
        return Link(at, 0) if is_of_unit(word) or is_of_image(word) else None

    def links(self, data: bytes) -> tuple[Link, ...]:
        """The aligned words that are pointers."""
        return tuple(link for at, word in words(data) if (link := self.link(at, word)) is not None)


def left(records: Sequence[Record], program: Program, inputs: InputMap, result: bytes | None) -> Left:
    """What a run left. `result`: the bytes of what the entry returned; the calls of a sequence say what they did."""
    known = Places(tuple(_places(records, program, {item.number: item.size for item in inputs.objects})))
    objects = [(each.number, known.links(each.data)) for each in records if each.kind == OutputKind.OBJECT]
    variables = [
        (program.outputs[each.number].name, known.links(each.data))
        for each in records
        if each.kind == OutputKind.AFTER and each.number < len(program.outputs)
    ]
    return Left(
        tuple(_made(each, known) for each in records if each.kind == OutputKind.MADE),
        tuple(_returned(known, program, inputs, result or b"")),
        tuple(each for each in objects if each[1]),
        tuple(each for each in variables if each[1]),
        tuple((each.number, each.address) for each in records if each.kind == OutputKind.FREED),
        tuple(_pool_objects(records, known)),
        _counted(records, OutputKind.ALLOCATED),
        _counted(records, OutputKind.RELEASED),
    )


def _returned(known: Places, program: Program, inputs: InputMap, result: bytes) -> Iterator[Link]:
    if program.sequence is None:
        yield from known.links(result)
        return
    for place, call in zip(result_places(program.sequence, inputs.calls), inputs.calls, strict=True):
        yield from (replace(link, at=place + link.at) for link in known.links(call.result or b""))


def _pool_objects(records: Sequence[Record], known: Places) -> Iterator[PoolObject]:
    for each in records:
        if each.kind == OutputKind.POOL and (link := known.link(0, each.address)) is not None:
            yield PoolObject(each.number >> 16, each.number & 0xFFFF, link)


def _counted(records: Sequence[Record], kind: OutputKind) -> tuple[tuple[int, int], ...] | None:
    """How many blocks at which sites; None: not all are known."""
    if any(each.kind == OutputKind.ALLOCATED and not each.number for each in records):
        return None
    return tuple((each.address, each.number) for each in records if each.kind == kind)


def _made(record: Record, known: Places) -> Made:
    half = len(record.data) // 2
    data, flags = record.data[:half], record.data[half:]
    partly = tuple((at, flag) for at, flag in enumerate(flags) if flag not in (0, _WHOLE))
    unwritten = tuple(at for at, flag in enumerate(flags) if flag == _WHOLE)
    # A pointer is written as a whole: half of such a word is a number.
    links = tuple(link for link in known.links(data) if not any(flags[link.at : link.at + POINTER_SIZE]))
    return Made(data, record.number, links, unwritten, partly, is_static=record.address < HEAP_BASE)


def _places(records: Sequence[Record], program: Program, sizes: dict[int, int]) -> Iterator[_Place]:
    blocks = 0
    for record in records:
        if record.kind == OutputKind.OBJECT and record.number in sizes:
            yield _Place(record.address, sizes[record.number], record.number)
        elif record.kind == OutputKind.AFTER and record.number < len(program.outputs):
            name = program.outputs[record.number].name
            if name != DEVICE_LOG:
                yield _Place(record.address, len(record.data), variable=name)
        elif record.kind == OutputKind.MADE:
            blocks += 1
            yield _Place(record.address, record.number, -blocks)
