"""Which of veer's own libc a program carries, and where what it loses is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.frontends.c.build import build
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.program import Program, SiteKind
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.toolchain.compiler import find

SOURCE = """
#include <stdlib.h>
#include <string.h>
int add(int x) { return x + 1; }
int length(const char *s) { return s ? strlen(s) : 0; }
int price(const char *s) {
    if (!s || strlen(s) < 2) return 0;
    return atof(s) > 1e29;
}
"""
PRICE_LINE = 8


def options(folder: Path, entry: str, *uninstrumented: str) -> BuildOptions:
    source = folder / f"{entry}.c"
    kept = "" if entry == "add" else SOURCE
    source.write_text(kept or "int add(int x) { return x > 3 ? x : 1; }\n")
    return BuildOptions((source,), entry, max_length=5, uninstrumented=uninstrumented)


def library_files(program: Program) -> set[str]:
    return {Path(site.file).name for site in program.sites if site.kind is SiteKind.LIBRARY}


@pytest.mark.parametrize(
    ("entry", "present", "absent"),
    [("add", set(), {"string.c", "float.c"}), ("length", {"string.c", "float.c"}, {"scan.c", "sort.c", "stream.c"})],
)
def test_only_what_the_sources_call_is_linked(tmp_path: Path, entry: str, present: set[str], absent: set[str]) -> None:
    files = library_files(build(options(tmp_path, entry), find()))
    assert present <= files
    assert not absent & files


def explored(tmp_path: Path, *uninstrumented: str) -> Result:
    asked = options(tmp_path, "price", *uninstrumented)
    return campaign.run(asked, SearchOptions(budget=30.0, max_runs=3000))


def test_what_the_library_loses_is_said_at_the_call_in_the_users_source(tmp_path: Path) -> None:
    result = explored(tmp_path)
    lost = [entry for entry in result.ledger if entry.kind == "external"]
    assert [(Path(entry.file).name, entry.line) for entry in lost] == [("price.c", PRICE_LINE)]
    assert lost[0].detail.endswith("atof")


def test_the_machines_function_is_kept_on_request(tmp_path: Path) -> None:
    result = explored(tmp_path, "strlen")
    lines = {entry.line for entry in result.ledger if entry.kind == "external"}
    assert PRICE_LINE - 1 in lines


COMPLAINS = """
#include <err.h>
#include <error.h>
int complain(const char *text) {
    switch (text[0]) {
    case 'a': errx(1, "not %s", text);
    case 'b': err(2, "not %s", text);
    case 'c': error(3, 0, "not %s", text);
    case 'd': warnx("not %s", text);
    }
    return text[0];
}
"""


def test_messages_of_symbolic_texts_lose_nothing(tmp_path: Path) -> None:
    source = tmp_path / "complain.c"
    source.write_text(COMPLAINS)
    result = campaign.run(BuildOptions((source,), "complain", max_length=2), SearchOptions(budget=30.0))
    assert not result.ledger and result.ending.claim == "paths"
    exits = {test.exit_code for test in result.tests if test.outcome is Outcome.EXITED}
    assert exits == {1, 2, 3}
