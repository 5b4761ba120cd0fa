"""C as tokens, with their places: enough to find the words of a dialect outside of comments, texts and directives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum

from msgspec import Struct

_TOKEN = re.compile(
    r"(?P<directive>(?m:^)[ \t]*#(?:\\\r?\n|/(?![*/])|[^\n/])*)"
    r"|(?P<silent>\n|[^\S\n]+|//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z))"
    r"|(?P<text>\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<number>\d[\w.]*)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_OPENING = {closing: opening for opening, closing in _CLOSING.items()}


class Kind(Enum):
    """What a token is; spaces and comments are none."""

    DIRECTIVE = "directive"
    TEXT = "text"
    NAME = "name"
    NUMBER = "number"
    OTHER = "other"


class Token(Struct, frozen=True):
    """A token and where it begins in the text."""

    kind: Kind
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends: the place behind its last character."""
        return self.start + len(self.text)


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a file, in their order."""
    for found in _TOKEN.finditer(text):
        if found.lastgroup and found.lastgroup != "silent":
            yield Token(Kind(found.lastgroup), found[0], found.start())


def closing(listed: Sequence[Token], opened: int) -> int:
    """The index of what closes the bracket at an index; the last index where nothing does."""
    depth, here = 0, listed[opened].text
    for index in range(opened, len(listed)):
        if listed[index].text == here:
            depth += 1
        elif listed[index].text == _CLOSING[here]:
            depth -= 1
            if not depth:
                return index
    return len(listed) - 1


def opening(listed: Sequence[Token], closed: int) -> int:
    """The index of what opens the bracket that is closed at an index; 0 where nothing does."""
    depth, here = 0, listed[closed].text
    for index in range(closed, -1, -1):
        if listed[index].text == here:
            depth += 1
        elif listed[index].text == _OPENING[here]:
            depth -= 1
            if not depth:
                return index
    return 0
