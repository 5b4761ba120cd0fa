"""Instrumented programs behave as plain ones, and their shadows agree with their values (mirror_runtime.c)."""

from __future__ import annotations

from pathlib import Path

import pytest
from ir_fixtures import PROGRAMS, executable, instrumented, plain_executable, prepared_file, ran, source_lines

pytestmark = pytest.mark.xdist_group("ir_behaviour")
CHECKS = "signed-integer-overflow,integer-divide-by-zero,shift,bounds,unreachable,vla-bound,bool,enum,alignment,null"
SAFE_CHECKS = "bounds,null,bool,enum,integer-divide-by-zero,vla-bound,return,unreachable,alignment"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ir")


@pytest.fixture(scope="module")
def features(folder: Path) -> str:
    return prepared_file(folder, PROGRAMS / "features.c")


@pytest.fixture(scope="module")
def plain_output(folder: Path) -> str:
    done = ran(plain_executable(folder, PROGRAMS / "features.c"))
    assert done.code == 0
    return done.output


@pytest.mark.parametrize("level", [0, 1])
def test_a_tour_of_c_behaves_as_plain_and_shadows_agree_with_values(
    folder: Path, features: str, plain_output: str, level: int
) -> None:
    done = ran(executable(folder, instrumented(features), "mirror_runtime", level))
    assert done.output == plain_output
    assert done.code == 0


def test_the_tour_is_symbolic_and_loses_little(folder: Path, features: str) -> None:
    facts = ran(executable(folder, instrumented(features), "mirror_runtime"), "facts").output.splitlines()[-1].split()
    assert int(facts[facts.index("branches") + 1]) > 90
    assert int(facts[facts.index("operations") + 1]) > 1000
    # a vector sum, long double, inline asm: see `unsupported` in features.c
    assert 1 <= int(facts[facts.index("losses") + 1]) <= 8


def test_sanitizer_checks_are_checks_and_hold(folder: Path, plain_output: str) -> None:
    flags = (f"-fsanitize={SAFE_CHECKS}", f"-fsanitize-trap={SAFE_CHECKS}")
    unit = instrumented(prepared_file(folder, PROGRAMS / "features.c", *flags))
    done = ran(executable(folder, unit, "mirror_runtime"))
    assert done.output == plain_output


def test_arithmetic_checks_agree_with_values(folder: Path) -> None:
    flags = (f"-fsanitize={CHECKS}", f"-fsanitize-trap={CHECKS}")
    unit = instrumented(prepared_file(folder, PROGRAMS / "checks.c", *flags))
    assert any(site.kind == "check" for site in unit.sites)
    done = ran(executable(folder, unit, "mirror_runtime"), "facts")
    lines = done.output.splitlines()
    assert done.code == 0, done.output
    facts = lines[-1].split()
    assert int(facts[facts.index("checks") + 1]) >= 8
    plain = ran(plain_executable(folder, PROGRAMS / "checks.c")).output.splitlines()
    assert lines[: len(plain)] == plain


def test_the_counters_build_sees_the_same_edges_and_the_same_path(
    folder: Path, features: str, plain_output: str
) -> None:
    concolic, counters = instrumented(features), instrumented(features, mode="counters")
    assert counters.sites == concolic.sites
    assert counters.item_count == concolic.item_count
    expected = ran(executable(folder, concolic, "mirror_runtime"), "facts").output.splitlines()
    found = ran(executable(folder, counters, "plain_main"), "facts").output
    assert found.startswith(plain_output)
    assert found.splitlines()[-1] == expected[-2]
    assert found.splitlines()[-1].startswith("hash ")


def test_sites_of_the_tour_have_places_texts_and_distinct_items(features: str) -> None:
    unit = instrumented(features, source_text=source_lines)
    items = [item for site in unit.sites for item in site.items if item >= 0]
    assert sorted(items) == list(range(unit.item_count))
    decisions = [site for site in unit.sites if site.kind in ("branch", "case", "select")]
    assert all(site.file.endswith("features.c") and site.line > 0 and site.text for site in decisions)
    assert [site.id for site in unit.sites] == list(range(len(unit.sites)))
