"""Objects that are boxes of several types: each has every number of its own type."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from java_sources import java_source

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim
from veer.model.searchoptions import SearchOptions

UNIT = """\
public class Boxes {
    static int numbers(Object o) {
        if (o instanceof Byte) return (Byte) o == 5 ? 1 : 2;
        if (o instanceof Long) return (Long) o > 1L << 40 ? 3 : 4;
        if (o instanceof Double) return (Double) o > 0.5 ? 5 : (Double) o != 0 ? 6 : 7;
        if (o instanceof Character) return (Character) o == 'q' ? 8 : 9;
        return o instanceof Integer && (Integer) o == 70000 ? 10 : 11;
    }

    static int floats(Number n, Number m) {
        if (n instanceof Float && m instanceof Short) return n.intValue() == m.intValue() + 2 ? 1 : 2;
        if (n == null || m == null) return 3;
        return n.longValue() == 1L << 33 ? 4 : n.equals(m) ? 5 : 6;
    }

    static class Others {
        static int identities(Object a, Object b) {
            if (a == b) return a == null ? 1 : a instanceof Long ? 2 : 3;
            if (a instanceof Boolean && b instanceof Boolean) return a.equals(b) ? 99 : 4;
            return a instanceof Short && a.equals(b) ? 5 : 6;
        }

        static int narrow(Boolean[] a, Comparable<?> c) {
            if (c instanceof Boolean) return (Boolean) c == (a == null) ? 1 : 2;
            return c instanceof Short && (Short) c == -300 ? 3 : 4;
        }
    }
}
"""
CODES = {"numbers": 11, "floats": 6, "Others.identities": 6, "Others.narrow": 4}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return java_source(tmp_path_factory, "Boxes", UNIT)


@pytest.mark.parametrize("method", CODES)
def test_each_box_has_every_number_of_its_type(source: Path, method: str, tmp_path: Path) -> None:
    result = campaign.run(BuildOptions((source,), f"Boxes.{method}"), SearchOptions(criterion="path", budget=60))
    found = {int.from_bytes(test.returned[:4], "little") for test in result.tests if test.returned is not None}
    assert found == set(range(1, CODES[method] + 1))
    assert result.ending.claim is Claim.PATHS
    assert {test.replayed for test in result.tests} == {"same"}
    deliver(result, tmp_path / "out").checked()
    suite = next((tmp_path / "out" / "suite").glob("*.java"))
    command = ("javac", "-d", str(tmp_path / "classes"), "-sourcepath", str(source.parent), str(suite), str(source))
    subprocess.run(command, check=True, capture_output=True)
