"""Programs that need the compiler's own library (128-bit quotients, complex products) have the C library's `log`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim
from veer.model.searchoptions import SearchOptions
from veer.toolchain.builtins import exported, without
from veer.toolchain.compiler import find
from veer.toolchain.compiling import compile_object

UNIT = """#include <complex.h>
#include <errno.h>
#include <math.h>
int quotient(unsigned char a, unsigned char b)
{
    __int128 large = (__int128)a << 70;
    errno = 0;
    double number = log((double)a);
    if (errno == ERANGE) return 1;
    if (large / (b + 1) == 7) return 2;
    return number > 5.5 ? 3 : 4;
}
int product(unsigned char a)
{
    double complex number = a + 2.0 * I;
    number *= number;
    errno = 0;
    double other = exp(a * 4.0);
    if (errno == ERANGE) return 1;
    return creal(number) == 0.0 ? 2 : other > 1e30 ? 3 : 4;
}
"""


@pytest.mark.parametrize(("entry", "expected"), [("quotient", {1, 3, 4}), ("product", {1, 2, 3, 4})])
def test_functions_of_the_c_library_set_errno(tmp_path: Path, entry: str, expected: set[int]) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    found = campaign.run(BuildOptions((source,), entry), SearchOptions(budget=60.0))
    assert {int.from_bytes(test.returned or b"", "little") for test in found.tests} == expected
    assert all(test.replayed == "same" for test in found.tests)
    assert found.ending.claim is Claim.PATHS


def archive_of(*objects: Path) -> bytes:
    """An archive, as `ar` writes it."""
    made = b"!<arch>\n"
    for each in objects:
        data = each.read_bytes()
        made += b"%-16s%-12d%-6d%-6d%-8d%-10d`\n" % (b"a.o/", 0, 0, 0, 644, len(data))
        made += data + b"\n" * (len(data) % 2)
    return made


def test_names_of_an_archive_are_defined_no_more(tmp_path: Path) -> None:
    toolchain = find(None)
    (tmp_path / "own.c").write_text("double log(double x) { return x; }\ndouble own(double x) { return log(x); }\n")
    (tmp_path / "main.c").write_text(
        "#include <stdio.h>\ndouble own(double);\n"
        'int main(void) { volatile double x = 1; printf("%g", own(x)); return 0; }\n'
    )
    for name in ("own", "main"):
        assert compile_object(toolchain, tmp_path / f"{name}.c", tmp_path / f"{name}.o").code == 0
    whole = archive_of(tmp_path / "own.o")
    for archive, printed in ((whole, "1"), (without(whole, frozenset({b"log"})), "0")):
        (tmp_path / "own.a").write_bytes(archive)
        subprocess.run(
            [*toolchain.command, "-fno-builtin", tmp_path / "main.o", tmp_path / "own.a", "-lm", "-o", tmp_path / "it"],
            check=True,
        )
        assert subprocess.run([tmp_path / "it"], capture_output=True, text=True, check=True).stdout == printed


def test_what_a_library_exports_is_known(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "int seen(void) { return 1; }\nstatic int hidden(void) { return 2; }\nint used(void);\n"
        "int also(void) { return hidden() + used(); }\n"
    )
    toolchain = find(None)
    subprocess.run([*toolchain.command, "-shared", tmp_path / "a.c", "-o", tmp_path / "a.so"], check=True)
    names = exported((tmp_path / "a.so").read_bytes())
    assert names >= {b"seen", b"also"}
    assert not names & {b"hidden", b"used"}
