"""ELF files, as memory: executables and shared libraries as they are, objects and archives linked first (linked.py).

Positions below are addresses of the machine; they are veer's own addresses too (docs/decisions), so that objects lie
where the runtime looks for them. What cannot lie there is refused.
"""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from veer.frontends.machine import ctype, errornumber
from veer.frontends.machine.architectures import ARM, Architecture, of_elf
from veer.frontends.machine.floatplaces import abi_of
from veer.frontends.machine.image import Code, Image, Segment
from veer.frontends.machine.relocations import OTHERS, STEP, Linked, linked, packed, word
from veer.frontends.machine.threads import PLACE, Thread, thread
from veer.frontends.machine.unwinding import ranges
from veer.model.errors import MissingExtraError, UsageError

LOWEST, HIGHEST = 0x10000, 0x20000000
"""Where segments may lie: the kernel gives no page below; behind, the runtime's heap makes way (devices.py)."""
HEAP_END = 0x3E000000
"""What lies below leaves the heap enough."""
BASE = 0x10000000
"""Where position-independent files lie: it is added to their own addresses."""
OWN_BEGIN, OWN_END = 0x1000000, 0x8000000
"""Where the instrumented program itself lies."""
_WRITE, _EXECUTE = 2, 1
_LARGEST_WORD = 8
_MODE_MARKS = {"$a": False, "$t": True}
_NEWEST = (3, 12)


def extra(name: str) -> ModuleType:
    """A module of the extra `machine`. Raises MissingExtraError where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        said = "machine code needs the extra of that name: pip install 'veer-test[machine]'"
        if sys.version_info < _NEWEST:
            needed = f"Python 3.12 or newer; this one is {sys.version_info.major}.{sys.version_info.minor}"
            said = f"machine code needs {needed}"
        raise MissingExtraError(said, "machine") from error


def is_elf(data: bytes) -> bool:
    """Whether the file says that it is one."""
    return data[:4] == b"\x7fELF"


def opened(data: bytes, file: Path) -> Any:
    """The file, for pyelftools. Raises UsageError when it is damaged."""
    reader = extra("elftools.elf.elffile")
    try:
        elf = reader.ELFFile(io.BytesIO(data))
        for table in (elf.iter_sections, elf.iter_segments):
            list(table())  # what is damaged is told here
        return elf
    except Exception as error:  # pyelftools raises errors of many kinds for damaged files
        raise UsageError(f"{file} cannot be read as an ELF file: {error}") from error


def architecture(elf: Any, file: Path) -> Architecture:
    """Of the file's header. Raises UsageError."""
    return of_elf(elf["e_machine"], elf.elfclass, elf.little_endian, str(file))


def loaded(data: bytes, file: Path, undefined: dict[int, str] | None = None) -> Image:
    """The memory that an executable or a shared library describes. Raises UsageError.

    `undefined`: what the linker was told of names that nothing defines.
    """
    elf = opened(data, file)
    machine = architecture(elf, file)
    base = BASE if elf["e_type"] == "ET_DYN" else 0
    own = thread(elf, machine)
    words = linked(elf, machine, base, own, file)
    missing = {**words.undefined, **(undefined or {})}
    segments = tuple(_segments(elf, machine, base, words, file))
    functions = {each.address: each for each in _functions(elf, machine, base)}
    return Image(
        file,
        machine,
        (*segments, *_beside(words, own, elf, machine, frozenset(missing.values()))),
        functions,
        missing,
        elf["e_entry"] + base,
        _data(elf, base),
        base=base,
        others=tuple(words.others.values()),
        stubs=bool(words.words),
        elf=data,
        thread=(own.register, own.pointer) if own.register else ("", 0),
        profile=profile(elf) if machine is ARM else "",
        float_abi=abi_of(elf, machine),
    )


def profile(elf: Any) -> str:
    """Of an ARM: A, R, M, or nothing where the file does not say it."""
    section = elf.get_section_by_name(".ARM.attributes")
    if section is None:
        return ""
    tables = [table for part in section.iter_subsections() for table in part.iter_subsubsections()]
    for table in tables:
        for each in table.iter_attributes():
            if each.tag == "TAG_CPU_ARCH_PROFILE" and each.value:
                return chr(each.value)
    return ""


def _segments(elf: Any, machine: Architecture, base: int, words: Linked, file: Path) -> Iterator[Segment]:
    """The memory behind the dynamic linker; what only it writes is constant."""
    loadable = [each for each in elf.iter_segments() if each["p_type"] == "PT_LOAD" and each["p_memsz"]]
    kept = [
        (each["p_vaddr"] + base, each["p_vaddr"] + base + each["p_memsz"]) for each in elf.iter_segments("PT_GNU_RELRO")
    ]
    kept += [(slot, slot + machine.bytes) for slot in words.slots]
    order = "big" if machine.is_big else "little"
    for place in packed(elf):
        words.words[place + base] = base + word(elf, place, machine)
    for number, each in enumerate(loadable):
        begin, flags = each["p_vaddr"] + base, each["p_flags"]
        size = _of_whole_words(begin, each["p_memsz"], [other["p_vaddr"] + base for other in loadable])
        require_place(begin, begin + size, file)
        data = bytearray(each.data())
        for address, value in words.words.items():
            if begin <= address <= begin + len(data) - machine.bytes:
                at = address - begin
                data[at : at + machine.bytes] = (value % (1 << machine.bits)).to_bytes(machine.bytes, order)  # type: ignore[arg-type]
        whole = Segment(
            f"segment {number}", begin, size, bytes(data), bool(flags & _WRITE), is_code=bool(flags & _EXECUTE)
        )
        yield from _divided(whole, kept) if whole.is_writable else (whole,)


def _of_whole_words(begin: int, size: int, others: Sequence[int]) -> int:
    """The size of a segment up to the end of its last word, or to where another begins: compilers read the end of a
    text as a word, which no machine refuses."""
    end = begin + size
    return min((-(-end // _LARGEST_WORD) * _LARGEST_WORD, *(each for each in others if each >= end))) - begin


def _divided(whole: Segment, kept: Sequence[tuple[int, int]]) -> Iterator[Segment]:
    """A writable segment, with the ranges that stay as they are as segments of their own."""
    at = whole.address
    for begin, end in _joined(kept):
        begin, end = max(begin, at), min(end, whole.end)
        if begin >= end:
            continue
        if at < begin:
            yield _part(whole, at, begin, is_writable=True)
        yield _part(whole, begin, end, is_writable=False)
        at = end
    if at < whole.end:
        yield _part(whole, at, whole.end, is_writable=True)


def _joined(ranges: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Ranges that touch, as one."""
    last: tuple[int, int] | None = None
    for begin, end in sorted(ranges):
        if last is not None and begin <= last[1]:
            last = (last[0], max(end, last[1]))
            continue
        if last is not None:
            yield last
        last = (begin, end)
    if last is not None:
        yield last


def _part(whole: Segment, begin: int, end: int, *, is_writable: bool) -> Segment:
    name = whole.name if is_writable else f"{whole.name}, which stays as it is linked"
    data = whole.data[begin - whole.address : end - whole.address]
    return Segment(name, begin, end - begin, data, is_writable, whole.is_code)


def _beside(words: Linked, own: Thread, elf: Any, machine: Architecture, names: Collection[str]) -> Iterator[Segment]:
    """The thread's memory, and variables of other libraries, where code may come to them."""
    yield from ctype.segments(machine, names)
    if errornumber.is_copied(machine, names):
        yield errornumber.segment()
    has_thread = any(True for _ in elf.iter_segments("PT_TLS"))
    if elf["e_type"] == "ET_DYN" or names or has_thread:  # `__stack_chk_fail` is a name of another file
        yield Segment("the thread's own memory", PLACE, len(own.data), own.data, is_writable=True, is_code=False)
    if words.others:
        size = max(words.others) - OTHERS + STEP
        yield Segment("variables of other libraries", OTHERS, size, b"", is_writable=True, is_code=False)


def require_place(begin: int, end: int, file: Path) -> None:
    """Raises UsageError for memory that cannot lie in veer's own process."""
    is_own = begin < OWN_END and end > OWN_BEGIN
    if begin < LOWEST or end > HEAP_END or is_own:
        where = f"{LOWEST:#x} to {OWN_BEGIN:#x} or {OWN_END:#x} to {HEAP_END:#x}"
        raise UsageError(f"{file} has memory at {begin:#x}, and veer can place it only at {where}: link it there")


def _functions(elf: Any, machine: Architecture, base: int) -> Iterator[Code]:
    """Those of its symbols; without any, those that its tables for unwinding know, its exports, and its entry."""
    if elf["e_entry"]:
        yield _code("entry", elf["e_entry"] + base, 0, machine)
    table = elf.get_section_by_name(".symtab")
    if table is None:
        for address, size in ranges(elf):
            yield _code(f"function_{address + base:x}", address + base, size, machine)
        table = elf.get_section_by_name(".dynsym")
    for each in table.iter_symbols() if table is not None else ():
        if each["st_info"]["type"] == "STT_FUNC" and each["st_shndx"] != "SHN_UNDEF":
            yield _code(each.name, each["st_value"] + base, each["st_size"], machine)


def _data(elf: Any, base: int) -> dict[str, int]:
    """The variables of the symbol table."""
    table = elf.get_section_by_name(".symtab") or elf.get_section_by_name(".dynsym")
    return {
        each.name: each["st_value"] + base
        for each in (table.iter_symbols() if table is not None else ())
        if each["st_info"]["type"] == "STT_OBJECT" and each["st_shndx"] != "SHN_UNDEF"
    }


def _code(name: str, address: int, size: int, machine: Architecture) -> Code:
    """ARM marks an address of Thumb code by its lowest bit."""
    is_thumb = machine is ARM and bool(address & 1)
    return Code(name, address & ~1 if machine is ARM else address, size, is_thumb)
