"""What the bodies of natives ask the module for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from veer.frontends.java.lowering.layout import Layouts


class Tables(Protocol):
    """What bodies ask the module for."""

    @property
    def layouts(self) -> Layouts: ...

    def text(self, words: str) -> str:
        """A constant with this text."""
        ...

    def table(self, role: str, type_: str, rows: Sequence[str]) -> str:
        """A table of values."""
        ...

    def elements(self) -> str:
        """See ModuleNames."""
        ...

    def class_object(self, name: str) -> str:
        """See ModuleNames."""
        ...
