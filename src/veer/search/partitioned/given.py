"""A partition that the user gives: a line for each block, with the names of its inputs.

    # comments, empty lines
    A[0] count[0]
    header.type, header.length        commas or blanks
    rest                              all of it: rest[0], rest.x, rest->next, ...

What no line names is a block of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

Blocks = tuple[tuple[str, ...], ...]


def parse(text: str) -> Blocks:
    """The names of each line."""
    lines = (line.partition("#")[0].replace(",", " ").split() for line in text.splitlines())
    return tuple(tuple(line) for line in lines if line)


def covers(name: str, leaf: str) -> bool:
    """Whether the name is that of the leaf, or of what it is a part of."""
    return leaf == name or (leaf.startswith(name) and leaf[len(name)] in ".[-")


def block_of(blocks: Sequence[Sequence[str]], leaf: str) -> int:
    """The number of the block that names the leaf, -1 if none does."""
    return next((number for number, names in enumerate(blocks) if any(covers(name, leaf) for name in names)), -1)
