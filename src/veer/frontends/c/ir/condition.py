"""The text of a condition, cut from the source around the place that debug info gives for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from veer.frontends.c.ir.debuglocation import Position

SourceText = Callable[[str], Sequence[str]]
"""File name → its lines without line ends; empty if it cannot be read."""

_LINES_AROUND = 6
_MAX_LENGTH = 160
_KEYWORD = re.compile(r"(?:if|while|for|switch|do|return|else)\b")
_LEFT_STOP = re.compile(r"(?:\b(?:return|case|else|do)\b|[;{},?]|&&|\|\||(?<![=!<>])=(?!=)|(?<!:):(?!:))\s*")
_POSTFIX = re.compile(r"[*&\s]*(?:\w+|->|\.|\s)*")
"""An operand that a negation applies to as a whole, brackets left out."""
_MARK = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|&&|\|\||[()\[\]{};,?:]')


class ConditionText:
    """Cuts condition texts; keeps the lines of each file."""

    def __init__(self, source_text: SourceText) -> None:
        self._source_text = source_text
        self._files: dict[str, Sequence[str]] = {}

    def at(self, position: Position) -> str:
        """The smallest condition around the position, or "" if the source is not there."""
        if position.file not in self._files:
            self._files[position.file] = self._source_text(position.file) if position.file else ()
        lines = self._files[position.file]
        if not 0 < position.line <= len(lines) or position.column <= 0:
            return ""
        first = max(position.line - 1 - _LINES_AROUND, 0)
        before = "\n".join([*lines[first : position.line - 1], ""])
        text = before + "\n".join(lines[position.line - 1 : position.line + _LINES_AROUND])
        at = len(before) + position.column - 1
        return _tidy(_cut(text, at)) if at < len(text) else ""


def _cut(text: str, at: int) -> str:
    keyword = _KEYWORD.match(text, at)
    if keyword is not None:
        opening = text.find("(", keyword.end())
        return text[opening + 1 : _right_end(text, opening + 1, stop_at_operators=False)] if opening >= 0 else ""
    left = _left_end(text, at)
    return _without_negation(text[left : _right_end(text, at, stop_at_operators=True)], at - left)


def _without_negation(condition: str, at: int) -> str:
    """`!p` as `p` when the place is that of `p`: the compiler branches on what is negated, with its sides exchanged."""
    operand = condition.lstrip("! \t\n")
    is_behind = 0 < len(condition) - len(operand) <= at
    return operand if is_behind and _POSTFIX.fullmatch(_unbracketed(operand)) else condition


def _unbracketed(text: str) -> str:
    """The text without what stands in brackets."""
    kept = []
    depth = 0
    for character in text:
        depth += character in "(["
        if depth == 0:
            kept.append(character)
        depth -= character in ")]"
    return "".join(kept)


def _left_end(text: str, at: int) -> int:
    """Behind the last thing left of `at` that cannot be part of the condition, brackets being balanced."""
    depth = 0
    index = at
    while index > 0:
        character = text[index - 1]
        if character in ")]":
            depth += 1
        elif character in "([":
            if depth == 0:
                return index
            depth -= 1
        elif (depth == 0 and character in ";{},?:=&|" and _stops(text, index - 1)) or (
            depth == 0 and character.isspace() and _LEFT_STOP.match(text, _word_start(text, index - 1))
        ):
            return index
        index -= 1
    return 0


def _stops(text: str, index: int) -> bool:
    character = text[index]
    if character in "&|":
        return text[index - 1 : index] == character
    if character == "=":
        return text[index - 1 : index] not in ("=", "!", "<", ">") and text[index + 1 : index + 2] != "="
    return True


def _word_start(text: str, end: int) -> int:
    start = end
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    return start if start < end else end


def _right_end(text: str, at: int, *, stop_at_operators: bool) -> int:
    """Where the condition ends: at a closing bracket that is not its own or, on request, where a weaker operator is."""
    depth = 0
    for match in _MARK.finditer(text, at):
        mark = match[0]
        if mark in ("(", "["):
            depth += 1
        elif mark in (")", "]"):
            if depth == 0:
                return match.start()
            depth -= 1
        elif depth == 0 and (mark in (";", "{", "}") or (stop_at_operators and mark in ("&&", "||", "?", ":", ","))):
            return match.start()
    return len(text)


def _tidy(text: str) -> str:
    text = " ".join(re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL).split())
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 3] + "..."
