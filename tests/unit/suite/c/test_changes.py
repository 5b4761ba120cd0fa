"""What changed between two texts of a suite, and the lines in it that are the user's."""

from __future__ import annotations

import pytest

from veer.suite.c.changes import changes
from veer.suite.c.keeping import parted, with_kept

HEAD = '#include "f.c"\n\n/* ---- tests ---- */\n'


def written(name: str, given: str, expected: str) -> str:
    made = f"    int x = {given};\n\n    int result = f(x);\n"
    return f"\n/* It returns. */\nstatic void {name}(void)\n{{\n{made}{expected}}}\n"


def expects(what: str, value: str) -> str:
    return f'    veer_expect_signed("{what}", {what}, {value});\n'


ONE = written("test_f_returns_1", "5", expects("result", "1"))
TWO = written("test_f_returns_2", "-5", expects("result", "2") + expects("seen[f(1, 2)]", "7"))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (ONE + TWO, ONE + TWO, ()),
        (ONE + TWO, TWO + ONE, ()),
        (ONE, ONE.replace("It returns.", "It comes back."), ()),
        (ONE, ONE.replace(", 1)", ", 3)"), ("test_f_returns_1: returned 1, now returns 3",)),
        (
            ONE,
            written("test_f_returns_3", "5", expects("result", "3")),
            ("test_f_returns_1: returned 1, now returns 3 (now test_f_returns_3)",),
        ),
        (ONE + TWO, ONE, ("gone: test_f_returns_2",)),
        (ONE, ONE + TWO, ("new: test_f_returns_2",)),
        (TWO, TWO.replace(", 7)", ", -7)"), ("test_f_returns_2: seen[f(1, 2)] was 7, is now -7",)),
        (
            TWO,
            TWO.replace(expects("seen[f(1, 2)]", "7"), ""),
            ("test_f_returns_2: seen[f(1, 2)] is no longer expected",),
        ),
        (ONE, ONE.replace("= 5", "= 6"), ("test_f_returns_1: it has other inputs",)),
        (
            ONE,
            ONE.replace("= 5", "= 6").replace(", 1)", ", 2)"),
            ("test_f_returns_1: it has other inputs; returned 1, now returns 2",),
        ),
        (
            ONE.replace('veer_expect_signed("result", result, 1)', "TEST_ASSERT_EQUAL_INT32(1, result)"),
            ONE.replace('veer_expect_signed("result", result, 1)', "TEST_ASSERT_EQUAL_INT32(2, result)"),
            (
                "test_f_returns_1: `TEST_ASSERT_EQUAL_INT32(1, result);` is gone;"
                " `TEST_ASSERT_EQUAL_INT32(2, result);` is new",
            ),
        ),
        (
            ONE + '    { 1, "test_001", test_f_returns_1, VEER_RETURNS, 0, "", "a", 1 },\n',
            ONE + '    { 2, "test_002", test_f_returns_1, VEER_RETURNS, 0, "", "b", 1 },\n',
            ("test_f_returns_1: it ends otherwise, or prints something else",),
        ),
        (
            ONE + '    { 1, "test_001", VEER_NAMED(test_f_returns_1), VEER_RETURNS, 0, "", "a", 1 },\n',
            ONE + '    { 2, "test_002", VEER_NAMED(test_f_returns_1), VEER_RETURNS, 0, "", "b", 1 },\n',
            ("test_f_returns_1: it ends otherwise, or prints something else",),
        ),
    ],
)
def test_sentences(before: str, after: str, expected: tuple[str, ...]) -> None:
    found = changes(HEAD + before, HEAD + after)
    assert (*found.sentences, *found.others) == expected
    assert not any("returned" in each and "other inputs" not in each for each in found.others)


def test_a_test_that_moved_keeps_its_partner() -> None:
    renamed = written("test_f_returns_1_when_x_is_5", "5", expects("result", "1"))
    other = written("test_f_returns_1", "6", expects("result", "1"))
    found = changes(HEAD + ONE, HEAD + other + renamed)
    assert found.names == {"test_f_returns_1": "test_f_returns_1_when_x_is_5"}
    assert not found.sentences and "new: test_f_returns_1" in found.others


class TestKeptLines:
    BLOCK = "/* veer: keep */\nint mine;\n/* veer: end keep */\n"
    INSIDE = "    /* veer: keep */\n    x++;\n    /* veer: end keep */\n"

    def kept(self, text: str, new: str) -> tuple[str, tuple[str, ...]]:
        plain, found = parted(text)
        return with_kept(new, found, changes(plain, new).names)

    def test_they_stand_where_they_stood(self) -> None:
        inside = ONE.replace("    int x = 5;\n", "    int x = 5;\n" + self.INSIDE)
        text = (
            HEAD.replace("/* ----", self.BLOCK + "/* ----")
            + inside
            + "\n"
            + self.BLOCK.replace("mine", "other")
            + TWO[1:]
        )
        plain, found = parted(text)
        assert plain == HEAD + ONE + TWO.replace("\n/* It", "\n/* It") and len(found) == 3
        assert self.kept(text, plain) == (text, ())

    def test_they_follow_a_test_that_is_called_otherwise(self) -> None:
        text = HEAD + ONE.replace("    int x = 5;\n", "    int x = 5;\n" + self.INSIDE)
        new = HEAD + TWO + ONE.replace("returns_1", "returns_9").replace(", 1)", ", 9)")
        assert self.kept(text, new)[0] == new.replace("    int x = 5;\n", "    int x = 5;\n" + self.INSIDE)

    def test_those_of_a_test_that_is_gone_stand_at_the_head(self) -> None:
        text = HEAD + ONE.replace("    int x = 5;\n", "    int x = 5;\n" + self.INSIDE) + TWO
        found, lost = self.kept(text, HEAD + TWO)
        assert lost == ("test_f_returns_1",) and found == HEAD.replace("/* ----", self.INSIDE + "/* ----") + TWO

    @pytest.mark.parametrize("text", ["/* veer: keep */\nint a;\n", "/* veer: end keep */\n", BLOCK[:17] + BLOCK])
    def test_marks_are_pairs(self, text: str) -> None:
        with pytest.raises(ValueError, match="keep"):
            parted(text)
