"""Contracts in comments at a function: `/* veer: nonnull(p) range(pct, 0..100) */` before it, or in its head.

What stands before a declaration in one of the user's headers counts as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from msgspec import Struct

MARK = "veer:"
_COMMENT = re.compile(r"/\*\s*veer:(.*?)\*/|//\s*veer:([^\n]*)", re.DOTALL)
_HIDDEN = re.compile(
    r"/\*.*?\*/|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*"
    r"|extern\s+\"C\"\s*\{",
    re.DOTALL | re.MULTILINE,
)
_CALLED = re.compile(r"\b([A-Za-z_]\w*)\s*\(")


class Comment(Struct, frozen=True):
    """A contract in a comment: the function that it is at, its terms, FILE:LINE."""

    function: str
    terms: str
    place: str


def comments(file: Path, text: str, names: Collection[str]) -> Iterator[Comment]:
    """The contracts that a file's comments give to these functions."""
    if MARK not in text:
        return
    code = _HIDDEN.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for matched in _COMMENT.finditer(text):
        function = _function_at(code, matched, names)
        if function:
            terms = re.sub(r"^\s*\*", " ", matched[1] or matched[2] or "", flags=re.MULTILINE)
            yield Comment(function, terms, f"{file.name}:{text.count(chr(10), 0, matched.start()) + 1}")


def _function_at(code: str, comment: re.Match[str], names: Collection[str]) -> str:
    """The function whose head a comment stands before or in."""
    before = code[: comment.start()]
    head = re.split(r"[;}]", before)[-1]
    is_within = head.strip() != ""
    if not is_within:
        head = re.split(r"[;{]", code[comment.end() :], maxsplit=1)[0]
    return next((match[1] for match in _CALLED.finditer(head) if match[1] in names), "")
