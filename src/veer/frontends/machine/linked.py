"""Objects and archives as memory: linked by the linker that veer brings, at addresses where veer has room.

unit.o, lib.a  ──ld.lld──►  executable at BASE; each undefined name at an address of its own from UNDEFINED on
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from veer.frontends.machine.devices import regions
from veer.frontends.machine.elf import BASE, is_elf, loaded, opened, require_place
from veer.frontends.machine.image import Image
from veer.frontends.machine.raw import Given, is_raw, rams
from veer.frontends.machine.raw import load as raw
from veer.frontends.machine.relocations import STEP, UNDEFINED
from veer.model.errors import UsageError
from veer.model.values import replace
from veer.toolchain.cache import digest
from veer.toolchain.compiler import Toolchain, run, shorten

NOTHING_GIVEN = Given()
_ARCHIVE = b"!<arch>\n"


def load(path: Path, toolchain: Toolchain, given: Given = NOTHING_GIVEN) -> Image:
    """The memory that a file describes. `given`: what the user says of one that does not say what it is for.

    Raises UsageError for one that is no object, archive or executable, and no image as raw.py reads them.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    return _with_given(_read(path, data, toolchain, given), given)


@lru_cache(maxsize=4)
def _read(path: Path, data: bytes, toolchain: Toolchain, given: Given) -> Image:
    if is_raw(path):
        return raw(path, data, given)
    if data.startswith(_ARCHIVE):
        return _linked(path, data, toolchain)
    if not is_elf(data):
        raise UsageError(f"{path} is no ELF file and no archive: give an executable or an object")
    image = _linked(path, data, toolchain) if opened(data, path)["e_type"] == "ET_REL" else loaded(data, path)
    return replace(image, segments=(*image.segments, *rams(given)))


def _with_given(image: Image, given: Given) -> Image:
    """With the registers of devices. Raises UsageError for memory that lies where other memory or registers are."""
    found = regions(given.regions, image.profile)
    if found and image.architecture.is_big:
        raise UsageError(f"--region: registers of devices are not read on {image.architecture.name} (big-endian)")
    for each in image.segments:
        require_place(each.address, each.end, image.file)
    spans = [(each.address, each.end, each.name) for each in image.segments if each.size]
    spans += [(begin, end, "registers of devices") for begin, end in found]
    for (begin, end, name), (next_, _, other) in itertools.pairwise(sorted(spans)):
        if next_ < end:
            raise UsageError(f"{image.file}: {name} ({begin:#x} to {end:#x}) and {other} ({next_:#x}) lie in one place")
    return replace(image, regions=found)


def _linked(path: Path, data: bytes, toolchain: Toolchain) -> Image:
    names = {UNDEFINED + STEP * place: name for place, name in enumerate(sorted(_undefined(path, data)))}
    defined = [f"--defsym={name}={address:#x}" for address, name in names.items()]
    key = digest("linked", data, toolchain.identity)
    with toolchain.cache.scratch() as scratch:
        output = scratch / f"image-{key[:8]}"
        flags = (f"--image-base={BASE:#x}", "--entry=0", "--no-relax", "--whole-archive", "-znognustack")
        said = run(
            replace(toolchain, command=(toolchain.command[0], "ld.lld")),
            (*flags, *defined, str(path), "-o", str(output)),
        )
        if said.code or not output.exists():
            raise UsageError(f"{path} cannot be linked:\n{shorten(said.messages)}")
        return loaded(output.read_bytes(), path, names)


def _undefined(path: Path, data: bytes) -> set[str]:
    """The names that the file uses and does not define."""
    used: set[str] = set()
    defined: set[str] = set()
    for member in _members(data):
        if not is_elf(member):
            continue
        table = opened(member, path).get_section_by_name(".symtab")
        for each in table.iter_symbols() if table is not None else ():
            if each.name:
                (used if each["st_shndx"] == "SHN_UNDEF" else defined).add(each.name)
    return used - defined


def _members(data: bytes) -> Iterator[bytes]:
    """The files of an archive; the file itself where it is none."""
    if not data.startswith(_ARCHIVE):
        yield data
        return
    place = len(_ARCHIVE)
    while place + 60 <= len(data):
        field = data[place + 48 : place + 58].strip()
        if not field.isdigit():
            return  # the linker tells what is wrong with the archive
        size = int(field)
        yield data[place + 60 : place + 60 + size]
        place += 60 + size + size % 2
