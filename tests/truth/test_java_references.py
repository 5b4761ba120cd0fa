"""Method references: what is thrown on the way to the method is told at the user's call, for they have no lines."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from java_sources import java_source

import veer

SOURCE = """\
import java.util.List;
import java.util.function.ToIntFunction;

public class Refs {
    record Item(int price) { int half() { return 100 / price; } }
    static int sum(List<Item> list) {
        return list.stream().mapToInt(Item::price).sum();
    }
    private static int applied(ToIntFunction<Item> with, Item item) {
        int found = with.applyAsInt(item);
        return found + 1;
    }
    static int direct(Item item) {
        return applied(Item::half, item);
    }
}
"""
pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return java_source(tmp_path_factory, "Refs", SOURCE)


def _line(text: str) -> int:
    return next(at for at, each in enumerate(SOURCE.splitlines(), 1) if text in each)


@pytest.mark.parametrize(
    ("entry", "lines"),
    [
        ("sum", {"list.stream()": "Refs.sum"}),
        ("direct", {"with.applyAsInt": "Refs.applied", "100 / price": "Refs.Item.half"}),
    ],
)
def test_a_null_is_told_at_the_call_of_the_users(source: Path, entry: str, lines: dict[str, str]) -> None:
    found = veer.test(source, f"Refs.{entry}", budget="20s", max_array="2")
    assert {(bug.line, bug.function) for bug in found.bugs} == {(_line(text), name) for text, name in lines.items()}
    assert {Path(bug.file).name for bug in found.bugs} == {"Refs.java"}
    assert {test.replayed for test in found.tests} == {"same"}
