"""Files that do not say what they are for: raw bytes, Intel HEX, S-records, with --arch, --base and --ram.

firmware.hex  ──►  Image: a segment for each run of bytes, read-only; RAM where --ram says
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from msgspec import Struct

from veer.frontends.machine import hexfile, sdcc
from veer.frontends.machine.architectures import ARCHITECTURES, I8051, Architecture
from veer.frontends.machine.elf import require_place
from veer.frontends.machine.floatplaces import usual
from veer.frontends.machine.image import Code, Image, Segment
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError

TEXTS = frozenset((".hex", ".ihx", ".ihex", ".s19", ".srec", ".mot"))
SUFFIXES = (*sorted(TEXTS), ".bin")
_RAM = re.compile(r"^(0[xX][0-9a-fA-F]+|\d+):(0[xX][0-9a-fA-F]+|\d+)$")


class Given(Struct, frozen=True):
    """What the user says of a file: the architecture's name, where a raw image begins, RAM as BEGIN:SIZE, where devices
    have registers as ADDRESS:SIZE."""

    arch: str = ""
    base: str = ""
    ram: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """As they are kept beside a suite."""
        pairs = (("arch", self.arch), ("base", self.base), *self._several)
        return tuple(f"--{name}={text}" for name, text in pairs if text)

    @property
    def _several(self) -> tuple[tuple[str, str], ...]:
        return (*(("ram", each) for each in self.ram), *(("region", each) for each in self.regions))


def given_by(options: BuildOptions) -> Given:
    """What the options say."""
    return Given(options.arch, options.base, options.ram, options.regions)


def given_in(words: tuple[str, ...]) -> Given:
    """The same of what was kept."""
    pairs = [word.removeprefix("--").split("=", 1) for word in words]
    found = dict(pairs)
    ram, regions = (tuple(text for name, text in pairs if name == each) for each in ("ram", "region"))
    return Given(found.get("arch", ""), found.get("base", ""), ram, regions)


def is_raw(path: Path) -> bool:
    """Whether the file's name says that it is one of these."""
    return path.suffix in SUFFIXES


def load(path: Path, data: bytes, given: Given) -> Image:
    """Raises UsageError for what is missing or does not fit."""
    machine = _architecture(path, given)
    if path.suffix in TEXTS:
        memory = hexfile.read(data.decode("ascii", "replace"), str(path))
    else:
        base = _number(given.base or "0", f"--base {given.base}")
        memory = {base + place: byte for place, byte in enumerate(data)}
    if machine is I8051:
        return sdcc.image(path, memory)
    segments = [
        Segment(f"segment {number}", address, len(run), run, is_writable=False, is_code=True)
        for number, (address, run) in enumerate(hexfile.runs(memory))
    ]
    segments += rams(given)
    for each in segments:
        require_place(each.address, each.end, path)
    entry = min(memory)
    return Image(path, machine, tuple(segments), {entry: Code("entry", entry)}, entry=entry, float_abi=usual(machine))


def _architecture(path: Path, given: Given) -> Architecture:
    names = [each.name for each in ARCHITECTURES]
    if not given.arch:
        raise UsageError(f"{path} does not say what it is for: --arch {', '.join(names)}")
    found = next((each for each in ARCHITECTURES if each.name == given.arch), None)
    if found is None:
        near = difflib.get_close_matches(given.arch, names, 1)
        more = f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}"
        raise UsageError(f"--arch {given.arch}: there is no such architecture; {more}")
    return found


def rams(given: Given) -> tuple[Segment, ...]:
    """Writable memory that the user tells of. Raises UsageError."""
    return tuple(_ram(text, number) for number, text in enumerate(given.ram))


def _ram(text: str, number: int) -> Segment:
    matched = _RAM.match(text)
    if matched is None:
        raise UsageError(f"--ram {text}: write it as BEGIN:SIZE, as in 0x08100000:0x4000")
    begin, size = int(matched[1], 0), int(matched[2], 0)
    return Segment(f"ram {number}", begin, size, b"", is_writable=True, is_code=False)


def _number(text: str, what: str) -> int:
    try:
        return int(text, 0)
    except ValueError as error:
        raise UsageError(f"{what}: this is no address") from error
