"""Halves of the cases: two commits one after the other run all of them, and no test is left out."""

import pytest
from sampling import FEWEST, HALVED, ROOT, half, turn

FOLDER = HALVED[0]
MANY = [f"{FOLDER}test_a.py::test_many[{each}]" for each in range(7)]
FEW = [f"{FOLDER}test_a.py::test_few[{each}]" for each in range(FEWEST - 1)]
ALONE = [f"{FOLDER}test_a.py::test_alone"]
ELSEWHERE = [f"tests/unit/test_b.py::test_many[{each}]" for each in range(7)]


def test_the_two_halves_are_all_cases_and_share_none() -> None:
    first, second = half(MANY, 0), half(MANY, 1)
    assert first | second == set(MANY)
    assert not first & second
    assert abs(len(first) - len(second)) <= 1


def test_what_has_few_cases_or_none_is_always_run() -> None:
    for which in (0, 1):
        assert half([*MANY, *FEW, *ALONE, *ELSEWHERE], which) >= {*FEW, *ALONE, *ELSEWHERE}


def test_cases_of_two_tests_are_halved_apart() -> None:
    others = [each.replace("test_many", "test_more") for each in MANY[:3]]
    mixed = [each for pair in zip(MANY, [*others, *others, *others], strict=False) for each in pair]
    kept = half(list(dict.fromkeys(mixed)), 0)
    assert len(kept & set(MANY)) == 4
    assert len(kept & set(others)) == 2


def test_what_is_halved_is_there() -> None:
    for each in HALVED:
        assert (ROOT / each).exists(), each


def test_the_turn_is_what_is_asked_for_and_else_changes_with_each_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    for chosen in ("0", "1", "all"):
        monkeypatch.setenv("VEER_HALF", chosen)
        assert turn() == chosen
    monkeypatch.delenv("VEER_HALF")
    counted = iter(("41\n", "42\n"))

    class Said:
        returncode = 0

        def __init__(self) -> None:
            self.stdout = next(counted)

    monkeypatch.setattr("sampling.subprocess.run", lambda *_, **__: Said())
    assert [turn(), turn()] == ["1", "0"]


def test_without_git_the_first_half_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(*_: object, **__: object) -> None:
        raise FileNotFoundError("git")

    monkeypatch.delenv("VEER_HALF", raising=False)
    monkeypatch.setattr("sampling.subprocess.run", absent)
    assert turn() == "0"
