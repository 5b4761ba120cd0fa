"""What the jars are made of, and the digest by which a test knows that they are of these sources."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

from veer.frontends.java.core import FOLDER
from veer.frontends.java.jdk import jar
from veer.frontends.java.replay.jvm import DRIVER, INPUTS
from veer.toolchain.cache import digest

_DIGEST = "META-INF/sources"


def core_sources() -> list[Path]:
    """veer's own Java in the place of the runtime's."""
    return sorted(FOLDER.rglob("*.java"))


def driver_sources() -> list[Path]:
    """What runs tests on the JVM."""
    return sorted((*DRIVER.rglob("*.java"), *INPUTS.rglob("*.java")))


def digest_of(sources: Sequence[Path]) -> str:
    """Of their names and texts."""
    return digest(*(text for each in sources for text in (each.name, each.read_bytes())))


def with_digest(made: Path, sources: Sequence[Path]) -> bytes:
    """A jar with the same classes, and the digest of their sources."""
    with zipfile.ZipFile(made) as file:
        classes = {name: file.read(name) for name in file.namelist()}
    return jar({**classes, _DIGEST: digest_of(sources).encode()}, is_small=True)


def digest_in(made: Path) -> str:
    """The digest that a jar holds."""
    with zipfile.ZipFile(made) as file:
        return file.read(_DIGEST).decode()
