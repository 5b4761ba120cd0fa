"""The text of a condition, cut from the source around the place that debug info gives for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from veer.instrument.debuglocation import Position

SourceText = Callable[[str], Sequence[str]]
"""File name → its lines without line ends; empty if it cannot be read."""

_LINES_AROUND = 6
_MAX_LENGTH = 160
_KEYWORD = re.compile(r"(?:if|while|for|switch|do|return|else)\b")
_LEFT_STOP = re.compile(r"(?:\b(?:return|case|else|do)\b|[;{},?]|&&|\|\||(?<![=!<>])=(?!=)|(?<!:):(?!:))\s*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_CALL = re.compile(r"\w+\s*\(")
_CONDITION_STOP, _DECISION_STOP = ";{},?:=&|", ";{},?:="
_CONDITION_MARKS = frozenset(("&&", "||", "?", ":", ","))
_DECISION_MARKS = frozenset(("?", ":", ","))
_POSTFIX = re.compile(r"[*&\s]*(?:\w|->|[.\s])*")
"""An operand that a negation applies to as a whole, brackets left out. `(?:\\w+)*` would backtrack for good."""
_MARK = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|&&|\|\||[()\[\]{};,?:]')


class ConditionText:
    """Cuts condition texts; keeps the lines of each file."""

    def __init__(self, source_text: SourceText) -> None:
        self._source_text = source_text
        self._files: dict[str, Sequence[str]] = {}

    def at(self, position: Position) -> str:
        """The smallest condition around the position, or "" if the source is not there."""
        text, at = self._around(position)
        return _tidy(_cut(text, at)) if at < len(text) else ""

    def word(self, position: Position) -> str:
        """The identifier that begins at the position; of an access to a member, its name."""
        text, at = self._around(position)
        found = _WORD.match(text, at)
        return found[0] if found is not None else ""

    def is_brace(self, position: Position) -> bool:
        """Whether a brace stands in the source at the position."""
        around, at = self._around(position)
        return around.startswith(("{", "}"), at)

    def is_operator(self, position: Position) -> bool:
        """Whether && or || stands in the source at the position."""
        around, at = self._around(position)
        return around.startswith(("&&", "||"), at)

    def whole(self, position: Position) -> str:
        """The whole boolean expression whose && or || is at the position; a macro's call if one stands there."""
        text, at = self._around(position)
        if at >= len(text):
            return ""
        if text.startswith(("&&", "||"), at):
            return _tidy(text[_left_end(text, at, _DECISION_STOP) : _right_end(text, at, _DECISION_MARKS)])
        call = _CALL.match(text, at)
        if call is None:
            return _tidy(_cut(text, at))
        return _tidy(text[at : _right_end(text, call.end(), frozenset()) + 1])

    def _around(self, position: Position) -> tuple[str, int]:
        """Some lines around a position, and its index among their characters; ("", 0) if the source is not there."""
        if position.file not in self._files:
            self._files[position.file] = self._source_text(position.file) if position.file else ()
        lines = self._files[position.file]
        if not 0 < position.line <= len(lines) or position.column <= 0:
            return "", 0
        first = max(position.line - 1 - _LINES_AROUND, 0)
        before = "\n".join([*lines[first : position.line - 1], ""])
        text = before + "\n".join(lines[position.line - 1 : position.line + _LINES_AROUND])
        return text, len(before) + position.column - 1


def operands(decision: str) -> tuple[str, ...]:
    """The conditions that && and || join in a decision's text, in order, brackets and negations around them gone."""
    found = []
    pending = [decision]
    while pending:
        text = _bare(pending.pop())
        ends = [(0, 0), *_operators(text), (len(text), len(text))]
        parts = [text[left[1] : right[0]] for left, right in pairwise(ends)]
        if len(parts) == 1:
            found.append(text)
        else:
            pending += reversed(parts)
    return tuple(found)


def _operators(text: str) -> list[tuple[int, int]]:
    """Where each && and || outside of brackets begins and ends."""
    depth, found = 0, []
    for match in _MARK.finditer(text):
        mark = match[0]
        depth += (mark in ("(", "[", "{")) - (mark in (")", "]", "}"))
        if depth == 0 and mark in ("&&", "||"):
            found.append(match.span())
    return found


def _bare(text: str) -> str:
    """Without brackets around the whole, and without the negation of what is in brackets and joins conditions."""
    text = text.strip()
    inner = text.lstrip("! \t\n")
    if not inner.startswith("(") or _right_end(inner, 1, frozenset()) != len(inner) - 1:
        return text
    return _bare(inner[1:-1]) if inner == text or _operators(_bare(inner[1:-1])) else text


def _cut(text: str, at: int) -> str:
    keyword = _KEYWORD.match(text, at)
    if keyword is not None:
        opening = text.find("(", keyword.end())
        if opening < 0:
            return ""
        end = _right_end(text, opening + 1, frozenset())
        if keyword[0] == "for" and text[end : end + 1] == ";":  # the second of three parts
            opening, end = end, _right_end(text, end + 1, frozenset())
        return text[opening + 1 : end]
    left = _left_end(text, at, _CONDITION_STOP)
    return _without_negation(text[left : _right_end(text, at, _CONDITION_MARKS)], at - left)


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


def _left_end(text: str, at: int, stops: str) -> int:
    """Behind the last thing left of `at` that cannot be part of it, brackets being balanced; `stops`: characters."""
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
        elif (depth == 0 and character in stops and _stops(text, index - 1)) or (
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


def _right_end(text: str, at: int, operators: frozenset[str]) -> int:
    """Where the condition ends: at a closing bracket that is not its own, or at one of `operators`."""
    depth = 0
    for match in _MARK.finditer(text, at):
        mark = match[0]
        if mark in ("(", "["):
            depth += 1
        elif mark in (")", "]"):
            if depth == 0:
                return match.start()
            depth -= 1
        elif depth == 0 and (mark in (";", "{", "}") or mark in operators):
            return match.start()
    return len(text)


def _tidy(text: str) -> str:
    text = " ".join(re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL).split())
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 3] + "..."
