"""What changed from one text of a suite to the next, test by test, in words.

    test_f_returns_3: returned 3, now returns 4 (now test_f_returns_4)
    new: test_f_returns_minus_1
    gone: test_f_returns_7

Tests are the same that make the same call with the same inputs, whatever they are called; then those of the same name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from veer.suite.c.keeping import FUNCTION

_EXPECTS = re.compile(r"(?:veer_expect_|VEER_ABOUT\(|TEST_ASSERT|assert_|ck_assert)\w*")
_PLAIN = re.compile(
    r'veer_expect_(?P<kind>\w+)\("(?P<what>(?:\\.|[^"\\])*)", (?P<rest>.*)\);'
)  # the last argument is the value, or the name of what it points to
_LONGEST = 60


class _Test(Struct, frozen=True):
    """A test of a text. `made`: what it does; `expected`: the statements that say what must hold then; `row`: what the
    table of tests says of it beside its number."""

    name: str
    made: tuple[str, ...]
    expected: tuple[str, ...]
    row: str


class Changes(Struct, frozen=True):
    """`sentences`: one for each test that expects something else of the same inputs; `others`: for tests that are new,
    gone, or have other inputs; `names`: tests of the old text by name -> in the new one."""

    sentences: tuple[str, ...]
    others: tuple[str, ...]
    names: Mapping[str, str]


def changes(before: str, after: str) -> Changes:
    """From one text to the other; comments and code around the tests do not count."""
    old, new = _tests(before), _tests(after)
    same = _partners(old, new)
    pairs = [(one, same[one.name]) for one in old if one.name in same]
    told = [sentence for one, now in pairs if one.made == now.made for sentence in _told(one, now)]
    others = [sentence for one, now in pairs if one.made != now.made for sentence in _told(one, now)]
    known = {each.name for each in same.values()}
    others += [f"new: {each.name}" for each in new if each.name not in known]
    others += [f"gone: {each.name}" for each in old if each.name not in same]
    return Changes(tuple(told), tuple(others), {name: each.name for name, each in same.items()})


def _tests(text: str) -> list[_Test]:
    lines = text.splitlines()
    found = []
    for number, line in enumerate(lines):
        begun = FUNCTION.match(line)
        if begun is None or line.endswith(";") or "}" not in lines[number:]:
            continue
        body = [each.strip() for each in lines[number + 1 : lines.index("}", number)]]
        statements = [each for each in body if each not in ("", "{")]
        expected = tuple(each for each in statements if _EXPECTS.match(each))
        made = tuple(each for each in statements if not _EXPECTS.match(each))
        found.append(_Test(begun["name"], made, expected, _row(begun["name"], text)))
    return found


def _row(name: str, text: str) -> str:
    """How the test is expected to end and what to print, as the table says it: `VEER_EXITS, 3, "", "bye", 3`."""
    found = re.search(rf"^    \{{ .*\b{name}\)?, (?P<rest>.*) \}},$", text, re.MULTILINE)
    return found["rest"].removeprefix("__LINE__, ") if found else ""


def _partners(old: Sequence[_Test], new: Sequence[_Test]) -> dict[str, _Test]:
    """Tests of the old text by name -> the same in the new one."""
    found: dict[str, _Test] = {}
    left = list(new)
    for is_same in (lambda a, b: (a.made, a.name) == (b.made, b.name), _makes_the_same, lambda a, b: a.name == b.name):
        for one in old:
            partner = None if one.name in found else next((each for each in left if is_same(one, each)), None)
            if partner is not None:
                found[one.name] = partner
                left.remove(partner)
    return found


def _makes_the_same(one: _Test, other: _Test) -> bool:
    return one.made == other.made


def _told(old: _Test, new: _Test) -> Iterator[str]:
    """What is to be said of a test that both texts have."""
    found = [*_differences(old.expected, new.expected)]
    if old.made != new.made:
        yield f"{old.name}: it has other inputs" + (f"; {'; '.join(found)}" if found else "")
        return
    if old.row != new.row:
        found.append("it ends otherwise, or prints something else")
    if found:
        yield f"{old.name}: {'; '.join(found)}" + (f" (now {new.name})" if new.name != old.name else "")


def _differences(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Statements by what they are about; those that are no veer_expect_... are compared as they stand."""
    before, after = dict(map(_about, old)), dict(map(_about, new))
    for what, value in before.items():
        if what not in after:
            yield f"{_short(what)} is no longer expected" if value else f"`{what}` is gone"
        elif after[what] != value:
            words = ("returned {}, now returns {}") if what == "result" else f"{_short(what)} was {{}}, is now {{}}"
            yield words.format(_short(value), _short(after[what]))
    for what, value in after.items():
        if what not in before:
            yield f"{_short(what)} is now expected to be {_short(value)}" if value else f"`{what}` is new"


def _about(statement: str) -> tuple[str, str]:
    """What a statement is about, and the value that it expects: ("result", "-1"); any other one, and ""."""
    found = _PLAIN.fullmatch(statement)
    if found is None:
        return statement, ""
    if found["kind"] == "freed":
        return f"whether {found['what']} is freed", "so"
    if found["kind"] == "block":
        return found["what"], "a pointer"
    if found["kind"] == "null":
        return found["what"], "NULL" if found["rest"].endswith(", 1") else "a pointer"
    if found["kind"] == "same":
        return found["what"], found["rest"].rpartition(', "')[2].rstrip('"')
    value = found["rest"].removeprefix(_place(found["rest"])).removeprefix(", ")
    return found["what"], value


def _place(rest: str) -> str:
    """The first of the arguments `place, value`, whose parentheses may hold commas."""
    depth, is_quoted, is_escaped = 0, False, False
    for at, letter in enumerate(rest):
        if is_quoted:
            is_quoted = letter != '"' or is_escaped
            is_escaped = letter == "\\" and not is_escaped
        elif letter == '"':
            is_quoted = True
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "," and depth == 0:
            return rest[:at]
    return rest


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
