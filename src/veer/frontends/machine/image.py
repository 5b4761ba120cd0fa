"""What a loader makes of a file: the memory of a machine before its code runs, and the functions that are known.

prog.elf, unit.o  ──►  Image: segments at their addresses, functions, names of what is not defined
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct, field

from veer.frontends.machine.architectures import Architecture
from veer.frontends.machine.floatplaces import FloatAbi


class Segment(Struct, frozen=True):
    """Memory from `address` on: `data`, and zeros behind it up to `size` bytes."""

    name: str
    address: int
    size: int
    data: bytes
    is_writable: bool
    is_code: bool

    @property
    def end(self) -> int:
        """Behind its last byte."""
        return self.address + self.size


class Code(Struct, frozen=True, order=True):
    """A function: its address without any mark of its instruction set, its bytes (0: not known)."""

    name: str
    address: int
    size: int = 0
    is_thumb: bool = False


class Image(Struct, frozen=True):
    """A loaded file. `functions`: by address; `undefined`: address -> name of what the file calls and does not have;
    `entry`: where the file says that it begins, or 0; `data`: addresses of variables by their names; `stack`: the stack
    pointer at the start, where the file decides it (8051), or 0; `base`: what was added to the file's own addresses;
    `others`: variables of other libraries, which are zeros; `thread`: the register that leads to the thread's own
    memory and what it holds ("": there is none); `stubs`: whether calls may lead through words that a dynamic linker
    writes; `frames`: bytes of the stack beside the usual ones; `elf`: the file that was loaded, for its debug info;
    `profile`: of an ARM that says so, "M" of a microcontroller; `float_abi`: which numbers have registers of their own
    in calls; `regions`: begin and end of each where devices have
    their registers."""

    file: Path
    architecture: Architecture
    segments: tuple[Segment, ...]
    functions: dict[int, Code]
    undefined: dict[int, str] = field(default_factory=dict)
    entry: int = 0
    data: dict[str, int] = field(default_factory=dict)
    stack: int = 0
    base: int = 0
    others: tuple[str, ...] = ()
    thread: tuple[str, int] = ("", 0)
    frames: int = 0
    stubs: bool = False
    elf: bytes = b""
    profile: str = ""
    float_abi: FloatAbi = FloatAbi.UNKNOWN
    regions: tuple[tuple[int, int], ...] = ()

    def segment(self, address: int) -> Segment | None:
        """The one that the address lies in."""
        return next((each for each in self.segments if each.address <= address < each.end), None)

    def read(self, address: int, size: int) -> bytes:
        """Up to so many bytes of code or data; fewer at the end of a segment, none outside."""
        found = self.segment(address)
        if found is None:
            return b""
        place = address - found.address
        data = found.data[place : place + size]
        return data + bytes(min(size, found.size - place) - len(data))

    def constant(self, address: int, size: int) -> int | None:
        """What stands there for ever, as a process of this machine (little-endian) reads it; None where code writes."""
        found = self.segment(address)
        if found is None or found.is_writable or address + size > found.end:
            return None
        return int.from_bytes(self.read(address, size), "little")

    def is_code(self, address: int) -> bool:
        """Whether instructions may lie there."""
        found = self.segment(address)
        return found is not None and found.is_code

    def named(self, name: str) -> Code | None:
        """The function of that name."""
        return next((each for each in self.functions.values() if each.name == name), None)
