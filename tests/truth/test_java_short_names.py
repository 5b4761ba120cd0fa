"""Classes whose names are letters of primitive types, or several such letters, in the package without a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from java_sources import java_source

from veer.campaign import run as campaign
from veer.frontends.java.language import JAVA
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

UNIT = """\
class B { byte n; I[] all; }

class C extends B { char c; }

enum I { ONE, TWO }

class SI { short s; int i; }

interface V { int got(B b); }

public class Z {
    static int objects(B b, int n) {
        if (b == null) return 1;
        if (b instanceof C) return ((C) b).c == 'x' ? 2 : 3;
        if (b.n == n) return 4;
        I[] all = b.all;
        if (all == null || all.length == 0) return 5;
        return all[0] == I.TWO ? 6 : 7;
    }

    static int anything(Object o) {
        if (o instanceof C) return 1;
        if (o instanceof SI) return ((SI) o).s > 5 ? 2 : ((SI) o).i == 7 ? 3 : 4;
        return o instanceof I ? 5 : o == null ? 6 : o instanceof Integer ? 7 : 8;
    }

    static int classes(B b, byte[] c) {
        Object o = b != null ? b : c;
        Class<?> found = o.getClass();
        return found == B.class ? 1 : found == C.class ? 2 : 3;
    }

    static int function(V v, SI si) {
        int found = v.got(null);
        return found == 3 ? 1 : si.i == found ? 2 : 3;
    }
}
"""
CODES = {"objects": range(1, 8), "anything": (1, 2, 3, 4, 6, 7, 8), "classes": range(1, 4), "function": range(1, 4)}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return java_source(tmp_path_factory, "Z", UNIT)


def _returned(result: Result) -> set[int]:
    return {int.from_bytes(test.returned[:4], "little") for test in result.tests if test.returned is not None}


@pytest.mark.parametrize("method", CODES)
def test_such_classes_are_classes(source: Path, method: str) -> None:
    result = campaign.run(BuildOptions((source,), f"Z.{method}"), SearchOptions(criterion="path", budget=60))
    assert _returned(result) >= set(CODES[method])
    assert result.ending.claim is Claim.PATHS
    assert {test.replayed for test in result.tests} == {"same"}


def test_such_classes_are_listed_as_what_they_are(source: Path) -> None:
    listed = {each.name: each for each in JAVA.entries(BuildOptions((source,), ""))}
    assert [each.made for each in listed["Z.objects"].inputs] == ["B (null, or B or C)", "int"]
