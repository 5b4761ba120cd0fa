"""The `lib/modules` file of a Java runtime: all of its classes in one file ("jimage").

    header      magic, version, flags, resources, slots of the table, bytes of locations, bytes of strings
    redirects   one signed number for each slot of a hash table
    offsets     where the location of each slot begins
    locations   attributes: module, package, name, extension, offset, sizes
    strings     NUL-terminated
    contents

The layout is that of the JDK's ImageFileHeader and ImageStringsReader; numbers are little-endian on our machines.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from pathlib import Path

from veer.model.errors import UsageError

_MAGIC = 0xCAFEDADA
_HEADER = struct.Struct("<7I")
_HASH_MULTIPLIER = 0x01000193
_HASH_MASK = 0x7FFFFFFF
_MODULE, _PARENT, _BASE, _EXTENSION, _OFFSET, _COMPRESSED, _SIZE = 1, 2, 3, 4, 5, 6, 7
_RESOURCE = struct.Struct("<IQQII?")
_RESOURCE_MAGIC = 0xCAFEFAFA


class JImage:
    """An open `modules` file. Raises UsageError when it is none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise UsageError(f"{path} cannot be read: {error}") from error
        if len(self._data) < _HEADER.size or _HEADER.unpack_from(self._data)[0] != _MAGIC:
            raise UsageError(f"{path} is no file of a Java runtime's modules")
        _, _, _, _, self._slots, locations, strings = _HEADER.unpack_from(self._data)
        self._offsets = _HEADER.size + 4 * self._slots
        self._locations = self._offsets + 4 * self._slots
        self._strings = self._locations + locations
        self._contents = self._strings + strings
        if self._contents > len(self._data):
            raise UsageError(f"{path} ends too early for a file of a Java runtime's modules")

    def class_bytes(self, name: str) -> bytes | None:
        """The class file of an internal name ("java/lang/String"), or None where the runtime has none."""
        package = name.rpartition("/")[0]
        for module in self._modules_of(package.replace("/", ".")):
            found = self.resource(f"/{module}/{name}.class")
            if found is not None:
                return found
        return None

    def resource(self, path: str) -> bytes | None:
        """The contents under "/module/package/Name.class"."""
        attributes = self._find(path)
        if attributes is None:
            return None
        start = self._contents + attributes.get(_OFFSET, 0)
        compressed, size = attributes.get(_COMPRESSED, 0), attributes.get(_SIZE, 0)
        data = bytes(self._data[start : start + (compressed or size)])
        return self._expanded(data, path) if compressed else data

    def _modules_of(self, package: str) -> list[str]:
        """The modules that have classes of a package: those that have some first."""
        found = self.resource(f"/packages/{package}")
        pairs = [] if found is None else list(struct.iter_unpack("<II", found))
        return [self._string(place) for is_empty, place in pairs if not is_empty]

    def _find(self, path: str) -> dict[int, int] | None:
        name = path.encode()
        redirect = self._number("<i", _HEADER.size + 4 * (_hash(name) % self._slots))
        if not redirect:
            return None
        slot = -1 - redirect if redirect < 0 else _hash(name, redirect) % self._slots
        attributes = self._attributes(self._number("<I", self._offsets + 4 * slot))
        return attributes if self._name(attributes) == path else None

    def _attributes(self, offset: int) -> dict[int, int]:
        at, found = self._locations + offset, {}
        while kind := self._data[at] >> 3:
            size = (self._data[at] & 7) + 1
            found[kind] = int.from_bytes(self._data[at + 1 : at + 1 + size], "big")
            at += 1 + size
        return found

    def _name(self, attributes: dict[int, int]) -> str:
        module, parent, base, extension = (
            self._string(attributes.get(kind, 0)) for kind in (_MODULE, _PARENT, _BASE, _EXTENSION)
        )
        folders = (f"/{module}/" if module else "") + (f"{parent}/" if parent else "")
        return folders + base + (f".{extension}" if extension else "")

    def _string(self, offset: int) -> str:
        start = self._strings + offset
        return bytes(self._data[start : self._data.find(b"\0", start)]).decode()

    def _expanded(self, data: bytes, path: str) -> bytes:
        """What a compressed resource holds; it may be compressed more than once."""
        while len(data) >= _RESOURCE.size and _RESOURCE.unpack_from(data)[0] == _RESOURCE_MAGIC:
            _, size, _, how, _, _ = _RESOURCE.unpack_from(data)
            body = data[_RESOURCE.size : _RESOURCE.size + size]
            if self._string(how) != "zip":
                raise UsageError(f"{self.path} holds {path} compressed by {self._string(how)}, which veer cannot read")
            data = zlib.decompress(body)
        return data

    def _number(self, form: str, at: int) -> int:
        return int(struct.unpack_from(form, self._data, at)[0])


def _hash(name: bytes, seed: int = _HASH_MULTIPLIER) -> int:
    for byte in name:
        seed = (seed * _HASH_MULTIPLIER ^ byte) & 0xFFFFFFFF
    return seed & _HASH_MASK
