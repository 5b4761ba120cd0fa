"""What a search block by block found of the inputs: values for summary.json and the reports (FlowTest)."""

from __future__ import annotations

from msgspec import Struct


class InputBlock(Struct, frozen=True):
    """Inputs that interfere with each other and, as far as any run showed, with no others; `paths` changed them."""

    inputs: tuple[str, ...]
    paths: int


class Merge(Struct, frozen=True):
    """The witness of a merge: the flows `left` and `right` met, `how` in words, in `variable` ("" = it has no name)."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    how: str
    variable: str = ""
    file: str = ""
    line: int = 0
    text: str = ""


class Partitioning(Struct, frozen=True):
    """`shared`: inputs that were searched with every block; `other_paths` changed nothing but these.

    `product`: the paths that the plain search may have: all combinations of what each block has. `reruns`: runs for the
    flow map alone. `is_checked`: the blocks were given, and `merges` are where they interfere.
    """

    blocks: tuple[InputBlock, ...]
    shared: tuple[str, ...]
    merges: tuple[Merge, ...]
    other_paths: int = 1
    product: int = 1
    reruns: int = 0
    is_checked: bool = False
