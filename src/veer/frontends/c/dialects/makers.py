"""Macros that declare registers: their calls are expanded before the words in them are looked at.

#define SFR(name, addr)   __sfr __at (addr) name
SFR(P0, 0x80);            __sfr __at (0x80) P0;
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from veer.frontends.c.dialects.rewriting import Edit, applied
from veer.frontends.c.dialects.tokens import Kind, Token, closing, tokens

_MAKER = re.compile(r"[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)]*)\)(.*)", re.DOTALL)
_DECLARES = re.compile(r"\b(__sfr|__sfr16|__sbit|__at|_at_|sfr|sfr16|sbit)\b|@")


class Maker(Struct, frozen=True):
    """A macro: its parameters and its body."""

    parameters: tuple[str, ...]
    body: str

    def call(self, arguments: list[str]) -> str:
        """What a call of it stands for, on one line."""
        given = dict(zip(self.parameters, arguments, strict=False))
        text = re.sub(r"\b[A-Za-z_]\w*\b", lambda word: given.get(word[0], word[0]), self.body)
        return re.sub(r"\s*##\s*", "", text)


def makers(text: str) -> dict[str, Maker]:
    """The macros of a file that declare registers, by name."""
    found: dict[str, Maker] = {}
    for token in tokens(text):
        made = _MAKER.match(token.text) if token.kind is Kind.DIRECTIVE else None
        if made and _DECLARES.search(made[3]):
            parameters = tuple(part.strip() for part in made[2].split(","))
            found[made[1]] = Maker(parameters, " ".join(made[3].replace("\\\n", " ").split()))
    return found


def expanded(text: str, known: Mapping[str, Maker]) -> str:
    """The text with the calls of these macros expanded."""
    if not known:
        return text
    listed, edits = list(tokens(text)), []
    for index, token in enumerate(listed[:-1]):
        maker = known.get(token.text)
        if maker is not None and token.kind is Kind.NAME and listed[index + 1].text == "(":
            end = closing(listed, index + 1)
            edits.append(Edit(token.start, listed[end].end, maker.call(_arguments(text, listed[index + 2 : end + 1]))))
    return applied(text, edits)


def _arguments(text: str, listed: list[Token]) -> list[str]:
    """The arguments of a call; its last token is what closes it."""
    found, begin, depth = [], listed[0].start, 0
    for token in listed:
        if depth == 0 and token.text in (",", ")"):
            found.append(text[begin : token.start].strip())
            begin = token.end
        depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
    return found
