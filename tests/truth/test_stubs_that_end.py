"""Undefined functions that are declared not to return: what stands behind their calls is never run."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from suite_builds import build_suite

import veer
from veer.model.outcome import Outcome

UNIT = """
#include <stdlib.h>
_Noreturn void fatal(const char *why, int code);
__attribute__((noreturn)) int die(int *p);
int check(int a, int *p)
{
    if (a < 0) fatal("negative", a);
    if (a == 7) return die(p);
    int *kept = malloc(4);
    if (a == 9) fatal("what is kept is no leak", 9);
    free(kept);
    if (a == 11) return 1;
    return 0;
}
"""


def test_they_end_the_program_in_campaign_replay_and_suite(tmp_path: Path) -> None:
    source = tmp_path / "check.c"
    source.write_text(UNIT)
    result = veer.test(source, "check", budget=60, out=tmp_path / "out", criterion="path")
    ends = Counter((test.outcome, test.exit_code, test.returned) for test in result.tests)
    returned = {(Outcome.RETURNED, None, bytes([one, 0, 0, 0])): 1 for one in (0, 1)}
    assert ends == {**returned, (Outcome.EXITED, 1, None): 3}
    assert not result.bugs and result.ending.claim == "paths"
    assert {test.replayed for test in result.tests} == {"same"}
    suite = tmp_path / "out" / "suite"
    ran = build_suite(suite, "built.c", (suite / "test_check.c").read_text()).run()
    assert ran.returncode == 0 and ran.stdout.count("\nok ") == 5, ran.stdout
