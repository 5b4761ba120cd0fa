"""The partition of a search block by block, in words: blocks, why they are not smaller, what it spared."""

from __future__ import annotations

from collections import Counter

from veer.model.partition import InputBlock, Merge, Partitioning
from veer.report.words import number, place

_MOST_DIGITS = 7
_MOST_NAMES = 6


def partition_sentence(found: Partitioning) -> str:
    """How many blocks of which sizes; paths against the plain product; a verdict on a partition that was given."""
    sizes = Counter(len(block.inputs) for block in found.blocks)
    of = ", ".join(f"{count} of {size}" for size, count in sorted(sizes.items()))
    text = f"{number(len(found.blocks), 'block')} of inputs ({of})" if found.blocks else "no inputs"
    if found.shared:
        text += f", {names(found.shared)} in each of them"
    paths = found.other_paths + sum(block.paths for block in found.blocks)
    text += f"; {number(paths, 'path')}, all together up to {product(found.product)}"
    if found.is_checked:
        told = f"they interfere {number(len(found.merges), 'time')}" if found.merges else "they do not interfere"
        text = f"{told}; {text}"
    return text


def product(paths: int) -> str:
    """A number of paths, as a power of ten when it is long."""
    digits = str(paths)
    return f"{paths:,}" if len(digits) <= _MOST_DIGITS else f"{digits[0]}.{digits[1]} * 10^{len(digits) - 1}"


def names(inputs: tuple[str, ...], most: int = _MOST_NAMES) -> str:
    """Some names, and how many more there are."""
    shown = ", ".join(inputs[:most])
    return f"{shown} and {len(inputs) - most} more" if len(inputs) > most else shown


def block_sentence(block: InputBlock) -> str:
    """A block with its paths."""
    return f"{names(block.inputs)}: {number(block.paths, 'path')}"


def merge_sentence(merge: Merge) -> str:
    """The witness of a merge."""
    where = f" ({place(merge.file, merge.line)})" if merge.file else ""
    asked = f" `{merge.text}`" if merge.text else ""
    variable = f" in {merge.variable}" if merge.variable else ""
    return f"{names(merge.left)} with {names(merge.right)}: {merge.how}{variable}{asked}{where}"
