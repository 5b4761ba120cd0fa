"""What a user gives: a Java source, a class file or a jar, with the classes that lie beside it.

unit.java ─javac─► a jar of its own        a/B.class ─► the directory that a lies in        lib.jar
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from veer.frontends.java.classfile.model import Access, ClassFile, Method
from veer.frontends.java.classpath.path import ClassPath, read_class
from veer.frontends.java.core import core_classes
from veer.frontends.java.jdk import Jdk, compiled, source_root
from veer.frontends.java.lowering.names import method_symbol
from veer.frontends.java.replay.jvm import driver_classes
from veer.model.errors import UsageError
from veer.toolchain.cache import Cache

SOURCE, CLASS, JAR = ".java", ".class", ".jar"
_NO_CODE = ("module-info", "package-info")


class Found(Struct, frozen=True):
    """A method of the unit; `name`: as --entry names it."""

    name: str
    owner: ClassFile
    method: Method


class Unit(Struct, frozen=True):
    """A unit and the methods that it declares. `classes`: the directory or jar with its class files; `root`: what its
    packages lie in for the user; `more_roots`: those of other sources; `more_classes`: what it needs beside; `unread`:
    why classes of it cannot be read, by internal names."""

    source: Path
    classes: Path
    root: Path
    path: ClassPath
    methods: tuple[Found, ...]
    more_roots: tuple[Path, ...] = ()
    more_classes: tuple[Path, ...] = ()
    unread: Mapping[str, str] = field(default_factory=dict)


def read_unit(source: Path, jdk: Jdk, cache: Cache, more: Sequence[Path] = (), class_path: Sequence[str] = ()) -> Unit:
    """The methods of a unit; `more`: other sources, or class files, that belong to it; `class_path`: see BuildOptions.
    Raises UsageError."""
    needed = tuple(class_path_entries(class_path))
    if {each.suffix for each in more} - {source.suffix} or (more and source.suffix == JAR):
        raise UsageError("give Java sources, or class files of one directory, or one jar: not several kinds at once")
    if source.suffix == JAR:
        classes = root = source
    elif source.suffix == CLASS:
        classes = root = _root_of_class(source)
    else:
        classes = compiled((source, *more), jdk, cache, driver_classes(jdk, cache), needed)
        root = source_root(source)
    path = ClassPath((classes, *needed), jdk.modules, jdk.release, core_classes(jdk, cache))
    owners, unread = _owners((source, *more), root, path)
    methods = [
        Found(method_symbol(owner, method), owner, method)
        for owner in owners
        for method in owner.methods
        if _is_written(owner, method)
    ]
    roots = dict.fromkeys(source_root(each) for each in more if source.suffix == SOURCE)
    others = tuple(each for each in roots if each != root)
    return Unit(source, classes, root, path, tuple(methods), others, needed, unread)


def class_path_entries(given: Sequence[str]) -> Iterator[Path]:
    """Jars and folders of classes; a folder of jars stands for these. Raises UsageError."""
    for each in (Path(part).absolute() for word in given for part in word.split(":") if part):
        jars = sorted(each.glob(f"*{JAR}")) if each.is_dir() else []
        if not each.exists():
            raise UsageError(f"--classpath {each}: there is no such jar or folder")
        if each.is_file() and not zipfile.is_zipfile(each):
            raise UsageError(f"--classpath {each}: this is no jar")
        yield from jars
        if not jars or next(each.rglob(f"*{CLASS}"), None) is not None:
            yield each


def _owners(sources: Sequence[Path], root: Path, path: ClassPath) -> tuple[list[ClassFile], dict[str, str]]:
    """The classes that the user means: those of the sources, those of class files with their nested ones, all; and why
    others of them cannot be read. Raises UsageError where none can."""
    suffix = sources[0].suffix
    names: Iterable[str] = path.first_names()
    if suffix == CLASS:
        names = dict.fromkeys(name for source in sources for name in _with_nested(source, root))
    owners, unread, own = list[ClassFile](), dict[str, str](), {source.name for source in sources}
    for name in (each for each in names if each.rpartition("/")[2] not in _NO_CODE):
        try:
            found = path.find(name)
        except UsageError as error:
            unread[name] = str(error)
            continue
        if found is not None and (suffix != SOURCE or found.source in own):
            owners.append(found)
    if unread and not owners:
        raise UsageError(next(iter(unread.values())))
    return owners, unread


def _with_nested(source: Path, root: Path) -> tuple[str, ...]:
    files = (source, *sorted(source.parent.glob(f"{source.stem}$*.class")))
    return tuple(str(each.relative_to(root).with_suffix("")) for each in files)


def _root_of_class(source: Path) -> Path:
    """The directory that the package of a class file begins in. Raises UsageError."""
    try:
        name = read_class(source.read_bytes(), str(source)).name
    except OSError as error:
        raise UsageError(f"{source} cannot be read: {error.strerror}") from error
    count = name.count("/")
    if tuple(name.split("/")) != (*source.parts[-count - 1 : -1], source.stem):
        raise UsageError(
            f"{source} holds the class {name.replace('/', '.')}: it has to lie at {name}.class of some directory, as "
            "javac -d puts it"
        )
    return source.parents[count]


def _is_written(owner: ClassFile, method: Method) -> bool:
    """Whether the source has the method: the compiler makes others."""
    return Access.SYNTHETIC not in method.access | owner.access and method.name != "<clinit>"
