"""What veer says of a program against what brute force saw: each difference is a `Wrong`, of a kind of GRAVITY."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scale.brute import Brute, Truth, has_sanitisers, seen_by_sanitisers
from scale.generator import Program
from scale.marked import marks
from scale.searched import TWO_BRANCHES, Said, written_by_name

GRAVITY = (
    "false bug",
    "wrong claim",
    "missed bug",
    "wrong infeasible",
    "wrong outcome",
    "wrong result",
    "wrong path count",
    "wrong covered",
    "unseen by sanitisers",
    "divergence",
    "weak",
)
"""Kinds of differences, the gravest first. `weak`: no claim though nothing forbids one, but the reason is told."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """One difference. `kind` is of GRAVITY, `about` names what differs."""

    kind: str
    about: str
    detail: str = ""

    @property
    def shape(self) -> str:
        """The same for two programs that fail in the same way, mostly: not the text of a branch."""
        return "" if self.kind in ("wrong infeasible", "wrong covered", "weak") else self.about

    def __str__(self) -> str:
        return f"{self.kind}: {self.about}{f' ({self.detail})' if self.detail else ''}"


def judge(program: Program, brute: Brute, truth: Truth, said: Said) -> list[Wrong]:
    """All differences, the gravest first."""
    found = [
        *_tests(program, brute, said),
        *_branches(program, truth, said),
        *_bugs(program, truth, said),
        *_claims(truth, said, brute),
    ]
    return sorted(set(found), key=lambda each: (GRAVITY.index(each.kind), each.about))


def _tests(program: Program, brute: Brute, said: Said) -> Iterator[Wrong]:
    """Each test does on gcc's build what it says."""
    rows = brute.run([answer.vector for answer in said.answers]).rows
    for answer in said.answers:
        row = rows[answer.vector]
        about = f"{answer.name} {answer.vector}"
        if not _is_meant(answer.outcome, row.outcome):
            yield Wrong("wrong outcome", f"{answer.outcome} is {row.outcome}", about)
        elif answer.result is not None and row.outcome in ("returned", "exited") and row.result != answer.result:
            yield Wrong("wrong result", program.returns, f"{about}: {answer.result.hex()} is {row.result.hex()}")
        elif row.outcome == "returned":
            memory = written_by_name(program, row)
            for name, after in answer.written:
                seen = memory.get(name, after)
                if after[: len(seen)] != seen:  # an argument may be an array, of which only the beginning is used
                    yield Wrong("wrong result", f"written {name}", f"{about}: {after.hex()} is {seen.hex()}")


def _branches(program: Program, truth: Truth, said: Said) -> Iterator[Wrong]:
    for mark in marks(program.lines):
        for number, side in enumerate(mark.sides):
            state = said.branches.get((mark.line, side))
            is_taken = (mark.line, number) in truth.taken
            about = f"{program.text.splitlines()[mark.line - 1].strip()} {side}"
            if state == "infeasible" and is_taken:
                yield Wrong("wrong infeasible", about, f"line {mark.line}")
            if state == "covered" and not is_taken:
                yield Wrong("wrong covered", about, f"line {mark.line}")
            if (
                state not in ("covered", TWO_BRANCHES, None)
                and is_taken
                and said.claim in ("paths", "locations", "criterion")
            ):
                yield Wrong("wrong claim", f"claim {said.claim}, branch {state}", f"line {mark.line}: {about}")


def _bugs(program: Program, truth: Truth, said: Said) -> Iterator[Wrong]:
    for outcome, line in said.bugs:
        if not any(_is_meant(outcome, fault) and line == at for fault, at in truth.faults):
            yield Wrong("false bug", outcome, f"line {line}")
    if said.claim in ("paths", "locations"):
        for outcome, line in truth.faults:
            if any(_is_meant(bug, outcome) and line == at for bug, at in said.bugs):
                continue
            yield Wrong("missed bug", f"{outcome} with claim {said.claim}", f"line {line}")
    by_name = {answer.name: answer for answer in said.answers}
    shown = [by_name[name] for name in said.bugs.values() if name in by_name and by_name[name].outcome != "hang"]
    if shown and has_sanitisers():
        for answer, is_seen in zip(
            shown, seen_by_sanitisers(program, [answer.vector for answer in shown]), strict=True
        ):
            if not is_seen:
                yield Wrong("unseen by sanitisers", answer.outcome, f"{answer.name} {answer.vector}")


def _is_meant(said: str, seen: str) -> bool:
    """Whether an outcome that veer tells is this one: an index behind its array is the compiler's check's, too."""
    return said == seen or (said == "undefined" and seen.startswith("out-of-bounds"))


def _claims(truth: Truth, said: Said, brute: Brute) -> Iterator[Wrong]:
    if said.result.diverged and not said.lost_by:
        yield Wrong("divergence", f"claim {said.claim}", f"{said.result.diverged} runs")
    if said.claim == "none" and not said.lost_by and said.is_spent:
        yield Wrong("wrong claim", "no claim and no reason")
    if said.claim != "paths":
        if said.claim == "none":
            yield Wrong("weak", "; ".join(said.lost_by) or said.ending)
        return
    if said.has_every_path:
        rows = brute.run([answer.vector for answer in said.answers]).rows
        found = {row.ending for row in rows.values()}
        missed = truth.endings - found
        if missed:
            example = next(vector for vector, row in truth.rows.items() if row.ending in missed)
            what = "a path"
            if {path for path, *_ in missed} <= {row.path for row in rows.values()}:
                what = "an ending of a path"
                if {(path, *end) for path, _, *end in missed} <= {
                    (row.path, row.outcome, row.line) for row in rows.values()
                }:
                    what = "a called function"
            yield Wrong("wrong claim", f"claim paths without {what}", f"{len(missed)} missed, as {example}")
