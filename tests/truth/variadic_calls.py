"""What the tests of a va_list and of `...` have in common: every call of two arguments, and what was found."""

from __future__ import annotations

from pathlib import Path

from suite_builds import build_suite

from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.suite.c.plain import render

_EVERY_CALL = """
#define FIRST(k, second) \\
    switch (a[k]) { \\
    case 'd': second(v ? -1234 : 5); break; \\
    case 'l': second(v ? 0x123456789aL : 5L); break; \\
    case 's': second(v ? "x" : v2 ? NULL : "y"); break; \\
    case 'f': second(v ? 2.5 : 0.5); break; \\
    default: second(0); break; }
#define ONE(x) printf("%d\\n", CALLEE(a, x, 0))
#define TWO(x) \\
    switch (a[1]) { \\
    case 'd': printf("%d\\n", CALLEE(a, x, w ? -1234 : 5)); break; \\
    case 'l': printf("%d\\n", CALLEE(a, x, w ? 0x123456789aL : 5L)); break; \\
    case 's': printf("%d\\n", CALLEE(a, x, w ? "x" : "y")); break; \\
    case 'f': printf("%d\\n", CALLEE(a, x, w ? 2.5 : 0.5)); break; \\
    default: printf("%d\\n", CALLEE(a, x, 0)); break; }
int main(void)
{
    const char *known = "dlsfz";
    printf("%d\\n", CALLEE(""));
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 6; j++)
            for (int v = 0; v < 2; v++)
                for (int v2 = 0; v2 < 2; v2++)
                    for (int w = 0; w < 2; w++) {
                        char a[3] = {known[i], j < 5 ? known[j] : 0, 0};
                        if (a[1]) { FIRST(0, TWO) } else { FIRST(0, ONE) }
                    }
}
"""


def results_of_every_call(folder: Path, unit: str, callee: str) -> set[int]:
    """What `int callee(const char *kinds, ...)` returns for two arguments of each kind, each with telling values."""
    done = build_suite(folder, "every.c", f"{unit}\n#define CALLEE {callee}\n{_EVERY_CALL}").run()
    return {int(line) for line in done.stdout.split()}


def results(result: Result) -> set[int]:
    """What the tests return."""
    returned = [test.returned for test in result.tests if test.outcome is Outcome.RETURNED]
    return {int.from_bytes(each or b"", "little", signed=True) for each in returned}


def holds(folder: Path, result: Result) -> bool:
    """Whether the suite passes."""
    return build_suite(folder, "again.c", render(result.program, result.tests)).run().returncode == 0
