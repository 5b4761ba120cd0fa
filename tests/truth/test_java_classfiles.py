"""Class files of the machine's JDK as veer reads them and as `javap` prints them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from javap import ours, printed
from sampling import IS_LONG

from veer.frontends.java.classpath.jimage import JImage
from veer.frontends.java.classpath.path import ClassPath

_FEW = ("java/util/Optional", "java/lang/StringLatin1", "java/util/TreeMap", "java/lang/Character")
_MORE = (
    *("java/lang/String", "java/lang/Math", "java/util/HashMap", "java/util/ArrayList", "java/util/regex/Pattern"),
    *("java/math/BigInteger", "java/util/stream/Collectors", "java/util/Formatter", "java/time/LocalDate"),
    *("java/util/concurrent/ConcurrentHashMap", "java/lang/invoke/MethodHandles", "java/util/Collections"),
    *("java/lang/Thread", "java/text/DecimalFormat", "java/util/Arrays", "java/lang/Record", "java/lang/Iterable"),
)


def test_code_and_tables_are_those_that_javap_prints() -> None:
    if shutil.which("javap") is None:
        pytest.skip("there is no javap")
    modules = Path(shutil.which("javap") or "").resolve().parents[1] / "lib" / "modules"
    path = ClassPath((), JImage(modules))
    names = (*_FEW, *_MORE) if IS_LONG else _FEW
    said = printed([name.replace("/", ".") for name in names])
    assert set(said) == set(names)
    for name in names:
        found = path.find(name)
        assert found is not None
        assert ours(found) == said[name], name
