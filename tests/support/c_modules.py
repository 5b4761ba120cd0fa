"""The C sources of the runtime as modules: what each header gives, what each file uses, who calls whom.

A plain reading of the text, without a compiler: comments and strings are left out, names are told apart by their form.
That is enough for the runtime's own style, and `names_of` of a header that it reads wrongly shows as a broken rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
_DIRECTIVE = re.compile(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_MACRO = re.compile(r"^#define (\w+)", re.MULTILINE)
_TAG = re.compile(r"\b(?:struct|enum|union) (\w+)\s*\{")
_ENUMERATION = re.compile(r"\benum\s*\w*\s*\{([^}]*)\}")
_PROTOTYPE = re.compile(r"\b(\w+)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?:;|\{)")
_VARIABLE = re.compile(r"^extern [^;(]*?(\w+)(?:\[\])?;", re.MULTILINE)
_FUNCTION = re.compile(
    r"^(?!static\b|typedef\b|extern\b|return\b|__attribute__\(\(weak)[A-Za-z_][\w \*()]*?\b(\w+)\([^;{}]*?\)\s*\{",
    re.MULTILINE,
)
_MARKED = re.compile(r"^VEER_MARKED\([^,]+, (\w+)", re.MULTILINE)
_WORD = re.compile(r"(?<!struct )\b[A-Za-z_]\w*\b")
_USED = re.compile(r"(?<!struct )\b(?:[A-Za-z_]\w*(?=\()|[A-Z][A-Z0-9_]+\b)")
_MEMBER = re.compile(r"(?:->|\.)(\w+)")
_OWN = re.compile(r"^(?:static|#define|enum)\b[^)\n]*", re.MULTILINE)
"""Heads of what a file defines for itself."""
_ANY_WORD = re.compile(r"\b[A-Za-z_]\w*\b")


@dataclass(frozen=True)
class Source:
    """A file; `path` is relative to the runtime's folder, as in `tracer/heap.c`."""

    path: str
    text: str

    @property
    def folder(self) -> str:
        """The part of the runtime that it belongs to."""
        return self.path.rpartition("/")[0]

    @property
    def own_header(self) -> str:
        """The header that a `.c` file would have."""
        return f"{self.path.removesuffix('.c')}.h"

    @cached_property
    def code(self) -> str:
        """The text without comments, strings and includes."""
        return _STRING.sub('""', _INCLUDE.sub("", _COMMENT.sub(" ", self.text)))

    @cached_property
    def includes(self) -> tuple[str, ...]:
        """What it includes in quotes, as it is written."""
        return tuple(_INCLUDE.findall(_COMMENT.sub(" ", self.text)))

    @cached_property
    def words(self) -> frozenset[str]:
        """All identifiers."""
        return frozenset(_ANY_WORD.findall(self.code))

    @cached_property
    def used(self) -> frozenset[str]:
        """What it calls, and the macros and constants that it names."""
        return frozenset(_USED.findall(self.code))

    @cached_property
    def members(self) -> frozenset[str]:
        """The fields of structs that it looks at."""
        return frozenset(_MEMBER.findall(self.code))

    @cached_property
    def names(self) -> frozenset[str]:
        """What a header gives: macros, tags, enumerators, functions, variables."""
        body = _DIRECTIVE.sub("", self.code)
        found = {name for name in _MACRO.findall(self.code) if not name.endswith("_H")}
        found |= set(_TAG.findall(body)) | set(_VARIABLE.findall(body))
        for inside in _ENUMERATION.findall(body):
            found |= {each.split("=")[0].strip() for each in inside.split(",") if each.strip()}
        return frozenset(found | set(_PROTOTYPE.findall(_at_top_level(body))) - {"_Static_assert"})

    @cached_property
    def functions(self) -> frozenset[str]:
        """The functions that a `.c` file gives to others."""
        return frozenset((*_FUNCTION.findall(self.code), *_MARKED.findall(self.code)))


def _at_top_level(body: str) -> str:
    """The text outside of braces; each pair of them stays, empty."""
    kept, depth = [], 0
    for character in body:
        depth -= character == "}"
        if depth == 0:
            kept.append(character)
        depth += character == "{"
    return "".join(kept)


def sources_of(root: Path, folders: Iterable[str]) -> dict[str, Source]:
    """All C files of these folders, by their paths."""
    files = [path for folder in folders for path in sorted((root / folder).glob("*.[ch]"))]
    return {name: Source(name, path.read_text()) for path in files for name in [str(path.relative_to(root))]}


def resolved(source: Source, include: str, sources: Mapping[str, Source]) -> str | None:
    """The file that an include means; None: it is none of these."""
    for candidate in (f"{source.folder}/{include}", include, f"include/{include}"):
        if candidate in sources:
            return candidate
    return None


def include_graph(sources: Mapping[str, Source]) -> dict[str, set[str]]:
    """For each file, the files that it includes itself."""
    return {
        name: {found for each in source.includes if (found := resolved(source, each, sources))}
        for name, source in sources.items()
    }


def call_graph(sources: Mapping[str, Source], folder: str) -> dict[str, set[str]]:
    """For each `.c` file of a folder, the others of which it names a function."""
    own = [source for source in sources.values() if source.folder == folder and source.path.endswith(".c")]
    defined = {function: source.path for source in own for function in source.functions}
    return {
        source.path: {defined[word] for word in _WORD.findall(source.code) if word in defined} - {source.path}
        for source in own
    }


def circles(graph: Mapping[str, set[str]]) -> list[frozenset[str]]:
    """The strongly connected components with more than one member."""
    reach = {node: _reachable(graph, node) for node in graph}
    found = {frozenset({node, *(other for other in reach[node] if node in reach[other])}) for node in graph}
    return sorted((each for each in found if len(each) > 1), key=sorted)


def _reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    todo = [start]
    while todo:
        for following in graph[todo.pop()] - seen:
            seen.add(following)
            todo.append(following)
    return seen


def unused_includes(sources: Mapping[str, Source]) -> list[str]:
    """Includes of which the file uses no name and no field. A `.c` file's own header is always right."""
    return [
        f"{name} includes {header} and uses nothing of it"
        for name, headers in include_graph(sources).items()
        for header in sorted(headers)
        if header != sources[name].own_header
        and not sources[header].names & sources[name].words
        and not sources[header].words & sources[name].members
    ]


def missing_includes(sources: Mapping[str, Source], folders: tuple[str, ...]) -> list[str]:
    """Functions and macros of headers of these folders that a file uses without including such a header.

    What a `.c` file's own header includes, the file need not include again.
    """
    graph = include_graph(sources)
    givers: dict[str, set[str]] = {}
    for header in (each for each in sources.values() if each.path.endswith(".h") and each.folder in folders):
        for name in header.names:
            givers.setdefault(name, set()).add(header.path)
    found = []
    for name, source in sources.items():
        near = graph[name] | graph.get(source.own_header, set()) | {name}
        own = {word for head in _OWN.findall(source.code) for word in _ANY_WORD.findall(head)}
        for word in sorted((source.used & givers.keys()) - own):
            if not givers[word] & near:
                found.append(f"{name} uses {word} of {min(givers[word])}")
    return found
