"""Machine code that asks how objects lie in memory: the claim names it, and the emulator runs the tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled
from test_machine import IN_EACH_CHECK, TARGETS, compiled

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

pytestmark = NEEDS_MACHINE
WORDS = "objects lie where veer places them"
UNIT = """
typedef __UINTPTR_TYPE__ word;
/* The lowest bits of an address, as sums over words ask for them; the order of two addresses, as memmove does. */
unsigned sum(const unsigned char *p, unsigned n) {
    unsigned total = 0;
    if ((word)p & 3) total = 1000;
    for (unsigned i = 0; i < n; i++) total += p[i] == 'x';
    return total;
}
/* Of two addresses at once, as copies by words ask. */
unsigned both(const unsigned char *p, unsigned n, const unsigned char *q) {
    unsigned total = 0;
    if (((word)p | (word)q) & 3) total = 1000;
    return total + (n ? p[0] == *q : 0);
}
int order(char *p, char *q) { return p < q ? *p + 1 : *q - 1; }
/* These stay within an object. */
int within(const unsigned char *p, unsigned n) {
    const unsigned char *end = p + n;
    int found = 0;
    for (; p < end; p++) found += *p == 'x';
    return found;
}
unsigned table(const unsigned char *p, unsigned n) { return n ? p[(n - 1) & 3 & (n > 3 ? 3 : 0)] : 7; }
"""
PARAMETERS = "const unsigned char *p, unsigned n"


def _searched(name: str, folder: Path, entry: str, parameters: str) -> Result:
    build = BuildOptions(
        (compiled(name, UNIT, "-O1", folder),),
        entry,
        prototype=f"int {entry}({parameters})",
        max_length=3,
    )
    return campaign.run(build, SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True))


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name in IN_EACH_CHECK))
def test_the_lowest_bits_of_an_address(name: str, tmp_path: Path) -> None:
    """Blocks of 1 and 3 bytes lie elsewhere on the emulator at first: at the end of a page."""
    result = _searched(name, tmp_path, "sum", PARAMETERS)
    assert result.ending.claim == "paths" and WORDS in result.ending.within
    assert {test.replayed for test in result.tests} == {"same"}
    assert {len(test.inputs.objects) for test in result.tests} == {0, 1}


@pytest.mark.parametrize("name", ["thumb", "x86-64"])
def test_the_lowest_bits_of_two_addresses_at_once(name: str, tmp_path: Path) -> None:
    assert WORDS in _searched(name, tmp_path, "both", f"{PARAMETERS}, const unsigned char *q").ending.within


@pytest.mark.parametrize("name", ["thumb", "x86-64"])
def test_the_order_of_two_addresses(name: str, tmp_path: Path) -> None:
    assert WORDS in _searched(name, tmp_path, "order", "char *p, char *q").ending.within


@pytest.mark.parametrize("entry", ["within", "table"])
@pytest.mark.parametrize("name", ["thumb", "x86-64"])
def test_addresses_within_one_object_ask_for_nothing(name: str, entry: str, tmp_path: Path) -> None:
    result = _searched(name, tmp_path, entry, PARAMETERS)
    assert result.ending.claim == "paths" and WORDS not in result.ending.within


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name == "x86-64"))
def test_many_arguments_lie_on_the_stack(name: str, tmp_path: Path) -> None:
    """Room was for 64 bytes of them: a call with more was told as a bug of its own, and nothing else was run."""
    names = [f"p{number}" for number in range(40)]
    prototype = f"int many({', '.join(f'unsigned char {each}' for each in names)})"
    unit = f"{prototype} {{ return p0 == 5 ? p39 == 7 ? 1 : 2 : {' + '.join(names)} == 1000 ? 3 : 4; }}\n"
    build = BuildOptions((compiled(name, unit, "-O1", tmp_path),), "many", prototype=prototype)
    result = campaign.run(build, SearchOptions(budget=60, shrink=False))
    assert not result.bugs
    assert {test.replayed for test in result.tests} == {"same"}
    assert {test.returned for test in result.tests} == {bytes((number, 0, 0, 0)) for number in (1, 2, 3, 4)}
