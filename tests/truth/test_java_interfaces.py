"""Interfaces without a class: the results of their methods are inputs, in lowered code, on the JVM and in suites."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from pathlib import Path

import pytest
from java_sources import java_source

import veer
from veer.model.ending import Claim
from veer.model.result import Result

SOURCE = """\
import java.util.List;
import java.util.function.Supplier;

public class Asks {
    interface Counted { byte count(); }
    interface Source extends Counted { boolean isOpen(); String name(int at); void seen(String name); Integer limit(); }
    interface Visitor<R> { R number(int n); <T> T other(List<T> all, T one); long size(); }
    interface Sized extends Supplier<String> { int size(); }
    interface Store { Item find(String key); boolean remove(Item item); }
    interface Rated { Integer rate(int a); }
    static final class Item { int n; }
    static int read(Source source) {
        if (source == null) return -1;
        if (!source.isOpen()) return 0;
        int n = source.count();
        source.seen("x");
        if (n < 0) return 1;
        return source.count() == n ? 2 : "a".equals(source.name(n)) ? 3 : 4;
    }
    static int visit(Visitor<String> visitor) {
        Object found = visitor.number(3);
        if (found == null) return 1;
        return visitor.size() > 9 ? 2 : 3;
    }
    static int sized(Sized sized) { return sized.size() > 2 ? 1 : 2; }
    static int stored(Store store) {
        Item item = store.find("k");
        return item == null ? store.remove(null) ? 1 : 2 : item.n > 2 ? 3 : 4;
    }
    static int supplied(Supplier<Item> supplier) { return supplier.get() == null ? 1 : 2; }
    static int rated(Rated rated) { Integer found = rated.rate(2); return found == null ? 1 : found > 6 ? 2 : 3; }
    static int limited(Source source) { Integer found = source.limit(); return found == null ? 1 : found == 6 ? 2 : 3; }
}
"""
pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return java_source(tmp_path_factory, "Asks", SOURCE)


def _run(source: Path, tmp_path: Path, entry: str) -> Result:
    """The tests of an entry, all of which the JVM and the suite confirm."""
    found = veer.test(source, f"Asks.{entry}", budget="30s", max_length="2", max_array="2", out=tmp_path / "out")
    assert {test.replayed for test in found.tests} == {"same"}
    (written,) = (tmp_path / "out" / "suite").glob("*.java")
    command = ["javac", "-nowarn", "-d", "classes", "-sourcepath", f"{source.parent}:.", written.name]
    subprocess.run(command, cwd=written.parent, check=True, capture_output=True)
    subprocess.run(["java", "-ea", "-cp", "classes", written.stem], cwd=written.parent, check=True, capture_output=True)
    return found


def _results(found: Result) -> set[int]:
    return {int.from_bytes(test.returned[:4], "little", signed=True) for test in found.tests if test.returned}


def test_each_call_of_an_interface_gives_an_input(source: Path, tmp_path: Path) -> None:
    expected = {-1}
    for is_open, one, other, name in itertools.product((False, True), (-1, 0, 1), (-1, 0, 1), ("a", "b")):
        expected.add(0 if not is_open else 1 if one < 0 else 2 if one == other else 3 if name == "a" else 4)
    found = _run(source, tmp_path, "read")
    assert _results(found) == expected
    assert found.ending.claim is Claim.PATHS


def test_a_generic_interface_with_a_generic_method(source: Path, tmp_path: Path) -> None:
    assert _results(_run(source, tmp_path, "visit")) >= {2, 3}


@pytest.mark.parametrize(
    ("entry", "method", "expected"), [("stored", "Asks.Store.find", {1, 2}), ("supplied", "Supplier.get", {1})]
)
def test_what_veer_does_not_make_is_null_and_the_claim_says_so(
    source: Path, tmp_path: Path, entry: str, method: str, expected: set[int]
) -> None:
    found = _run(source, tmp_path, entry)
    assert _results(found) == expected
    assert f"{method} gives null" in found.ending.within


@pytest.mark.parametrize("entry", ["rated", "limited"])
def test_a_result_of_a_box(source: Path, tmp_path: Path, entry: str) -> None:
    assert _results(_run(source, tmp_path, entry)) >= {1, 2, 3}


def test_methods_that_a_class_in_a_test_cannot_have(source: Path, tmp_path: Path) -> None:
    with pytest.raises(veer.VeerError, match=r"knows no class that fits|makes no values"):
        _run(source, tmp_path, "sized")
