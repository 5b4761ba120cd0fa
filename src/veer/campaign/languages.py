"""Which language sources are in, and how it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import cast

from veer import plugins
from veer.frontends.protocol import GROUP, Language
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.options import BUILD
from veer.model.program import Program
from veer.model.result import Test
from veer.model.values import replace
from veer.suite.protocol import RENDERERS, Renderer

_ALWAYS = frozenset(("sources", "entry"))
_MOST_OF_A_BEGIN = 16
"""Bytes at the begin of a file that say what it is."""
_FLAGS = {each.field: each.flag for each in BUILD} | {
    "flags_of": "--compdb",
    "seed_size": "--seeds",
    "own_bounds": "--max-length NAME=N",
    "own_structs": "--sequence",
    "against": "veer compare",
    "contracts": "a contract (--nonnull, --range, veer.toml)",
    "jump_targets": "a list of jump targets",
    "unasked_failures": "allocations that fail",
    "has_fast_path": "--without copies",
    "loops": "--without loops",
    "partitioned": "--partitioned",
    "compositional": "--compositional",
}
"""What fields of BuildOptions are called on the command line."""


def languages() -> Iterator[Language]:
    """All languages, veer's own first; each is loaded when it is come to. Raises UsageError."""
    return (language(name) for name in plugins.each(GROUP))


def language(name: str) -> Language:
    """The language of this name. Raises UsageError when there is none, or it cannot be loaded."""
    return cast(Language, plugins.find(GROUP, name))


def renderer(name: str) -> Renderer:
    """How the language of this name is written. Raises UsageError."""
    return cast(Renderer, plugins.find(RENDERERS, name))


def with_words(program: Program, tests: Sequence[Test]) -> tuple[Test, ...]:
    """The tests with their inputs in the words of their language."""
    describe = renderer(program.language).describe
    return tuple(replace(test, shown=tuple(describe(program, test.inputs).items())) for test in tests)


def language_of(sources: Sequence[Path]) -> Language:
    """The language that all of these sources are in.

    Raises UsageError for a file that no language reads, and for sources of several languages.
    """
    if not sources:
        raise UsageError("no source was given: name at least one file")
    found = [language_of_file(source) for source in sources]
    other = next((index for index, each in enumerate(found) if each.name != found[0].name), None)
    if other is not None:
        raise UsageError(
            f"{sources[0]} is {found[0].title} and {sources[other]} is {found[other].title}: "
            "give the sources of one language"
        )
    return found[0]


def language_of_file(source: Path) -> Language:
    """The language of this suffix, or of what the file begins with. Raises UsageError when there is none."""
    known: list[Language] = []
    for each in languages():
        if source.suffix in each.suffixes:
            return each
        known.append(each)
    begin = _begin(source)
    for each in known:
        if begin.startswith(each.begins):
            return each
    for each in known:
        if source.suffix in each.mistaken:
            raise UsageError(f"{source} {each.mistaken[source.suffix]}")
    usual = " or ".join(each.suffixes[0] for each in known)
    titles = " or ".join(each.title for each in known)
    raise UsageError(f"{source} is no {titles} source; veer reads files that end in {usual}")


def _begin(source: Path) -> bytes:
    """Its first bytes; none of what cannot be read."""
    try:
        with source.open("rb") as file:
            return file.read(_MOST_OF_A_BEGIN)
    except OSError:
        return b""


def require_options(language: Language, options: BuildOptions) -> None:
    """Raises UsageError for an option that was given and that this language cannot serve."""
    usual = BuildOptions(options.sources, options.entry)
    for each in fields(options):
        is_given = getattr(options, each.name) != getattr(usual, each.name)
        if is_given and each.name not in language.takes | _ALWAYS:
            raise UsageError(f"{_FLAGS[each.name]} means nothing for {language.title}: leave it out")
