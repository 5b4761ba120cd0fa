"""What a program of tests/programs says about itself, in comment lines at its head.

    // entry: clamp
    // input: signed char x: all
    // input: struct pair s: .a=all; .b=0..3
    // input: const char *s: string 3 of 'a' 'b' 48..57
    // input: const unsigned char *data: buffer n 3 of 0..3
    // input: const int *v: count 3 of 0..3        1 to 3 elements, the search's choice
    // input: struct cell *p: -> .v=0 1; .next=-> self
    // input: struct task *t: -> .run=stub int 0..2     NULL, or a function whose results are inputs
    // option: max_length=3
    // option: no_check=all                without the compiler's checks, which are on else
    // graphs: 3                           optional: no path follows pointers to more objects (graph_enumeration.py)
    // claim: paths                        what veer must claim (paths, none)
    // outcomes: returned abort            the outcomes that exist, by key
    // paths: 82                           optional: a number that was counted by hand

The inputs of a function are in the order of its parameters. A program that brings its own harness has `harness: yes`,
and its inputs are the names that it gives. A domain is values, ranges `a..b` and characters, `all` = every value of the
type (up to 16 bits). A domain that is not `all` must have a member for every path that the program has.

`claim: any` leaves open whether veer is exact here; `claim: none` is for programs on which veer must lose and say so.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Values:
    """Inclusive ranges; None = every value of the type."""

    ranges: tuple[tuple[int, int], ...] | None


@dataclass(frozen=True)
class Target:
    """What a pointer may point to: `own` = the type of the object that holds the pointer."""

    extent: str  # one, string, length, count, stub
    maximum: int
    length: str
    cells: tuple[tuple[str, Values | Target], ...]  # (access path, content)
    own: bool = False
    returns: str = ""  # the C type of a stub's results, whose values are those of the only cell


@dataclass(frozen=True)
class Input:
    """A root input: C type and name, its cells by access path ("" = the whole)."""

    declaration: str  # e.g. "struct pair", with `array` elements
    name: str
    array: int
    cells: tuple[tuple[str, Values | Target], ...]


@dataclass(frozen=True)
class Expectation:
    """A program's header."""

    path: Path
    entry: str
    inputs: tuple[Input, ...]
    stubs: tuple[Input, ...]
    claim: str
    outcomes: frozenset[str]
    paths: int | None
    graphs: int | None
    is_harness: bool
    options: dict[str, str] = field(default_factory=dict)

    @property
    def has_full_domains(self) -> bool:
        """Whether the brute force runs every input that exists."""
        return all(content == Values(None) for given in self.inputs for _, content in given.cells)


def read(path: Path) -> Expectation:
    """Reads a program's header; raises ValueError with the file's name when it is malformed."""
    lines: dict[str, list[str]] = {}
    for line in path.read_text().splitlines():
        if match := re.match(r"//\s*([a-z-]+):\s*(.*)$", line):
            lines.setdefault(match[1], []).append(match[2].strip())
    try:
        return Expectation(
            path=path,
            entry=lines["entry"][0],
            inputs=tuple(_input(text) for text in lines.get("input", [])),
            stubs=tuple(_input(text) for text in lines.get("stub", [])),
            claim=lines.get("claim", ["paths"])[0],
            outcomes=frozenset(lines.get("outcomes", ["returned"])[0].split()),
            paths=int(lines["paths"][0]) if "paths" in lines else None,
            graphs=int(lines["graphs"][0]) if "graphs" in lines else None,
            is_harness=lines.get("harness", ["no"])[0] == "yes",
            options=dict(text.split("=", 1) for text in " ".join(lines.get("option", [])).split()),
        )
    except (KeyError, IndexError, ValueError) as error:
        raise ValueError(f"{path}: its header is malformed: {error!r}") from error


def _input(text: str) -> Input:
    declaration, domain = text.split(":", 1)
    match = re.fullmatch(r"(.*?)(\w+)\s*(?:\[(\d+)\])?", declaration.strip())
    if not match:
        raise ValueError(f"not a declaration: {declaration}")
    return Input(match[1].strip(), match[2], int(match[3] or 0), _cells(domain, match[1].strip()))


def _cells(text: str, ctype: str) -> tuple[tuple[str, Values | Target], ...]:
    text = text.strip()
    if not re.match(r"[.\[]", text):
        return (("", _content(text, ctype)),)
    cells = []
    for part in text.split(";"):
        path, _, content = part.strip().partition("=")
        cells.append((path, _content(content, "")))
    return tuple(cells)


def _content(text: str, ctype: str) -> Values | Target:
    text = text.strip()
    if match := re.fullmatch(r"string (\d+) of (.*)", text):
        return Target("string", int(match[1]), "", (("", _values(match[2], "")),))
    if match := re.fullmatch(r"buffer (\w+) (\d+) of (.*)", text):
        return Target("length", int(match[2]), match[1], (("", _values(match[3], "")),))
    if match := re.fullmatch(r"count (\d+) of (.*)", text):
        return Target("count", int(match[1]), "", (("", _values(match[2], "")),))
    if match := re.fullmatch(r"stub (\w+) (.*)", text):
        return Target("stub", 0, "", (("", _values(match[2], match[1])),), returns=match[1])
    if match := re.fullmatch(r"->\s*(.*)", text):
        if match[1] == "self":
            return Target("one", 0, "", (), own=True)
        return Target("one", 0, "", _cells(match[1], ""))
    return _values(text, ctype)


def _values(text: str, ctype: str) -> Values:
    if text.strip() == "all":
        return Values(None)
    ranges = []
    for word in text.replace(",", " ").split():
        low, _, high = word.partition("..")
        ranges.append((_number(low, ctype), _number(high or low, ctype)))
    if not ranges:
        raise ValueError("an empty domain")
    return Values(tuple(ranges))


def _number(word: str, ctype: str) -> int:
    if ctype in ("float", "double"):
        code = ("<f", "<I") if ctype == "float" else ("<d", "<q")
        return int(struct.unpack(code[1], struct.pack(code[0], float(word)))[0])
    if match := re.fullmatch(r"'(.)'", word):
        return ord(match[1])
    return int(word, 0)
