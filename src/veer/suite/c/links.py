"""What a link of a memory graph is, where a reader would have to follow all of them to see it: a comment in a test.

head->next = node_2;
node_2->next = node_3;
node_3->next = head; /* a cycle */
node_3->other = node_3; /* itself */
head->other = node_3; /* shared */
"""

from __future__ import annotations

from veer.model.inputs import InputMap, Pointer


class Links:
    """Tells the links of one input apart, in the order in which they are written."""

    def __init__(self, inputs: InputMap) -> None:
        self._behind = {
            item.number: {
                cell.value.target for cell in item.cells if isinstance(cell.value, Pointer) and cell.value.target
            }
            for item in inputs.objects
        }
        roots = (cell.value for root in inputs.roots for cell in root.cells)
        self._met = {value.target for value in roots if isinstance(value, Pointer)}

    def note(self, owner: int, link: Pointer) -> str:
        """The comment on a link from an object (0: a variable) to another one; empty where it is the first to it, and
        where it is counted from another link."""
        target = link.target
        if target is None or link.into is not None:
            return ""
        if owner == target:
            return " /* itself */"
        is_first = target not in self._met
        self._met.add(target)
        if is_first:
            return ""
        return " /* a cycle */" if owner in self._reached(target) else " /* shared */"

    def _reached(self, start: int) -> set[int]:
        """The objects that lie behind this one."""
        found: set[int] = set()
        waiting = [start]
        while waiting:
            new = self._behind.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found
