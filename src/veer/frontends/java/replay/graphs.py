"""What a call left behind: the graph of a run beside that of the JVM (VeerGraph.java).

Both number what the call made in the order in which they find it, which may differ where one of them does not look into
an object (?): so the graphs are walked side by side.
"""

from __future__ import annotations

from veer.model.objectgraph import OBJECT, RESULT, ObjectGraph

_ROOTS = {RESULT: "what it returns", OBJECT: "the object that it is called on"}
_REFERENCES = ("@", "#")


def difference(recorded: ObjectGraph, seen: ObjectGraph) -> str:
    """Where the graphs differ, or empty. What only one of them looks into is the same."""
    waiting = [(text, recorded.roots.get(key, "null"), seen.roots.get(key, "null")) for key, text in _ROOTS.items()]
    waiting += [(f"object_{key[1:]}", key, key) for key in recorded.objects if key.startswith("@")]
    pairs, done = dict[str, str](), set[str]()
    while waiting:
        place, one, other = waiting.pop()
        if "?" in (one, other) or _is_unread(one, recorded):
            continue
        is_same = one == other if not one.startswith("#") else other.startswith("#")
        if not is_same:
            return f"{place} is {other}, recorded: {one}"
        if not one.startswith(_REFERENCES):
            continue
        if pairs.setdefault(one, other) != other:
            return f"{place} is another object than recorded"
        left, right = recorded.objects.get(one), seen.objects.get(other)
        if left is None or right is None or one in done:
            continue
        done.add(one)
        if left.name != right.name or [name for name, _ in left.parts] != [name for name, _ in right.parts]:
            return f"{place} is of {right.name} with {len(right.parts)} parts, recorded: {left.name}, {len(left.parts)}"
        waiting += [(f"{name} of {place}", value, right.parts[at][1]) for at, (name, value) in enumerate(left.parts)]
    return ""


def _is_unread(reference: str, graph: ObjectGraph) -> bool:
    """Whether it is an input object that no run looked into: nobody knows of which class it is."""
    return reference.startswith("@") and reference not in graph.objects
