"""A witness whose pointers lead to objects of their own, and to such as are equal to no other one."""

from __future__ import annotations

from veer.findings.severity.pointing import pointed
from veer.model.severity import Broken, Judgement, Severity

NULL = Judgement(Severity.CONTRACT, (Broken("key is not null", "it needs null for `key`"),))
FREE = Judgement(Severity.ERROR)
FIRST, SECOND = 16, 20
"""Where the number behind the pointer at 0 stands, and that of another object, which is 0."""
NOTHING = bytes(24)


def test_a_number_that_may_not_equal_another_one_is_another_one() -> None:
    """`put(null); put(0);`: where the first key is 0 as well, the second call adds nothing, and nothing is wrong."""
    asked: list[tuple[int, ...]] = [(SECOND,)]

    def judged(raw: bytes, filler: int) -> tuple[bytes, Judgement] | None:
        assert not filler or raw[0]
        if not raw[0]:
            return raw, NULL
        asked.append((FIRST, SECOND))
        return (raw, FREE) if raw[FIRST] != raw[SECOND] else None

    found = pointed(NOTHING, NULL, (0,), judged, lambda: asked[-1])
    assert (found[0], found[FIRST], found[SECOND]) == (1, 1, 0)


def test_what_needs_null_stays_as_it_is() -> None:
    def judged(raw: bytes, filler: int) -> tuple[bytes, Judgement] | None:
        return None if raw[0] else (raw, NULL)

    assert pointed(NOTHING, NULL, (0,), judged, lambda: (FIRST,)) == NOTHING
