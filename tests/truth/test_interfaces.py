"""Interfaces (DART): functions that are defined nowhere return what their declaration says, static ones are entries."""

from __future__ import annotations

from pathlib import Path

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

SHOP = """
#include <stddef.h>
struct item { int id; struct item *next; long weight; char name[16]; };
struct item *lookup(int id);
const char *label(int id);
void *block(void);
int weigh(int id)
{
    struct item *i = lookup(id);
    if (!i) return -1;
    if (i->weight > 100) return i->next ? 3 : 2;
    return label(id) ? 1 : 0;
}
int initial(int id) { const char *text = label(id); return text && text[0] == 'x' && text[1] == 'y' && !text[2]; }
int sensor(void);
int main(void)
{
    const char *text;
    if (sensor() != 5) return 1;
    text = label(1);
    return text && text[0] == 'x' ? 2 : 3;
}
static int state;
static int advance(int by) { if (state == 3 && by == 5) return 1; return 0; }
int step(int by) { state += by; return advance(by); }
"""


def _tested(tmp_path: Path, entry: str, *, with_globals: bool = False) -> Result:
    source = tmp_path / "shop.c"
    source.write_text(SHOP)
    build = BuildOptions((source,), entry, globals=with_globals)
    return campaign.run(build, SearchOptions(budget=30.0, criterion="path"))


def test_a_pointer_that_an_undefined_function_returns_leads_to_an_object_of_its_type(tmp_path: Path) -> None:
    result = _tested(tmp_path, "weigh")
    assert (result.ending.claim, result.bugs) == ("paths", ())
    # NULL; heavy without a next one, with one, whichever; light without and with a label.
    returned = [int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests]
    assert sorted(returned) == [-1, 0, 1, 2, 3]
    assert {test.replayed for test in result.tests} == {"same"}


def test_a_string_of_an_undefined_function_ends_where_it_says(tmp_path: Path) -> None:
    result = _tested(tmp_path, "initial")
    assert result.bugs == ()
    assert {branch.state for branch in result.branches} == {"covered"}


def test_undefined_functions_of_whole_programs_answer_in_the_suite_as_they_did(tmp_path: Path) -> None:
    result = _tested(tmp_path, "main")
    assert {branch.state for branch in result.branches} == {"covered"}
    assert {int.from_bytes(test.returned or b"", "little") for test in result.tests} == {1, 2, 3}
    assert {test.replayed for test in result.tests} == {"same"}


def test_what_an_undefined_function_could_write_is_a_bound_of_the_claim(tmp_path: Path) -> None:
    source = tmp_path / "parse.c"
    text = 'int parse(const char *, int *);\nint f(void) { int e = 0; parse("a", &e); return e == 4 ? 1 : 0; }\n'
    source.write_text(text)
    result = campaign.run(BuildOptions((source,), "f"), SearchOptions(budget=10.0))
    assert result.ending.claim == "paths"
    assert "parse writes only what nobody has written" in result.ending.within


def test_static_functions_are_entries_and_globals_inputs_on_request(tmp_path: Path) -> None:
    assert {test.returned for test in _tested(tmp_path, "advance").tests} == {bytes(4)}
    found = _tested(tmp_path, "advance", with_globals=True)
    assert {test.returned for test in found.tests} == {bytes(4), b"\x01" + bytes(3)}
    assert {test.replayed for test in found.tests} == {"same"}
