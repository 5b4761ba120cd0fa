"""What a user gives: a Java source, a class file or a jar, with the classes that lie beside it.

unit.java ─javac─► a jar of its own        a/B.class ─► the directory that a lies in        lib.jar
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from veer.frontends.java.classfile.model import Access, ClassFile, Method
from veer.frontends.java.classpath.path import ClassPath, read_class
from veer.frontends.java.jdk import Jdk, compiled, source_root
from veer.frontends.java.lowering.names import method_symbol
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
    packages lie in for the user."""

    source: Path
    classes: Path
    root: Path
    path: ClassPath
    methods: tuple[Found, ...]


def read_unit(source: Path, jdk: Jdk, cache: Cache) -> Unit:
    """The methods of a unit. Raises UsageError."""
    if source.suffix == JAR:
        classes = root = source
    elif source.suffix == CLASS:
        classes = root = _root_of_class(source)
    else:
        classes, root = compiled(source, jdk, cache), source_root(source)
    path = ClassPath((classes,), jdk.modules, jdk.release)
    methods = [
        Found(method_symbol(owner, method), owner, method)
        for owner in _owners(source, root, path)
        for method in owner.methods
        if _is_written(owner, method)
    ]
    return Unit(source, classes, root, path, tuple(methods))


def _owners(source: Path, root: Path, path: ClassPath) -> list[ClassFile]:
    """The classes that the user means: those of the source, the one of the class file with its nested ones, all."""
    names: tuple[str, ...] = path.names() if source.suffix != CLASS else _with_nested(source, root)
    found = [path.find(name) for name in names if name.rpartition("/")[2] not in _NO_CODE]
    owners = [each for each in found if each is not None]
    return [each for each in owners if source.suffix != SOURCE or each.source == source.name]


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
