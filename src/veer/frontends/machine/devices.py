"""Registers of devices at addresses of the machine: where they are, and how lifted code comes to them (decision 0429).

    %5 = load volatile i32, ptr %4, align 1, !dbg !9
    ->  %veer.access.0 = call ptr @machine_read(ptr %4, i32 4), !dbg !9
        %5 = load i32, ptr %veer.access.0, align 1, !dbg !9

Each read is an input, as in C (runtime/libc/devices.c). An access at a constant address elsewhere, or relative to the
stack pointer, is one of memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from veer.frontends.machine.elf import HEAP_END, HIGHEST
from veer.frontends.machine.image import Image
from veer.model.errors import UnsupportedInputError, UsageError

BEGINNING = "veer_begin_machine"
"""The function that the harness calls before it makes inputs."""
READ, WRITE = "machine_read", "machine_write"
USUAL = {"M": ((0x40000000, 0x60000000), (0xE0000000, 0xE0100000))}
"""By the profile of an ARM: peripherals, and the processor's own registers."""
_ALIGNED = 0x1000000
_GIVEN = re.compile(r"^(0[xX][0-9a-fA-F]+|\d+):(0[xX][0-9a-fA-F]+|\d+)$")
_NAME = r"%[-\w.$]+"
_ACCESS = re.compile(
    rf"^  (?P<head>(?:{_NAME} = load|store)) volatile i(?P<bits>\d+)(?P<value> [^,]+)?, "
    rf"ptr (?P<pointer>{_NAME}|null|inttoptr \(i64 (?P<number>-?\d+) to ptr\)), align 1(?P<rest>.*)$",
    re.MULTILINE,
)
_WIDTHS = frozenset((8, 16, 32, 64))
_FUNCTION = re.compile(r"(?m)^(?=define )")
_STEP = re.compile(
    rf"^  ({_NAME}) = (?:(?:add|sub)(?: nuw| nsw)* i\d+ ({_NAME}), -?\d+|(?:sext|zext)(?: nneg)? i32 ({_NAME}) to i64|"
    rf"inttoptr i64 ({_NAME}) to ptr)\b",
    re.MULTILINE,
)
_MASK = (1 << 32) - 1


def regions(given: Sequence[str], profile: str) -> tuple[tuple[int, int], ...]:
    """Begin and end of each, in order: the usual ones of an ARM's profile, and those that the user gives.

    Raises UsageError.
    """
    found = [*USUAL.get(profile, ()), *(_parsed(text) for text in given)]
    joined: list[tuple[int, int]] = []
    for begin, end in sorted(found):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((begin, end))
    return tuple(joined)


def _parsed(text: str) -> tuple[int, int]:
    matched = _GIVEN.match(text)
    begin, size = (int(matched[1], 0), int(matched[2], 0)) if matched else (0, 0)
    if not begin or not size or begin + size > 1 << 32:
        raise UsageError(f"--region {text}: give ADDRESS:SIZE in bytes, such as 0x40013800:0x400")
    return begin, begin + size


def heap_begin(image: Image) -> int:
    """Where the runtime's heap begins behind memory of the machine; 0: where it always does.

    Raises UnsupportedInputError where nothing is left of it.
    """
    end = max((each.end for each in image.segments if each.end > HIGHEST), default=0)
    begin = end + _ALIGNED - 1 & ~(_ALIGNED - 1)
    if begin >= HEAP_END:
        raise UnsupportedInputError(f"{image.file} has memory up to {end:#x}, which leaves no room for inputs")
    return begin


def begins_otherwise(image: Image) -> bool:
    """Whether inputs may not be made before the machine's memory is there."""
    return bool(image.regions) or heap_begin(image) > 0


def beginning(image: Image, reads: int, mapper: str) -> Iterator[str]:
    """The function `BEGINNING` in IR. `reads`: how many of each register are inputs."""
    numbers = [number for each in image.regions for number in each]
    yield "declare void @veer_heap_from(i64)"
    yield "declare void @veer_set_devices(ptr, i32, i32)"
    yield f"@veer.regions = private constant [{len(numbers)} x i64] [{', '.join(f'i64 {each}' for each in numbers)}]"
    yield f"define void @{BEGINNING}() {{"
    if begin := heap_begin(image):
        yield f"  call void @veer_heap_from(i64 {begin})"
    if numbers:
        yield f"  call void @veer_set_devices(ptr @veer.regions, i32 {len(image.regions)}, i32 {reads})"
    yield f"  call void @{mapper}()"
    yield "  ret void"
    yield "}"


def with_devices(text: str, image: Image, stack: str) -> str:
    """A module's text, cleaned, with its volatile accesses through READ and WRITE. `stack`: the variable of the stack
    pointer."""
    if not image.regions:
        return text
    head, *functions = _FUNCTION.split(text)
    declared = "".join(f"declare ptr @{name}(ptr, i32)\n" for name in (READ, WRITE))
    return "".join([head, *(_rewritten(each, image.regions, stack) for each in functions), declared])


def _rewritten(function: str, regions_: Iterable[tuple[int, int]], stack: str) -> str:
    on_stack = _on_stack(function, stack)
    count = 0

    def through(access: re.Match[str]) -> str:
        nonlocal count
        pointer, bits, value = access["pointer"], int(access["bits"]), access["value"] or ""
        number = int(access["number"]) & _MASK if access["number"] else -1
        is_constant = not pointer.startswith("%")
        is_there = not is_constant or any(begin <= number < end for begin, end in regions_)
        if pointer in on_stack or not is_there or bits not in _WIDTHS:
            return f"  {access['head']} i{bits}{value}, ptr {pointer}, align 1{access['rest']}"
        place = f"%veer.access.{count}"
        count += 1
        name, rest = WRITE if value else READ, access["rest"]
        called = f"  {place} = call ptr @{name}(ptr {pointer}, i32 {bits // 8}){rest}\n"
        return f"{called}  {access['head']} i{bits}{value}, ptr {place}, align 1{rest}"

    return _ACCESS.sub(through, function)


def _on_stack(function: str, stack: str) -> set[str]:
    """Values that are the stack pointer, and a constant beside it."""
    loads = re.compile(rf"^  ({_NAME}) = load i\d+, ptr {re.escape(stack)}\b", re.MULTILINE)
    found = set(loads.findall(function))
    steps = [(name, one or other or third) for name, one, other, third in _STEP.findall(function)]
    before = -1
    while before != len(found):
        before = len(found)
        found |= {name for name, base in steps if base in found}
    return found
