"""Structures with an invariant (LCT 3.4): `--pre repOK` leaves the valid ones, each with each place for a new key.

A search tree of n nodes has 2 n + 1 outcomes of an insertion: a key that is there, or one of the gaps around them.
"""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from sampling import sampled

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions

SORTED = """\
package units;

public class Sorted {
    static class Node {
        int key;
        Node next;
        Node(int key, Node next) { this.key = key; this.next = next; }
    }

    private Node first;
    private int size;

    public Sorted() {}

    boolean repOK() {
        int count = 0;
        for (Node at = first; at != null; at = at.next) {
            if (at.next != null && at.next.key <= at.key) return false;
            count++;
        }
        return count == size;
    }

    public boolean insert(int key) {
        Node before = null, at = first;
        while (at != null && at.key < key) { before = at; at = at.next; }
        if (at != null && at.key == key) return false;
        Node made = new Node(key, at);
        if (before == null) first = made; else before.next = made;
        size++;
        assert repOK();
        return true;
    }
}
"""
TREE = """\
package units;

public class Tree {
    private static class Node {
        int key;
        Node left, right;
        Node(int key) { this.key = key; }
    }

    private Node root;

    boolean repOK() { return isOrdered(root, null, null); }

    private static boolean isOrdered(Node at, Node least, Node most) {
        if (at == null) return true;
        if (least != null && at.key <= least.key) return false;
        if (most != null && at.key >= most.key) return false;
        return isOrdered(at.left, least, at) && isOrdered(at.right, at, most);
    }

    public boolean insert(int key) {
        Node above = null, at = root;
        while (at != null) {
            if (key == at.key) return false;
            above = at;
            at = key < at.key ? at.left : at.right;
        }
        Node made = new Node(key);
        if (above == null) root = made;
        else if (key < above.key) above.left = made;
        else above.right = made;
        assert repOK();
        return true;
    }
}
"""
AVL = """\
package units;

public class Avl {
    private static class Node {
        int key, height;
        Node left, right;
        Node(int key) { this.key = key; height = 1; }
    }

    private Node root;

    boolean repOK() { return height(root, null, null) >= 0; }

    private static int height(Node at, Node least, Node most) {
        if (at == null) return 0;
        if (least != null && at.key <= least.key || most != null && at.key >= most.key) return -1;
        int left = height(at.left, least, at);
        if (left < 0) return -1;
        int right = height(at.right, at, most);
        if (right < 0 || left - right > 1 || right - left > 1) return -1;
        int all = 1 + Math.max(left, right);
        return at.height == all ? all : -1;
    }

    private static int of(Node at) { return at == null ? 0 : at.height; }

    private static Node fixed(Node at) {
        int balance = of(at.left) - of(at.right);
        if (balance > 1) {
            if (of(at.left.left) < of(at.left.right)) at.left = toLeft(at.left);
            return toRight(at);
        }
        if (balance < -1) {
            if (of(at.right.right) < of(at.right.left)) at.right = toRight(at.right);
            return toLeft(at);
        }
        measure(at);
        return at;
    }

    private static void measure(Node at) { at.height = 1 + Math.max(of(at.left), of(at.right)); }

    private static Node toRight(Node at) {
        Node up = at.left;
        at.left = up.right;
        up.right = at;
        measure(at);
        measure(up);
        return up;
    }

    private static Node toLeft(Node at) {
        Node up = at.right;
        at.right = up.left;
        up.left = at;
        measure(at);
        measure(up);
        return up;
    }

    private static Node put(Node at, int key) {
        if (at == null) return new Node(key);
        if (key < at.key) at.left = put(at.left, key);
        else if (key > at.key) at.right = put(at.right, key);
        return fixed(at);
    }

    public void insert(int key) {
        root = put(root, key);
        assert repOK();
    }
}
"""


@cache
def trees(height: int) -> dict[int, int]:
    """How many shapes of at most that height have so many nodes."""
    found = {0: 1}
    if height:
        below = trees(height - 1)
        for left, ways in below.items():
            for right, others in below.items():
                found[1 + left + right] = found.get(1 + left + right, 0) + ways * others
    return found


@cache
def balanced(height: int) -> dict[int, int]:
    """The same of trees of exactly that height whose subtrees differ in height by 1 at most."""
    if height < 2:
        return {height: 1}
    found: dict[int, int] = {}
    for one, other in ((1, 1), (1, 2), (2, 1)):
        for left, ways in balanced(height - one).items():
            for right, others in balanced(height - other).items():
                found[1 + left + right] = found.get(1 + left + right, 0) + ways * others
    return found


def _places(shapes: dict[int, int]) -> int:
    return sum(ways * (2 * nodes + 1) for nodes, ways in shapes.items())


CASES = {
    "Sorted": (SORTED, 4, sum(2 * nodes + 1 for nodes in range(4))),
    "Tree": (TREE, 4, _places(trees(3))),
    "Avl": (AVL, 4, sum(_places(balanced(height)) for height in range(4))),
}


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize("name", sampled(tuple(CASES), lambda each: each == "Sorted"))
def test_each_valid_structure_gets_a_key_at_each_place(name: str, tmp_path: Path) -> None:
    text, depth, paths = CASES[name]
    source = tmp_path / "units" / f"{name}.java"
    source.parent.mkdir()
    source.write_text(text)
    result = campaign.run(
        BuildOptions((source,), f"{name}.insert", preconditions=(f"{name}.repOK",), graph_depth=depth),
        SearchOptions(criterion="path", budget=120.0),
    )
    deliver(result, tmp_path / "out").checked()
    assert result.ending.claim == "paths", result.ending
    assert not result.bugs
    assert {test.replayed for test in result.tests} == {"same"}
    returned = [test for test in result.tests if test.outcome is Outcome.RETURNED]
    assert len(returned) == paths
    classes, suite = tmp_path / "classes", tmp_path / "out" / "suite" / f"{name}_insertTest.java"
    flags = ("-J-Xshare:auto", "-nowarn", "-d", str(classes), "-sourcepath", str(tmp_path))
    subprocess.run(["javac", *flags, str(suite)], check=True, capture_output=True)
    command = ("java", "-Xshare:auto", "-ea", "-cp", str(classes), f"units.{name}_insertTest")
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert [line.split()[0] for line in said] == ["ok"] * paths
