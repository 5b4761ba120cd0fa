"""The compiler's checks in the text of its IR, as the pinned compiler writes them."""

import re
from pathlib import Path

from veer.frontends.c.checks import check_flags
from veer.frontends.llvm.compiled import compile_module
from veer.instrument.checks import to_be_read, without_checks, without_other_means
from veer.model.buildoptions import BuildOptions
from veer.toolchain.compiler import find

CODE = """int sum(int a, int b) { return a + b; }
int ratio(int a, int b) { return a / b; }
int folded(int a) { return a > 3 ? 5 % (3 / 16) : 0; }
float quotient(float a, float b) { return a / b; }
int bits(int a, int n) { return 1 << n; }
"""


def compiled(folder: Path, checks: tuple[str, ...], no_checks: tuple[str, ...] = ()) -> str:
    source = folder / "checked.c"
    source.write_text(CODE)
    options = BuildOptions((source,), "sum", checks=checks, no_checks=no_checks)
    return compile_module(find(), source, check_flags(options, source)).ir


def functions(ir: str) -> dict[str, str]:
    """The text of each function, by its name."""
    return {text[text.index("@") + 1 :].partition("(")[0]: text for text in ir.split("\ndefine ")[1:]}


def test_divisors_are_the_oracles(tmp_path: Path) -> None:
    """What fails whenever it is met has no division left that the oracle could see."""
    text = functions(compiled(tmp_path, ("float-divide",)))
    assert {name for name in text if " br i1 " in text[name] and "ubsantrap" in text[name]} == {
        "sum",
        "folded",
        "quotient",
        "bits",
    }
    assert "br i1 false" in text["folded"]
    ir = compiled(tmp_path, ())
    assert without_other_means(ir) == ir, "they are gone already"


def test_a_text_without_checks_branches_nowhere_else(tmp_path: Path) -> None:
    """Every conditional branch but the source's own is gone; what computes is as it was."""
    plain = functions(without_checks(compiled(tmp_path, ("float-divide",))))
    assert {name: text.count(" br i1 ") for name, text in plain.items()} == {
        "sum": 0,
        "ratio": 0,
        "folded": 1,
        "quotient": 0,
        "bits": 0,
    }
    assert "sadd.with.overflow" in plain["sum"] and "sdiv" in plain["ratio"] and "shl" in plain["bits"]
    never = compiled(tmp_path, (), ("all",))
    assert without_checks(never) == never


def test_functions_that_stay_as_they_are_lose_their_checks(tmp_path: Path) -> None:
    before = functions(compiled(tmp_path, ()))
    after = functions(without_checks(compiled(tmp_path, ()), {"sum"}))
    assert " br i1 " not in after["sum"]
    assert {name for name in before if before[name] != after[name]} == {"sum"}


def test_products_of_128_bits_are_computed_without_their_check(tmp_path: Path) -> None:
    """What the source itself asks for stays."""
    source = tmp_path / "wide.c"
    source.write_text(
        "__int128 product(__int128 a, __int128 b) { return a * b; }\n"
        "int fits(__int128 a, __int128 b, __int128 *c) { return __builtin_mul_overflow(a, b, c); }\n"
    )
    text = functions(compile_module(find(), source, check_flags(BuildOptions((source,), "product"), source)).ir)
    assert " mul i128 " in text["product"] and "call { i128" not in text["product"]
    assert "smul.with.overflow.i128" in text["fits"]


def test_the_text_to_be_read_says_what_the_source_does(tmp_path: Path) -> None:
    """What contracts are read off is the same with and without checks."""
    source = tmp_path / "read.c"
    source.write_text(
        "#include <string.h>\n"
        "int f(char *to, const char *p, int n) { char own[6]; memcpy(own, p, 6); return n * 4 + own[n - 1] - to[n]; }\n"
    )

    def read(options: BuildOptions) -> list[str]:
        text = to_be_read(compile_module(find(), source, check_flags(options, source)).ir)
        return re.findall(r"= (add|sub|mul|icmp|getelementptr|call [^@]*@\w+)\b", functions(text)["f"])

    assert read(BuildOptions((source,), "f")) == read(BuildOptions((source,), "f", no_checks=("all",)))
