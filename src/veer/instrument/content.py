"""What a function is, as a digest that says when it is another one: its code without debug info, types, global data.

Summaries that are kept on disk go by it (compositional/stored.py).
"""

from __future__ import annotations

import re

from veer.instrument.lexer import bare
from veer.instrument.module import Block, Function, Module
from veer.model.program import Content
from veer.toolchain.cache import digest

_GLOBAL_NAME = re.compile(r'@(?:"[^"]*"|[\w.$-]+)')
_BLOCK_ADDRESS = re.compile(r"blockaddress\([^)]*\)")
_NUMBERED = re.compile(r" #\d+|, !\S+ !\d+")  # attribute groups and metadata, whose numbers are the module's


def content_of(
    module: Module, function: Function, blocks: tuple[Block, ...], calls: tuple[str, ...], units: str
) -> Content:
    """The content of a defined function, that of the functions that it calls left out. `units`: what has boundaries."""
    name, line = bare(function.name), module.locations.function(function.subprogram).line
    instructions = [instruction for block in blocks for instruction in block.instructions]
    if any(each.call is not None and not each.call.callee.startswith("@") for each in instructions):
        return Content(name, line, "", calls)
    lines = [f"{block.label}: {instruction.text}" for block in blocks for instruction in block.instructions]
    names = dict.fromkeys(
        each
        for instruction in instructions
        for each in named(instruction.text, instruction.call.callee if instruction.call is not None else "")
    )
    data = {bare(variable.name): variable.text for variable in module.variables}
    lines += [data[name] for name in names if name in data]
    head = f"{function.returns} {', '.join(map(str, function.parameters))}"
    text = _NUMBERED.sub("", "\n".join([units, head, *lines, *module.types]))
    return Content(name, line, digest(text), calls, tuple(names))


def named(text: str, callee: str) -> list[str]:
    """The global names in a line of IR, but for a direct call's callee, and functions of which a label is named."""
    names = [bare(name) for name in _GLOBAL_NAME.findall(_BLOCK_ADDRESS.sub("", text))]
    if callee.startswith("@") and bare(callee) in names:
        names.remove(bare(callee))
    return names
