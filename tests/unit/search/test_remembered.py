"""What hangs on one frozen value is found once, and never told of another one."""

from __future__ import annotations

from veer.search.remembered import remembered


class _Value:
    def __init__(self, number: int) -> None:
        self.number = number


def test_one_value_is_asked_once_for_each_argument() -> None:
    asked: list[tuple[int, str]] = []

    @remembered
    def told(value: _Value, word: str = "") -> str:
        asked.append((value.number, word))
        return f"{word}{value.number}"

    one, other = _Value(1), _Value(1)
    assert [told(one), told(one), told(one, "a"), told(one, word="a"), told(other)] == ["1", "1", "a1", "a1", "1"]
    assert asked == [(1, ""), (1, "a"), (1, "a"), (1, "")]


def test_few_values_are_kept() -> None:
    asked: list[int] = []

    @remembered
    def told(value: _Value) -> int:
        asked.append(value.number)
        return value.number

    values = [_Value(number) for number in range(5)]
    assert [told(each) for each in (*values, values[4], values[0])] == [0, 1, 2, 3, 4, 4, 0]
    assert asked == [0, 1, 2, 3, 4, 0]
