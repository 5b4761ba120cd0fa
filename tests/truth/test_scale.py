"""Generated programs at scale: veer against every input on gcc's build, with every option (decision 0270).

./check takes three programs of one bundle; VEER_LONG=1 a thousand programs, each plainly and with two options that the
number of its bundle draws. A failing program is made small before it is shown.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import cast

import pytest
from sampling import IS_LONG, first, sampled
from scale import marked
from scale.asked import OPTIONS, PLAIN, drawn
from scale.brute import SANITISERS, Brute, Truth, has_sanitisers, seen_by_sanitisers
from scale.faults import FAULTS
from scale.generator import FEATURES, MOST_INPUTS, Program, generate
from scale.judge import Wrong, judge
from scale.marked import Node, block, line, lines_of, marks, plain
from scale.metamorphic import CHANGES, answers
from scale.searched import Said, search
from scale.shrinking import is_sound, shrunk
from scale.trial import Trial, alone, explain, serious, small, together, trial

from veer.model.errors import UsageError
from veer.model.values import replace

BUNDLE = 8
"""So many programs are searched at once: a campaign's builds take longer than its search."""
PROGRAMS = 7 * BUNDLE * len(OPTIONS)
"""A thousand and some, so that each option is drawn as often as the others."""
BUNDLES = sampled(range(PROGRAMS // BUNDLE), lambda number: number == 5)
SOUND = first(4, PROGRAMS)
SAME = 200 if IS_LONG else 4


@pytest.mark.parametrize("number", BUNDLES)
def test_veer_says_of_programs_what_all_of_their_inputs_show(number: int) -> None:
    seeds = range(number * BUNDLE, (number + 1) * BUNDLE if IS_LONG else number * BUNDLE + 3)
    for program in together(seeds)[: None if IS_LONG else 1]:
        for names in (PLAIN, drawn(number)):
            found = trial(program, names)
            assert not serious(found.wrongs), explain(alone(found, seeds))


@pytest.mark.skipif(not has_sanitisers(), reason="gcc and its sanitisers judge what is undefined: gcc is not here")
@pytest.mark.parametrize("seed", SOUND)
def test_a_program_leaves_nothing_undefined_but_its_planted_bugs(seed: int) -> None:
    """Over all of its inputs; and a planted bug that an input meets is seen by the sanitisers in the plain text."""
    program = generate(seed)
    assert len(program.vectors()) <= MOST_INPUTS
    truth = Brute(program, *SANITISERS).all()
    assert is_sound(program) and not any(row.outcome == "hang" for row in truth.rows.values())
    shown = {row.ending[2:]: vector for vector, row in truth.rows.items() if (row.outcome, row.line) in truth.faults}
    assert all(seen_by_sanitisers(program, list(shown.values())))
    fine = [vector for vector, row in truth.rows.items() if row.outcome in ("returned", "exited")][:3]
    assert not any(seen_by_sanitisers(program, fine))


@pytest.mark.parametrize("change", CHANGES)
def test_a_program_that_means_the_same_does_the_same(change: str) -> None:
    for program, other in islice(changed(change), SAME):
        before, after = Brute(program).all(), Brute(other).all()
        assert [row.result for row in before.rows.values()] == [row.result for row in after.rows.values()]
        assert sides(before, program.lines) == sides(after, other.lines)


def changed(change: str) -> Iterator[tuple[Program, Program]]:
    """Programs with what the change makes of them, if it makes something else."""
    for seed in count():
        program = generate(seed)
        other = CHANGES[change](program, random.Random(seed))
        if program.text != other.text:
            yield program, other


def sides(truth: Truth, lines: list[str]) -> Counter[tuple[str, int]]:
    """How many branches of each kind were taken to each of their sides."""
    kinds = {mark.line: "|".join(mark.sides) for mark in marks(lines)}
    return Counter((kinds[number], side) for number, side in truth.taken)


@pytest.mark.parametrize("change", sampled(CHANGES, lambda name: name == "split"))
def test_veer_says_the_same_of_a_program_that_means_the_same(change: str, tmp_path: Path) -> None:
    for pair in islice(changed(change), 100 if IS_LONG else 1):
        paths = len(Brute(pair[0]).all().endings)
        said = [answers(each, search(each, PLAIN, tmp_path, paths)) for each in pair]
        assert said[0] == said[1], pair[1].text


def test_every_option_meets_a_hundred_programs() -> None:
    counts = Counter(name for number in range(PROGRAMS // BUNDLE) for name in drawn(number))
    assert set(counts) == set(OPTIONS)
    assert PROGRAMS >= 1000 and BUNDLE * min(counts.values()) >= 100, counts


def test_every_feature_and_every_bug_is_generated() -> None:
    programs = [generate(seed) for seed in range(300)]
    names = Counter(name for program in programs for name in (*program.features, *program.faults))
    assert {feature.name for feature in FEATURES} | {fault.name for fault in FAULTS} <= set(names)
    assert len({program.returns for program in programs}) > 6
    assert generate(3) == generate(3) != replace(generate(4), seed=3)


def test_marks_are_rendered_for_either_side() -> None:
    node = block("if (‹a > 1›) {", [line("‹fault division|b == 0›a /= b;"), line("‹call|table[a]›(2);")])
    lines = [*lines_of(node), "switch (‹switch 0 3|a & 3›) {", "‹unit›static int x;"]
    assert plain(lines).splitlines()[:3] == ["if (a > 1) {", "    a /= b;", "    table[a](2);"]
    assert plain(lines).splitlines()[4:] == ["switch (a & 3) {", "static int x;"]
    text = marked.brute(lines)
    assert 'if (bf_side(1, a > 1)) {\n    if (b == 0) bf_end(2, "division"); a /= b;' in text
    assert "bf_switch(5, a & 3, 2, (const long long[]){0, 3})" in text and "BF_UNIT static int x;" in text
    assert [(mark.line, mark.sides) for mark in marks(lines)] == [
        (1, ("false", "true")),
        (5, ("case 0", "case 3", "default")),
    ]


@pytest.fixture(scope="module")
def brute() -> Brute:
    """Of a program that divides by zero for some inputs."""
    programs = (each for each in map(generate, count()) if each.faults == ("division",))
    return next(each for each in map(Brute, programs) if each.all().faults and len(each.all().endings) > 4)


@pytest.fixture(scope="module")
def truth(brute: Brute) -> Truth:
    return brute.all()


@pytest.fixture(scope="module")
def said(brute: Brute, truth: Truth, tmp_path_factory: pytest.TempPathFactory) -> Said:
    return search(brute.program, PLAIN, tmp_path_factory.mktemp("judged"), len(truth.endings))


@pytest.mark.xdist_group("judged")
class TestJudge:
    """A veer that lies is found out: what one program's campaign said is altered, and judged."""

    def kinds(self, brute: Brute, truth: Truth, said: Said) -> set[str]:
        return {wrong.kind for wrong in judge(brute.program, brute, truth, said)}

    def test_the_truth_is_accepted(self, brute: Brute, truth: Truth, said: Said) -> None:
        assert said.claim == "paths" and said.bugs and not self.kinds(brute, truth, said)

    def test_a_path_that_no_test_takes(self, brute: Brute, truth: Truth, said: Said) -> None:
        kept = {answer.name for answer in said.answers} - set(said.bugs.values())
        fewer = tuple(answer for answer in said.answers if answer.name != min(kept))
        assert "wrong claim" in self.kinds(brute, truth, replace(said, answers=fewer))

    def test_a_bug_that_is_missed_and_one_that_is_none(self, brute: Brute, truth: Truth, said: Said) -> None:
        assert "missed bug" in self.kinds(brute, truth, replace(said, bugs={}))
        false = {**said.bugs, ("abort", 1): ""}
        assert "false bug" in self.kinds(brute, truth, replace(said, bugs=false))

    def test_a_branch_that_is_called_infeasible(self, brute: Brute, truth: Truth, said: Said) -> None:
        branches = dict.fromkeys(said.branches, "infeasible")
        assert {"wrong infeasible", "wrong claim"} <= self.kinds(brute, truth, replace(said, branches=branches))
        assert "wrong covered" in self.kinds(brute, Truth(truth.rows, frozenset()), said)

    def test_a_test_that_does_something_else(self, brute: Brute, truth: Truth, said: Said) -> None:
        returned = next(answer for answer in said.answers if answer.outcome == "returned")
        others = tuple(answer for answer in said.answers if answer != returned)
        for wrong in (replace(returned, outcome="abort"), replace(returned, result=b"wrong")):
            expected = "wrong outcome" if wrong.outcome == "abort" else "wrong result"
            assert expected in self.kinds(brute, truth, replace(said, answers=(wrong, *others)))

    def test_a_bug_that_its_input_does_not_show(self, brute: Brute, truth: Truth, said: Said) -> None:
        if not has_sanitisers():
            pytest.skip("gcc and its sanitisers judge what is undefined: gcc is not here")
        returned = next(answer.name for answer in said.answers if answer.outcome == "returned")
        moved = dict.fromkeys(said.bugs, returned)
        assert "unseen by sanitisers" in self.kinds(brute, truth, replace(said, bugs=moved))


def test_brute_force_gives_numbers_above_the_signed_ones_as_they_are() -> None:
    masked = generate(339)  # its unsigned long is masked with 7
    assert "unsigned long a" in masked.text
    found = Brute(masked).run([(3,), ((1 << 63) + 3,), ((1 << 64) - 5,)]).rows
    assert len({row.ending for row in found.values()}) == 1
    assert len({row.result for row in found.values()}) == 1


def test_a_failing_program_is_made_small() -> None:
    program = next(p for p in map(generate, count()) if "switch (" in p.text and len(p.lines) > 60)
    small = shrunk(program, lambda each: "switch (" in each.text, 2000, lambda _: True)
    assert "switch (" in small.text and len(small.lines) < len(program.lines) / 2
    assert shrunk(program, lambda each: each == program, 100, lambda _: True) == program
    assert shrunk(program, lambda each: "switch (" in each.text, 2000, lambda _: False) == program
    few = shrunk(program, lambda each: "switch (" in each.text, 1, lambda _: True)
    assert len(small.lines) < len(few.lines) <= len(program.lines)


def test_a_program_that_only_veer_cannot_compile_is_no_smaller_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(program: Program, names: tuple[str, ...]) -> Trial:
        refusals.append(program)
        raise UsageError(f"seed {program.seed} with {names}: `div` is not declared")

    refusals: list[Program] = []
    monkeypatch.setattr("scale.trial.trial", refused)
    monkeypatch.setattr("scale.trial.shrunk", partial(shrunk, sound=lambda _: True))
    program = generate(0)
    wrong = Wrong("wrong claim", "of locations")
    assert small(Trial(program, (), 1, cast(Said, None), (wrong,)), 6) == program
    assert refusals


def test_what_reads_unwritten_memory_or_does_not_compile_is_not_sound() -> None:
    program = generate(0)
    assert is_sound(program)
    for text in ("int unset; r = unset;", "unknown = 1;", "int many[2]; r = many[2];"):
        entry = replace(program.entry, body=_after_r(program, text))
        assert not is_sound(replace(program, entry=entry)), text


def _after_r(program: Program, text: str) -> tuple[Node, ...]:
    """The entry's statements with this one behind the declaration of r, whose value it returns."""
    at = next(k for k, node in enumerate(program.entry.body) if node.parts == ("int r = 0;",)) + 1
    return (*program.entry.body[:at], line(text), line("return r;"))
