"""A container's methods take a T of its own: they are tested on containers that calls before filled.

Which object a claim speaks of is said: what an Object stands for, how it is made, and that it is not the container.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import veer
from veer.model.result import BranchState, Result

UNIT = """\
import java.util.HashMap;
import java.util.Map;

public class Shelf<K, V> {
    static class Box<V> {
        V value;
        Box(V value) { this.value = value; }
    }

    private final Map<K, Box<V>> boxes = new HashMap<>();
    private final int most;

    public Shelf(int most) {
        if (most <= 0) { throw new IllegalArgumentException("room for none"); }
        this.most = most;
    }

    public void put(K key, V value) {
        if (boxes.size() < most) { boxes.put(key, new Box<>(value)); }
    }

    public int look(K key) {
        Box<V> box = boxes.get(key);
        if (box == null) { return 0; }
        return box.value == null ? 1 : 2;
    }
}
"""
MEETING = """public class Room {
    private final int size;
    public Room(int size) { this.size = size * 2; }
    public int meets(Object other) {
        if (other == this) { return 0; }
        return other instanceof Room ? 1 : 2;
    }
}
"""


def _tested(text: str, entry: str, tmp_path: Path) -> Result:
    source = tmp_path / f"{entry.partition('.')[0]}.java"
    source.write_text(text)
    return veer.test(source, entry, budget="5s", out=tmp_path / "out")


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
def test_a_container_is_filled_before_it_is_asked(tmp_path: Path) -> None:
    """`key` is no Shelf and no Box, although its class casts what its map gives to one."""
    found = _tested(UNIT, "Shelf.look", tmp_path)
    assert _open(found) <= {"most <= 0", "size() < most"}
    assert "Object as Integer" in found.ending.within


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
def test_a_container_that_is_compared_with_what_it_gets_may_get_itself(tmp_path: Path) -> None:
    found = _tested(MEETING, "Room.meets", tmp_path)
    assert not _open(found)
    assert "objects as new Room(int) makes them" in found.ending.within


def _open(found: Result) -> set[str]:
    """The conditions of which a side is not covered."""
    return {each.text for each in found.branches if each.state is not BranchState.COVERED}
