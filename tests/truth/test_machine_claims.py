"""What a claim on machine code says of pointers: which number counts what they lead to, and how objects lie."""

from __future__ import annotations

from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled
from test_machine import IN_EACH_CHECK, TARGETS, compiled

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions

pytestmark = NEEDS_MACHINE
UNIT = """
int counted(unsigned p_len, const unsigned char *p) {
    int found = 0;
    for (unsigned i = 0; i < p_len; i++) found += p[i] == 'x';
    return found;
}
/* An `int` that begins within the bytes, or bytes within the `int`: no test has them. */
int strangers(int *a, const unsigned char *b) { *a = 0x41414141; return b[0] == 'A' ? 1 : 2; }
int texts(char *a, const char *b) { a[0] = b[0] ? b[1] : 0; return a[0]; }
int alone(const unsigned char *a, int b) { return a[0] == b; }
"""
COUNTED = "p has p_len elements (the names)"
STRANGERS = "pointers of different types lead to different objects"
BEGINNINGS = "pointers lead to the beginnings of objects"
EXPECTED = {
    "int counted(unsigned p_len, const unsigned char *p)": {COUNTED},
    "int strangers(int *a, const unsigned char *b)": {STRANGERS, BEGINNINGS},
    "int texts(char *a, const char *b)": {BEGINNINGS},
    "int alone(const unsigned char *a, int b)": set(),
}


@pytest.mark.parametrize("prototype", EXPECTED)
@pytest.mark.parametrize("name", sampled(("x86-64", "thumb", "riscv64"), lambda name: name in IN_EACH_CHECK))
def test_a_claim_names_how_pointers_are_made(name: str, prototype: str, tmp_path: Path) -> None:
    assert name in TARGETS
    path = compiled(name, UNIT, "-O1", tmp_path)
    entry = prototype.split("(")[0].split()[-1]
    build = BuildOptions((path,), entry, prototype=prototype, max_length=3)
    result = campaign.run(build, SearchOptions(budget=60, shrink=False, keep_going=True))
    assert result.ending.claim == "paths", result.ending
    assert {COUNTED, STRANGERS, BEGINNINGS} & set(result.ending.within) == EXPECTED[prototype]
    assert {test.replayed for test in result.tests} == {"same"}
    if entry == "counted":
        assert {bug.outcome for bug in result.bugs} <= {Outcome.SEGFAULT_NULL}, "as long as its length says"
