"""A number that is 0 in a test says little of what is done with it: the path has a test with another one, too."""

from __future__ import annotations

from pathlib import Path

from veer.campaign import run
from veer.model.inputs import Scalar
from veer.model.options import BuildOptions, SearchOptions

SOURCE = """
enum unit { OFF, VOLT, AMP };
int scale(enum unit unit, int raw)
{
    if (raw < 0 || raw > 4095)
        return -1;
    switch (unit) {
    case VOLT: return raw * 2;
    case AMP: return raw / 4;
    default: return -2;
    }
}
"""


def test_what_is_done_with_a_number_shows_where_the_path_fixes_the_others(tmp_path: Path) -> None:
    source = tmp_path / "scale.c"
    source.write_text(SOURCE)
    result = run.run(BuildOptions((source,), "scale"), SearchOptions(budget=20.0))
    told = set()
    for test in result.tests:
        unit, raw = (
            cell.value.number for each in test.inputs.roots for cell in each.cells if isinstance(cell.value, Scalar)
        )
        returned = int.from_bytes(test.returned or b"", "little", signed=True)
        if 0 <= raw <= 4095 and unit in (1, 2):
            assert returned == (raw * 2 if unit == 1 else raw // 4)
            told.add((unit, returned != 0))
    assert told >= {(1, True), (2, True)}
