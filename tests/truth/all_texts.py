"""What a function of a text returns for every text of an alphabet, and what veer finds."""

from __future__ import annotations

import subprocess
from pathlib import Path

from suite_builds import compiler_command
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

DRIVER = """
int f(const char *s);
int main(void)
{
    static const char alphabet[] = "%s";
    int seen[16] = {0}, digits[%d];
    for (int length = 0; length <= %d; length++) {
        char text[16] = {0};
        memset(digits, 0, sizeof digits);
        for (int at = 0; at >= 0;) {
            for (int k = 0; k < length; k++) text[k] = alphabet[digits[k]];
            seen[f(text)] = 1;
            for (at = length - 1; at >= 0 && ++digits[at] == sizeof alphabet - 1; at--) digits[at] = 0;
        }
    }
    for (int k = 0; k < 16; k++) if (seen[k]) printf("%%d ", k);
    return 0;
}
"""


def found_by_all_texts(folder: Path, unit: str, alphabet: str, most: int) -> set[int]:
    """What `int f(const char *)` returns, from 0 to 15, for every text of at most so many characters."""
    program = folder / "all.c"
    program.write_text(f"#include <stdio.h>\n#include <string.h>\n{unit}{DRIVER % (alphabet, most, most)}")
    subprocess.run([*compiler_command(), "-w", str(program), "-lm", "-o", str(folder / "all")], check=True)
    run = subprocess.run([str(folder / "all")], capture_output=True, text=True, check=True)
    return {int(word) for word in run.stdout.split()}


def returned(result: Result) -> set[int]:
    """What the tests return."""
    return {int.from_bytes(test.returned, "little", signed=True) for test in result.tests if test.returned}


def differences(build: BuildOptions, reference: set[int]) -> list[str]:
    """Searches every path; what is otherwise than with all texts, or is no faultless search."""
    result = explore(build, SearchOptions(budget=120.0, criterion="path"))
    has_claim = result.ending.claim == "paths" or result.ledger  # numbers that only the machine's libc reads lose it
    found = {
        f"returned {sorted(returned(result))}, all texts {sorted(reference)}": returned(result) != reference,
        "a test differs": {test.replayed for test in result.tests} != {"same"},
        f"no claim: {result.ending}": not has_claim,
        f"{result.diverged} runs diverged": bool(result.diverged),
        f"bugs: {result.bugs}": bool(result.bugs),
    }
    return [what for what, is_so in found.items() if is_so]


def differences_of_texts(folder: Path, head: str, body: str, alphabet: str, most: int) -> list[str]:
    """The same of `int f(const char *s)` with that body, for texts of at most so many characters, and for NULL."""
    unit = f"{head}int f(const char *s) {{ if (!s) return 0; {body} }}\n"
    source = folder / "unit.c"
    source.write_text(unit)
    return differences(
        BuildOptions((source,), "f", max_length=most), found_by_all_texts(folder, unit, alphabet, most) | {0}
    )
