"""The text of a module, function by function."""

from __future__ import annotations

import re
from collections.abc import Iterator


def definitions(lines: list[str], define: re.Pattern[str]) -> Iterator[tuple[re.Match[str] | None, list[str]]]:
    """The lines in their order: whole functions, each with what `define` says of its first line, others one by one."""
    position = 0
    while position < len(lines):
        matched = define.match(lines[position])
        end = position
        if matched is not None:
            while lines[end] != "}":
                end += 1
        yield matched, lines[position : end + 1]
        position = end + 1
