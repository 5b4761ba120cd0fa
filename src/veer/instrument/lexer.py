"""Scanning of LLVM IR text as LLVM itself prints it: brackets, types, comma-separated lists, names."""

from __future__ import annotations

import re
from typing import NamedTuple

_BRACKET = re.compile(r'[\[\](){}<>]|"[^"]*"')
_LIST_MARK = re.compile(r'[\[\](){}<>,]|"[^"]*"')
_NESTED = re.compile(r'[\[({<"]')
_WORD = re.compile(r"[\w.]+")
_NAME = re.compile(r'[%@](?:[-\w.$]+|"[^"]*")')
_OPEN = frozenset("[({<")
_CLOSE = frozenset("])}>")
_TYPE_WORD = re.compile(
    r"(?:i\d+|ptr|void|float|double|half|bfloat|x86_fp80|fp128|ppc_fp128|x86_mmx|x86_amx|metadata|token|label|opaque)\b"
)


class Operand(NamedTuple):
    """A typed value, both as LLVM prints them: ("i32", "%x"), ("ptr", "@g"), ("i8", "0")."""

    type: str
    value: str


def closing(text: str, start: int) -> int:
    """Index just behind the bracket that closes the one at `start`. Raises ValueError when it is not closed."""
    depth = 0
    for match in _BRACKET.finditer(text, start):
        character = match[0]
        if character in _OPEN:
            depth += 1
        elif character in _CLOSE:
            depth -= 1
            if depth == 0:
                return match.end()
    raise ValueError(f"unbalanced brackets in {text[start : start + 80]!r}")


def split_commas(text: str) -> list[str]:
    """The parts of a comma-separated list; commas within brackets and strings do not separate."""
    if not _NESTED.search(text):
        return text.split(", ") if text else []
    parts: list[str] = []
    depth = begin = 0
    for match in _LIST_MARK.finditer(text):
        character = match[0]
        if character in _OPEN:
            depth += 1
        elif character in _CLOSE:
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[begin : match.start()].strip())
            begin = match.end()
    last = text[begin:].strip()
    return [*parts, last] if last or parts else []


def is_type_at(text: str, start: int) -> bool:
    """Whether a type begins there."""
    return text[start] in "%[{<" or _TYPE_WORD.match(text, start) is not None


def type_end(text: str, start: int = 0) -> int:
    """Index just behind the type that begins at `start` (function types excepted)."""
    character = text[start]
    if character in "[{<":
        return closing(text, start)
    match = _NAME.match(text, start) if character == "%" else _WORD.match(text, start)
    if match is None:
        raise ValueError(f"a type was expected in {text[start : start + 80]!r}")
    end = match.end()
    if text.startswith(" addrspace(", end):
        end = closing(text, end + 10)
    return end


def name_end(text: str, start: int) -> int:
    """Index just behind the local or global name that begins at `start`."""
    match = _NAME.match(text, start)
    if match is None:
        raise ValueError(f"a name was expected in {text[start : start + 80]!r}")
    return match.end()


def parse_operand(text: str) -> Operand:
    """`i32 %x` → Operand. The value is whatever follows the type."""
    space = text.find(" ")
    if text[0] in "%[{<" or text.startswith("addrspace", space + 1):
        space = type_end(text)
    return Operand(text[:space], text[space + 1 :])


def bare(name: str) -> str:
    """The name without sigil, quotes and escapes."""
    return unquoted(name[1:])


def unquoted(name: str) -> str:
    """A name of LLVM's without its quotes and escapes: `"gr\\C3\\B6\\C3\\9Fe"` → größe."""
    return unescaped(name[1:-1]) if name.startswith('"') else name


def unescaped(text: str) -> str:
    """What stood between quotes; bytes that are no UTF-8 are replaced."""
    if "\\" not in text:
        return text
    data = re.sub(rb"\\([0-9A-Fa-f]{2})", lambda match: bytes([int(match[1], 16)]), text.encode())
    return data.replace(b"\\\\", b"\\").decode(errors="replace")


def escaped(data: bytes) -> str:
    """How bytes are written between quotes."""
    return "".join(chr(byte) if 32 <= byte < 127 and byte not in (34, 92) else f"\\{byte:02X}" for byte in data)


def global_name(name: str) -> str:
    """How a global of that bare name is written, quoted when it must be."""
    plain = re.fullmatch(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*", name)
    return f"@{name}" if plain else f'@"{escaped(name.encode())}"'
