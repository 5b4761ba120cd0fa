from pathlib import Path

import pytest

from veer.frontends.c.checks import CHECKS, ON, UNDEFINED, check_flags, checks_of
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError

SOURCE = Path("/a.c")


def options(entry: str = "f", **chosen: tuple[str, ...]) -> BuildOptions:
    return BuildOptions((SOURCE,), entry, **chosen)  # type: ignore[arg-type]


def test_what_is_on_without_options() -> None:
    assert checks_of(options()) == ON
    assert set(ON) | set(UNDEFINED) <= set(CHECKS)
    listed = "signed-integer-overflow,shift-exponent,integer-divide-by-zero,array-bounds,returns-nonnull-attribute"
    (checked, trapped, arrays) = check_flags(options())
    assert checked == f"-fsanitize={listed},nonnull-attribute,vla-bound,builtin"
    assert trapped == checked.replace("sanitize", "sanitize-trap")
    assert arrays == "-fstrict-flex-arrays=1"


def test_each_is_switched_off_by_its_name() -> None:
    for name in ON:
        assert set(ON) - set(checks_of(options(no_checks=(name,)))) == {name}
    assert check_flags(options(no_checks=("all",))) == ()
    assert check_flags(options(no_checks=("all",), checks=("leak",))) == ()
    assert checks_of(options(no_checks=("all",), checks=("leak", "leak"))) == ("leak",)


def test_others_are_added() -> None:
    assert checks_of(options(checks=("conversion",))) == (*ON, "conversion")
    assert "shift-exponent,shift-base" in check_flags(options(no_checks=("all",), checks=("undefined",)))[0]


@pytest.mark.parametrize(
    ("flags", "is_checked"),
    [
        ((), True),
        (("-fwrapv",), False),
        (("-fno-strict-overflow",), False),
        (("-fwrapv", "-fno-wrapv"), True),
        (("-fwrapv", "-fstrict-overflow"), True),
        (("-fwrapv-pointer",), True),
    ],
)
def test_overflow_that_the_compiler_defines_is_none(flags: tuple[str, ...], *, is_checked: bool) -> None:
    assert ("overflow" in checks_of(options(cflags=flags))) == is_checked
    assert "overflow" in checks_of(options(cflags=flags, checks=("overflow",)))


def test_flags_of_one_source_are_its_own() -> None:
    built = BuildOptions((SOURCE, Path("/b.c")), "f", flags_of=((str(SOURCE), ("-fwrapv",)),))
    assert "overflow" not in checks_of(built, SOURCE)
    assert "overflow" in checks_of(built, Path("/b.c"))


def test_what_a_program_has_not_freed_is_the_systems() -> None:
    assert "leak" not in checks_of(options("main"))
    assert "leak" in checks_of(options("main", checks=("leak",)))


def test_the_user_says_which_arrays_are_flexible() -> None:
    assert "-fstrict-flex-arrays=1" not in check_flags(options(cflags=("-fstrict-flex-arrays=0",)))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"checks": ("overflows",)}, "--check overflows: there is no such check; known are overflow"),
        ({"checks": ("all",)}, "--check all: there is no such check"),
        ({"no_checks": ("undefined",)}, "--no-check undefined: there is no such check; .* leak, uninitialised, all$"),
    ],
)
def test_no_such_check(given: dict[str, tuple[str, ...]], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        checks_of(options(**given))


def test_searches_that_do_not_follow_unwritten_memory_do_not_say_so() -> None:
    assert "uninitialised" in checks_of(options())
    assert "uninitialised" not in checks_of(options(no_checks=("uninitialised",)))
    for given in ({"compositional": True}, {"partitioned": True}):
        assert "uninitialised" not in checks_of(options(**given))
        with pytest.raises(UsageError, match="neither --compositional nor --partitioned"):
            checks_of(options(**given, checks=("uninitialised",)))
