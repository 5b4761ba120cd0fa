"""A class path: directories and jars in their order, and the Java runtime's own classes before them."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

from veer.frontends.java.classfile.bytereader import ClassFormatError
from veer.frontends.java.classfile.model import ClassFile
from veer.frontends.java.classfile.parsing import parsed
from veer.frontends.java.classpath.jimage import JImage
from veer.model.errors import UsageError

_VERSIONS = "META-INF/versions/"


class ClassPath:
    """Finds classes by internal names; each is read once. `release`: of the runtime, for jars of several releases;
    `core`: a jar whose classes come before all others."""

    def __init__(
        self, entries: Sequence[Path], runtime: JImage | None, release: int = 17, core: Path | None = None
    ) -> None:
        self._places = [_Jar(each, release) if each.is_file() else _Directory(each) for each in entries]
        self._runtime = runtime
        self._core = _Jar(core, release) if core is not None else None
        self._known: dict[str, ClassFile | None] = {}
        self._own: dict[str, bool] = {}
        self._made_core: set[str] = set()

    def find(self, name: str) -> ClassFile | None:
        """The class, or None where there is none. Raises UsageError for one that is no class file."""
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def add(self, made: ClassFile, maker: str) -> None:
        """A class that veer made for one of `maker`'s call sites; it is as much the user's as that one."""
        self._known[made.name] = made
        self._own[made.name] = self.is_own(maker)

    def add_core(self, made: ClassFile) -> None:
        """A class that veer made for this program; it is none of the user's."""
        self._known[made.name] = made
        self._own[made.name] = False
        self._made_core.add(made.name)

    def is_core(self, name: str) -> bool:
        """Whether it is of veer's own core."""
        return name in self._made_core or (self._core is not None and self._core.holds(name))

    def is_own(self, name: str) -> bool:
        """Whether it lies on the class path, and is none of the runtime's."""
        if name not in self._own:
            self._own[name] = not self.is_core(name) and any(each.holds(name) for each in self._places)
        return self._own[name]

    def has_file(self, name: str) -> bool:
        """Whether it is the user's, and was not written by veer."""
        return self.is_own(name) and any(each.holds(name) for each in self._places)

    def own_bytes(self, name: str) -> bytes:
        """The class file of one that lies on the class path. Raises UsageError."""
        for place in self._places:
            if (data := place.read(name)) is not None:
                return data
        raise UsageError(f"the class {name.replace('/', '.')} is not on the class path")

    def names(self) -> tuple[str, ...]:
        """The classes on the class path, without the runtime's."""
        return tuple(name for place in self._places for name in place.names())

    def first_names(self) -> tuple[str, ...]:
        """Those of its first entry: the unit itself."""
        return tuple(self._places[0].names())

    def _read(self, name: str) -> ClassFile | None:
        if self._core is not None and (data := self._core.read(name)) is not None:
            return read_class(data, f"{name} of veer's core")
        if self._runtime is not None and (data := self._runtime.class_bytes(name)) is not None:
            return read_class(data, f"{name} of {self._runtime.path}")
        for place in self._places:
            if (data := place.read(name)) is not None:
                return read_class(data, f"{name} of {place.path}")
        return None


def read_class(data: bytes, label: str) -> ClassFile:
    """A class file. Raises UsageError, which names it by `label`."""
    try:
        return parsed(data)
    except ClassFormatError as error:
        raise UsageError(f"{label} cannot be read as a class file: {error}") from error


class _Directory:
    """A directory of packages."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def holds(self, name: str) -> bool:
        return self._file(name).is_file()

    def read(self, name: str) -> bytes | None:
        try:
            return self._file(name).read_bytes()
        except OSError:
            return None

    def names(self) -> list[str]:
        return sorted(str(file.relative_to(self.path))[: -len(".class")] for file in self.path.rglob("*.class"))

    def _file(self, name: str) -> Path:
        return self.path / f"{name}.class"


class _Jar:
    """A jar; of several releases that it may hold a class for, the newest that the runtime knows counts."""

    def __init__(self, path: Path, release: int) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile) as error:
            raise UsageError(f"{path} cannot be read as a jar: {error}") from error
        names = [each for each in self._zip.namelist() if each.endswith(".class")]
        self._members = {name: name for name in names if not name.startswith(_VERSIONS)}
        if self._is_multi_release():
            versions = [name.removeprefix(_VERSIONS).partition("/") for name in names if name.startswith(_VERSIONS)]
            for version, _, name in sorted(versions, key=lambda each: int(each[0])):
                if int(version) <= release:
                    self._members[name] = f"{_VERSIONS}{version}/{name}"

    def holds(self, name: str) -> bool:
        return f"{name}.class" in self._members

    def read(self, name: str) -> bytes | None:
        member = self._members.get(f"{name}.class")
        if member is None:
            return None
        try:
            return self._zip.read(member)
        except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            raise UsageError(f"{member} of {self.path} cannot be read: {error}") from error

    def names(self) -> list[str]:
        return sorted(name[: -len(".class")] for name in self._members)

    def _is_multi_release(self) -> bool:
        try:
            manifest = self._zip.read("META-INF/MANIFEST.MF").decode(errors="replace").lower()
        except KeyError:
            return False
        return "multi-release: true" in manifest
