"""Parts of the cases: three commits one after the other run all of them, and no test is left out."""

import pytest
from sampling import FEWEST, PARTS, ROOT, SPREAD, part, turn

FOLDER = SPREAD[0]
MANY = [f"{FOLDER}test_a.py::test_many[{each}]" for each in range(7)]
FEW = [f"{FOLDER}test_a.py::test_few[{each}]" for each in range(FEWEST - 1)]
ALONE = [f"{FOLDER}test_a.py::test_alone"]
ELSEWHERE = [f"tests/unit/test_b.py::test_many[{each}]" for each in range(7)]


def test_the_parts_are_all_cases_and_share_none() -> None:
    parts = [part(MANY, which) for which in range(PARTS)]
    assert sorted(each for cases in parts for each in cases) == sorted(MANY)
    sizes = [len(cases) for cases in parts]
    assert max(sizes) - min(sizes) <= 1


def test_what_has_few_cases_or_none_is_always_run() -> None:
    for which in range(PARTS):
        assert part([*MANY, *FEW, *ALONE, *ELSEWHERE], which) >= {*FEW, *ALONE, *ELSEWHERE}


def test_cases_of_two_tests_are_spread_apart() -> None:
    others = [each.replace("test_many", "test_more") for each in MANY[:3]]
    mixed = [each for pair in zip(MANY, [*others, *others, *others], strict=False) for each in pair]
    kept = part(list(dict.fromkeys(mixed)), 0)
    assert len(kept & set(MANY)) == 3
    assert len(kept & set(others)) == 1


def test_what_is_spread_is_there() -> None:
    for each in SPREAD:
        assert (ROOT / each).exists(), each


def test_the_turn_is_what_is_asked_for_and_else_changes_with_each_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    for chosen in ("0", "1", "2", "all"):
        monkeypatch.setenv("VEER_PART", chosen)
        assert turn() == chosen
    monkeypatch.delenv("VEER_PART")
    counted = iter(("41\n", "42\n", "43\n"))

    class Said:
        returncode = 0

        def __init__(self) -> None:
            self.stdout = next(counted)

    monkeypatch.setattr("sampling.subprocess.run", lambda *_, **__: Said())
    assert [turn(), turn(), turn()] == ["2", "0", "1"]


def test_without_git_the_first_part_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(*_: object, **__: object) -> None:
        raise FileNotFoundError("git")

    monkeypatch.delenv("VEER_PART", raising=False)
    monkeypatch.setattr("sampling.subprocess.run", absent)
    assert turn() == "0"
