"""--find and --avoid: an input that comes to one place before another, beside all inputs of a function that tells."""

from __future__ import annotations

import ctypes
import itertools
import subprocess
from pathlib import Path

import pytest
from sampling import sampled

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim, EndingKind
from veer.model.errors import UsageError
from veer.model.searchoptions import SearchOptions
from veer.toolchain import compiler

UNIT = """\
#ifndef AT
#define AT(n) ;
#endif
int f(unsigned char a, unsigned char b) {
    int x = 0;
    if (a > 100) {
        x += 1; AT(7)
    }
    for (int i = 0; i < (b & 3); i++) {
        if (a == 11 * i) {
            x += 2; AT(11)
        }
    }
    if (b == 7) {
        x += 4; AT(15)
    } else if (a * b == 77) {
        x += 8; AT(17)
    }
    if (x == 9) {
        return 1; AT(20)
    }
    return x & 6 ? 2 : x / (b ? b : 1);
}
"""
TRACING = UNIT.replace("return 1; AT(20)", "AT(20) return 1;")
LINES = (7, 11, 15, 17, 20)
PAIRS = [(found, avoided) for found, avoided in itertools.product(LINES, (0, *LINES)) if found != avoided]
IN_EACH_CHECK = ((20, 0), (17, 7), (15, 11), (20, 7))


def traces(folder: Path) -> dict[tuple[int, int], list[int]]:
    """The places that each input comes to, in order."""
    source, library = folder / "traced.c", folder / "traced.so"
    source.write_text("static int trace[64], n;\n#define AT(k) trace[n++] = k;\n" + TRACING + "int *t(int *m)")
    text = source.read_text() + "{ *m = n; n = 0; return trace; }\n"
    source.write_text(text)
    words = ("-shared", "-fPIC", "-O1", "-fno-sanitize=all", "-w", source, "-o", library)
    subprocess.run([compiler.find().command[0], "cc", *map(str, words)], check=True)
    loaded, count = ctypes.CDLL(str(library)), ctypes.c_int()
    loaded.t.restype = ctypes.POINTER(ctypes.c_int)
    found = {}
    for a, b in itertools.product(range(256), range(256)):
        loaded.f(a, b)
        trace = loaded.t(ctypes.byref(count))
        found[a, b] = trace[: count.value]
    return found


def reaches(trace: list[int], place: int, avoided: int) -> bool:
    return place in trace and (avoided not in trace or trace.index(place) < trace.index(avoided))


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, int], list[int]]:
    return traces(tmp_path_factory.mktemp("traced"))


@pytest.mark.parametrize(("found", "avoided"), sampled(PAIRS, lambda pair: pair in IN_EACH_CHECK))
def test_an_input_is_found_where_there_is_one(
    found: int, avoided: int, every: dict[tuple[int, int], list[int]], tmp_path: Path
) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    avoid = (f"unit.c:{avoided}",) if avoided else ()
    build = BuildOptions((source,), "f", find=(f"unit.c:{found}",), avoid=avoid)
    result = campaign.run(build, SearchOptions(budget=30, shrink=False))
    expected = any(reaches(trace, found, avoided) for trace in every.values())
    assert (result.ending.kind is EndingKind.FOUND) is expected, result.ending
    if not expected:
        assert result.ending.claim is Claim.PATHS
    places = {branch.id for branch in result.branches if branch.side == "reached"}
    shown = [test for test in result.tests if places & {*test.covers}]
    assert bool(shown) is expected
    for test in shown:
        values = {root.name: root.cells[0].value.number for root in test.inputs.roots if root.cells}
        assert test.replayed == "same"
        assert reaches(every[values["a"], values["b"]], found, avoided), values


def test_a_place_without_code_is_told(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    with pytest.raises(UsageError, match=r"--find unit\.c:2: no code"):
        campaign.run(BuildOptions((source,), "f", find=("unit.c:2",)), SearchOptions(budget=5))
