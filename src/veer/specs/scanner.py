"""The words of a specification, with their places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto

from msgspec import Struct

from veer.model.errors import UsageError
from veer.specs.language import Place

KEYWORDS = frozenset(
    (
        *("implies", "or", "and", "not", "previously", "weakly", "once", "historically", "since"),
        *("call", "return", "where"),
    )
)
"""Words that mean something in a specification; a program's own names are none of them."""
_MEMBERS = ("->", ".")
"""What stands before a member of a struct, whose name may be any word."""
_TOKEN = re.compile(
    r"(?P<blank>\s+)|(?P<name>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<mark>->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:.,;(){}\[\]=@])"
)


class Word(Enum):
    """Kinds of words."""

    NAME = auto()
    KEYWORD = auto()
    NUMBER = auto()
    TEXT = auto()
    MARK = auto()
    END = auto()


class Token(Struct, frozen=True):
    """A word: `begin` and `end` are its places in the text that was scanned."""

    word: Word
    text: str
    place: Place
    begin: int
    end: int


class Text(Struct, frozen=True):
    """A piece of a file: what it says, and where each of its lines begins there (line, column)."""

    file: str
    text: str
    starts: tuple[tuple[int, int], ...]

    def place(self, position: int) -> Place:
        """Where a character stands in the file."""
        before = self.text[:position]
        line, column = self.starts[before.count("\n")]
        return Place(self.file, line, column + position - (before.rfind("\n") + 1))


def error(place: Place, what: str) -> UsageError:
    """The sentence that points into the specification."""
    return UsageError(f"{place}: {what}")


def scan(piece: Text) -> tuple[Token, ...]:
    """All words, and the end. Raises UsageError for a character that begins none."""
    found: list[Token] = []
    position = 0
    while position < len(piece.text):
        matched = _TOKEN.match(piece.text, position)
        if matched is None:
            character = piece.text[position]
            raise error(piece.place(position), f"{character!r} begins no word of a specification: leave it out")
        if matched.lastgroup != "blank":
            found.append(_token(piece, matched, is_member=bool(found) and found[-1].text in _MEMBERS))
        position = matched.end()
    end = len(piece.text.rstrip())
    return (*found, Token(Word.END, "", piece.place(end), end, end))


def _token(piece: Text, matched: re.Match[str], *, is_member: bool) -> Token:
    text = matched[0]
    word = {"name": Word.NAME, "number": Word.NUMBER, "text": Word.TEXT, "mark": Word.MARK}[str(matched.lastgroup)]
    if text in KEYWORDS and not is_member:
        word = Word.KEYWORD
    return Token(word, text, piece.place(matched.start()), matched.start(), matched.end())


def shown(token: Token) -> str:
    """A word as sentences name it."""
    return "the end" if token.word is Word.END else f"`{token.text}`"


def identifiers(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The names in an expression, each once; those of members are none."""
    before = [None, *tokens]
    names = (
        token.text
        for last, token in zip(before, tokens, strict=False)
        if token.word is Word.NAME and (last is None or last.text not in _MEMBERS)
    )
    return tuple(dict.fromkeys(names))
