"""Objects and archives as memory: linked by the linker that veer brings, at addresses where veer has room.

unit.o, lib.a  ──ld.lld──►  executable at BASE; each undefined function at an address of its own from UNDEFINED on,
                            each undefined variable from OTHERS on
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from veer.frontends.machine import cases, ctype, saves
from veer.frontends.machine.architectures import ARM
from veer.frontends.machine.devices import regions
from veer.frontends.machine.dwarf import declared_elsewhere
from veer.frontends.machine.elf import BASE, architecture, is_elf, loaded, opened, profile, require_place
from veer.frontends.machine.image import Image, Segment
from veer.frontends.machine.raw import Given, is_raw, rams
from veer.frontends.machine.raw import load as raw
from veer.frontends.machine.relocations import OTHERS, STEP, UNDEFINED
from veer.frontends.machine.undefined import ARCHIVE, first_object, undefined
from veer.model.errors import UsageError
from veer.model.values import replace
from veer.toolchain.cache import digest
from veer.toolchain.compiler import Toolchain, run, shorten

NOTHING_GIVEN = Given()
_ALL_ROOM, _MOST_ROOM, _LEAST_ROOM = 0x80000, 0x4000, 0x10
"""Bytes for the variables of other libraries, and for each of them; their sizes are said nowhere."""

_SUPPLIED = {**saves.PLACES, **cases.PLACES}
"""Functions of libgcc that objects are linked with."""


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
    if data.startswith(ARCHIVE):
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
    names = undefined(path, data)
    own = frozenset(names.functions) & frozenset(_SUPPLIED)
    called = {UNDEFINED + STEP * place: name for place, name in enumerate(names.functions) if name not in own}
    room = _room(len(names.variables))
    others = {OTHERS + room * place: name for place, name in enumerate(names.variables)}
    tables = {ctype.NEWLIB_PLACE: ctype.NEWLIB} if names.has_table else {}
    thumb = int(_is_for_thumb_alone(path, data))
    given = {name: address | thumb for address, name in called.items()}
    given |= {name: address for address, name in (*others.items(), *tables.items())}
    given |= {name: _SUPPLIED[name] for name in own}
    key = digest("linked", data, toolchain.identity)
    with toolchain.cache.scratch() as scratch:
        output = scratch / f"image-{key[:8]}"
        flags = (f"--image-base={BASE:#x}", "--entry=0", "--no-relax", "--whole-archive", "-znognustack")
        defined = [f"--defsym={name}={address:#x}" for name, address in given.items()]
        said = run(
            replace(toolchain, command=(toolchain.command[0], "ld.lld")),
            (*flags, *defined, str(path), "-o", str(output)),
        )
        if said.code or not output.exists():
            raise UsageError(f"{path} cannot be linked:\n{shorten(said.messages)}")
        image = loaded(output.read_bytes(), path, {**called, **others, **tables})
        for each in (saves, cases):
            if known := each.functions(own):
                added = {**image.functions, **known}
                image = replace(image, segments=(*image.segments, each.segment()), functions=added)
        return _with_others(image, others)


def _room(count: int) -> int:
    """Bytes of each of so many variables."""
    return max(_LEAST_ROOM, min(_MOST_ROOM, _ALL_ROOM // max(count, 1) & -_LEAST_ROOM))


def _is_for_thumb_alone(path: Path, data: bytes) -> bool:
    """Whether it is for a microcontroller (ARM's profile M), where all functions are Thumb code, those of other
    libraries, too."""
    member = first_object(data)
    elf = opened(member, path) if member else None
    return elf is not None and architecture(elf, path) is ARM and profile(elf) == "M"


def _with_others(image: Image, others: Mapping[int, str]) -> Image:
    """With memory for variables of other libraries, which can be named as the file's own are. Functions whose address
    alone is taken are told apart by the debug info."""
    if not others:
        return image
    size = len(others) * _room(len(others))
    # functions whose address alone is taken may be among them: who comes there calls one by its name
    memory = Segment("variables of other libraries", OTHERS, size, b"", is_writable=True, is_code=True)
    functions = declared_elsewhere(image)
    zeros = {name: address for address, name in others.items() if name not in functions}
    return replace(
        image, segments=(*image.segments, memory), data={**zeros, **image.data}, others=(*image.others, *zeros)
    )
