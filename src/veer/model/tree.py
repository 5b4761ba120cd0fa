"""The upper part of an execution tree, as a campaign left it: what a report shows to unfold."""

from __future__ import annotations

from msgspec import Struct


class TreeNode(Struct, frozen=True):
    """One side of a decision; `parent` is an index into the same tuple, -1 for the root, which comes first.

    `kind` and `state` are wire.Kind's and wire.State's names in lower case; `text` is the condition (or the pointer
    that is chosen), `side` which it is, in words. `below` counts the nodes under it in the whole tree, with those
    that this tuple leaves out; `outcome` is that of a path that ends here, else empty.
    """

    parent: int
    kind: str
    state: str
    text: str
    side: str
    file: str = ""
    line: int = 0
    below: int = 0
    outcome: str = ""
