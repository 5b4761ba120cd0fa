"""What a function of a text returns, for every text of an alphabet: the reference, compiled by gcc where it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

from suite_builds import compiler_command

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
