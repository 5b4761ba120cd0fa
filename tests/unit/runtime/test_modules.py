"""The rules of the runtime's modules: who includes whom, and which circles of calls there are (ARCHITECTURE.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sized
from pathlib import Path

import pytest
from c_modules import (
    Source,
    call_graph,
    circles,
    include_graph,
    missing_includes,
    resolved,
    sources_of,
    unused_includes,
)

from veer.toolchain import compiler
from veer.toolchain.compiling import compile_object
from veer.toolchain.runtime import INCLUDE, RUNTIME

MAY_INCLUDE = {
    "include": {"include"},
    "engine": {"include", "engine"},
    "tracer": {"include", "engine", "tracer"},
    "library": {"include", "engine"},
}
"""Parts of the runtime, and whose headers each may include."""
OWN = ("engine", "tracer")
SOURCES = sources_of(RUNTIME, MAY_INCLUDE)
_LISTED = re.compile(r"^- (engine|tracer): ([^:]+):", re.MULTILINE)


def listed_circles() -> set[frozenset[str]]:
    """What ARCHITECTURE.md says under "The runtime's modules"."""
    text = (Path(__file__).parents[3] / "ARCHITECTURE.md").read_text().partition("## The runtime's modules")[2]
    found = _LISTED.findall(text.partition("\n## ")[0])
    return {frozenset(f"{part}/{name}.c" for name in re.findall(r"`(\w+)`", names)) for part, names in found}


def upward(sources: dict[str, Source]) -> list[str]:
    """Includes of what a part must not know, or of what is not there."""
    return [
        f"{name} includes {each}"
        for name, source in sources.items()
        for each in source.includes
        if (found := resolved(source, each, sources)) is None
        or found.partition("/")[0] not in MAY_INCLUDE[source.folder]
    ]


def test_the_engine_does_not_know_the_tracer() -> None:
    assert upward(SOURCES) == []


def test_a_file_includes_what_it_uses_and_nothing_else() -> None:
    assert unused_includes(SOURCES) == []
    assert missing_includes(SOURCES, OWN) == []


def test_headers_do_not_include_each_other_in_circles() -> None:
    assert circles(include_graph(SOURCES)) == []


def test_a_module_includes_its_own_header_first() -> None:
    late = [
        name
        for name, source in SOURCES.items()
        if name.endswith(".c") and source.own_header in SOURCES and source.includes[0] != Path(source.own_header).name
    ]
    assert late == []


def test_circles_of_calls_are_those_that_are_listed() -> None:
    found = {circle for part in OWN for circle in circles(call_graph(SOURCES, part))}
    assert found == listed_circles()
    assert found  # else the list, and this test, have nothing to say any more


Rule = Callable[[dict[str, Source]], Sized]

BREACHES: tuple[tuple[str, str, Rule], ...] = (
    ("engine/arena.c", '#include "tracer/chunks.h"', upward),
    ("engine/arena.c", '#include "nowhere.h"', upward),
    ("tracer/words.c", '#include "leaks.h"', unused_includes),
    ("tracer/words.c", "void all(void) { veer_heap_begin(); }", lambda all_: missing_includes(all_, OWN)),
    ("tracer/words.c", "void all(void) { veer_free(0); }", lambda all_: circles(call_graph(all_, "tracer"))),
    ("tracer/places.h", '#include "chunks.h"', lambda all_: circles(include_graph(all_))),
)
"""A file, a line at its end, and the rule that the line breaks."""


@pytest.mark.parametrize(("path", "line", "rule"), BREACHES)
def test_a_broken_rule_is_seen(path: str, line: str, rule: Rule) -> None:
    broken = {**SOURCES, path: Source(path, f"{SOURCES[path].text}\n{line}\n")}
    assert len(rule(broken)) > len(rule(SOURCES))


@pytest.mark.slow
@pytest.mark.parametrize("part", OWN)
def test_the_compiler_warns_of_nothing(part: str, tmp_path: Path) -> None:
    folders = ("-I", str(INCLUDE), "-I", str(RUNTIME), "-I", str(RUNTIME / part))
    flags = (*compiler.RUNTIME_FLAGS, "-O0", "-g0", "-Wall", "-Wextra", *folders)
    toolchain, sources = compiler.find(), sorted((RUNTIME / part).glob("*.c"))
    said = [compile_object(toolchain, source, tmp_path / "one.o", flags).messages for source in sources]
    assert len(said) > 30 and not any(said), "\n".join(filter(None, said))
