"""What the parts of the rewriting of one function share."""

from __future__ import annotations

from dataclasses import dataclass

from veer.frontends.c.ir.calls import Callees
from veer.frontends.c.ir.decisions import EdgeMarks
from veer.frontends.c.ir.flow import Step
from veer.frontends.c.ir.frame import FrameLayout
from veer.frontends.c.ir.module import Block, Function
from veer.frontends.c.ir.sites import FunctionSites
from veer.frontends.c.ir.typelayout import Layout


@dataclass(frozen=True, slots=True)
class FunctionFacts:
    """A function as it was, and what was found out about it."""

    layout: Layout
    function: Function
    blocks: tuple[Block, ...]
    steps: list[Step]
    sites: FunctionSites
    callees: Callees
    marks: EdgeMarks
    frame: FrameLayout
    has_list: bool  # there is a va_start
    has_mark: bool  # %veer.mark is the stack of locals as it was
    returns_symbolic: bool
