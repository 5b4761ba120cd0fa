"""C as it is written (suite/protocol.py): what `veer.renderers` registers under `c`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from veer.model.describe import describe
from veer.model.inputs import InputMap
from veer.model.program import Program
from veer.model.result import Branch, Bug, Test
from veer.suite.c import plain
from veer.suite.c.changes import changes
from veer.suite.c.keeping import parted, with_kept
from veer.suite.protocol import Updated


class CRenderer(Struct, frozen=True):
    """The plain suite, and values as C constants."""

    def describe(self, program: Program, inputs: InputMap) -> dict[str, str]:
        """See Renderer."""
        return describe(program, inputs)

    def file_name(self, program: Program) -> str:
        """See Renderer."""
        return plain.file_name(program)

    def commands(self, program: Program) -> tuple[str, ...]:
        """See Renderer."""
        return plain.commands(program)

    def beside(self, program: Program) -> dict[str, bytes]:
        """See Renderer."""
        return plain.beside(program)

    def updated(self, before: str, after: str) -> Updated:
        """See Renderer."""
        plain_text, kept = parted(before)
        found = changes(plain_text, after)
        text, lost = with_kept(after, kept, found.names)
        moved = (f"{name}: it is gone; its kept lines stand at the head now" for name in lost)
        return Updated(text, (*found.sentences, *moved), found.others)

    def render(
        self, program: Program, tests: Sequence[Test], bugs: Sequence[Bug] = (), branches: Sequence[Branch] = ()
    ) -> str:
        """See Renderer."""
        return plain.render(program, tests, bugs, branches)


RENDERER = CRenderer()
