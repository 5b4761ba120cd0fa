"""What the parts of the rewriting of one function share."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from veer.instrument.calls import Callees
from veer.instrument.decisions import EdgeMarks
from veer.instrument.frame import FrameLayout
from veer.instrument.module import Block, Function
from veer.instrument.placement import Asks
from veer.instrument.sites import FunctionSites
from veer.instrument.taint import Step
from veer.instrument.typelayout import Layout


class FunctionFacts(Struct, frozen=True):
    """A function as it was, and what was found out about it."""

    layout: Layout
    function: Function
    blocks: tuple[Block, ...]
    steps: list[Step]
    sites: FunctionSites
    callees: Callees
    marks: EdgeMarks
    frame: FrameLayout
    asks: Mapping[int, Asks]  # by the numbers of steps: those that may ask how objects lie in memory
    has_list: bool  # there is a va_start
    has_mark: bool  # %veer.mark is the stack of locals as it was
    returns_symbolic: bool
