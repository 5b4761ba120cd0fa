"""An entry that a class inherits: the sentence says which class defines it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import veer
from veer.model.errors import UsageError

UNIT = """\
public class Disc extends Figure {
    int radius;
    int round(int n) { return n * radius; }
}
class Figure extends Thing {
    int corners() { return 0; }
}
class Thing {
    int area(int n) { return n > 3 ? 1 : 2; }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("Disc.area", "Disc.area is inherited: give Thing.area, which defines it"),
        ("Disc.corners", "Disc.corners is inherited: give Figure.corners, which defines it"),
        ("Thing.round", "no method Thing.round is defined in"),
    ],
)
def test_the_class_that_defines_it_is_named(entry: str, told: str, tmp_path: Path) -> None:
    source = tmp_path / "Disc.java"
    source.write_text(UNIT)
    with pytest.raises(UsageError) as error:
        veer.test(source, entry, budget="1s", out=tmp_path / "out")
    assert str(error.value).startswith(told)
