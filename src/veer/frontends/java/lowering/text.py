"""The text of one function of LLVM IR while it is written."""

from __future__ import annotations


class FunctionText:
    """Lines, fresh names, and the place in the source that the next instructions come from."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.where = ""  # ", !dbg !12"
        self._names = 0

    def add(self, text: str) -> None:
        """An instruction without a result."""
        self.lines.append(f"  {text}{self.where}")

    def value(self, text: str) -> str:
        """An instruction with a result, whose name is given."""
        name = f"%v{self.number()}"
        self.add(f"{name} = {text}")
        return name

    def choose(self, condition: str, type_: str, one: str, other: str) -> str:
        """condition ? one : other, as a value: no branch of anybody's."""
        name = f"%v{self.number()}"
        self.lines.append(
            f"  {name} = select i1 {condition}, {type_} {one}, {type_} {other}{self.where}, !nosanitize !0"
        )
        return name

    def label(self) -> str:
        """A fresh label."""
        return f"x{self.number()}"

    def start(self, label: str) -> None:
        """Begins a block."""
        self.lines.append(f"{label}:")

    def number(self) -> int:
        """A fresh number."""
        self._names += 1
        return self._names
