"""Parts of the cases: three commits one after the other run all of them, and no test is left out."""

import pytest
from sampling import FEWEST, PARTS, ROOT, SPREAD, SPREAD_WHOLE, part, turn

FOLDER = SPREAD[0]
WHOLE = SPREAD_WHOLE[0]
MANY = [f"{FOLDER}test_a.py::test_many[{each}]" for each in range(7)]
FEW = [f"{FOLDER}test_a.py::test_few[{each}]" for each in range(FEWEST - 1)]
ALONE = [f"{FOLDER}test_a.py::test_alone"]
ELSEWHERE = [f"tests/unit/test_b.py::test_many[{each}]" for each in range(7)]


def test_the_parts_are_all_cases_and_share_none() -> None:
    parts = [part(MANY, which) for which in range(PARTS)]
    assert sorted(each for cases in parts for each in cases) == sorted(MANY)
    sizes = [len(cases) for cases in parts]
    assert max(sizes) - min(sizes) <= 1


def test_what_lies_elsewhere_is_always_run() -> None:
    here = [each.replace(FOLDER, "tests/unit/") for each in (*MANY, *FEW, *ALONE)]
    for which in range(PARTS):
        assert part([*MANY, *here, *ELSEWHERE], which) >= {*here, *ELSEWHERE}


def test_tests_with_few_cases_or_none_are_spread_whole() -> None:
    assert WHOLE == FOLDER
    tests = [*FEW, *ALONE, f"{WHOLE}test_b.py::test_alone", f"{WHOLE}test_c.py::test_alone"]
    parts = [part(tests, which) for which in range(PARTS)]
    assert sorted(each for kept in parts for each in kept) == sorted(tests)
    assert all(kept for kept in parts)
    assert any(set(FEW) <= kept for kept in parts)


def test_slow_tests_are_spread_wherever_they_are() -> None:
    alone = [f"tests/unit/test_{letter}.py::test_alone" for letter in "efgh"]
    parts = [part([*ELSEWHERE, *alone], which, {*alone, *ELSEWHERE[:3]}) for which in range(PARTS)]
    assert all(kept > set(ELSEWHERE[3:]) for kept in parts)
    assert sorted(each for kept in parts for each in kept - set(ELSEWHERE)) == sorted(alone)


def test_tests_of_other_folders_with_few_cases_are_always_run() -> None:
    (folder, *_) = [each for each in SPREAD if each not in SPREAD_WHOLE]
    alone = f"{folder}test_d.py::test_alone"
    assert all(alone in part([alone, *MANY], which) for which in range(PARTS))


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
