"""`veer compare`: one campaign on two versions of a function that run on the same inputs (docs/compare.md).

build of both ─► search for inputs on which they differ ─► smaller inputs ─► each version's plain build ─► Comparison
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from veer.campaign.combinations import require_combination
from veer.campaign.languages import with_words
from veer.campaign.run import campaign
from veer.campaign.steps import Campaign
from veer.execution.decode import Fault
from veer.execution.interruption import interruptions
from veer.findings import versions
from veer.findings.deadline import NEVER
from veer.findings.rerun import record_tests
from veer.frontends.protocol import VersionsReplayer
from veer.model.buildoptions import BuildOptions
from veer.model.comparison import Comparison, Difference, Look, Told
from veer.model.ending import Claim, EndingKind
from veer.model.errors import UsageError
from veer.model.outcome import Outcome
from veer.model.program import NEW_VERSION, Fact
from veer.model.progress import Progress
from veer.model.result import Confirmation, Test
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.oracles.bugs import sentence, suspects
from veer.search.ending import doubted
from veer.search.growing import Step
from veer.search.progress import Report, silent
from veer.search.selection import kept_paths
from veer.search.settings import configure
from veer.smt.registry import chosen
from veer.wire import layout as wire
from veer.wire.shared import Shared

_AT_ONCE = 2
_EVERYTHING = Look()


def compare(
    build: BuildOptions,
    search: SearchOptions,
    names: tuple[str, str],
    progress: Report = silent,
) -> Comparison:
    """The differences between the entry of `build.sources` and that of `build.against`; `names`: of the two.

    Raises:
        UsageError: a version does not compile, or has no such entry, or they are not called in the same way.
        ToolchainError, ExecutorError: something that should have worked did not.
    """
    _require(build, search)
    chosen(search.solver)
    require_combination(search)
    with Shared() as shared:
        return campaign(build, search, shared, progress, None, told=partial(_compared, names))


def _require(build: BuildOptions, search: SearchOptions) -> None:
    """Raises UsageError for what the comparison does not go together with."""
    used = (
        ("--sequence", build.sequence),
        ("--interrupt", build.interrupt),
        ("--eager", build.eager),
        ("--search and --partitioned, --compositional", search.search != "plain"),
        ("--oracle", search.oracles),
    )
    option = next((name for name, value in used if value), "")
    if option:
        raise UsageError(f"veer compare does not go with {option}: leave it out")


def _compared(names: tuple[str, str], made: Campaign) -> Comparison:
    configure(made.scene.shared, made.scene.program, made.build, made.scene.options, seconds=made.age())
    with interruptions() as interruption:
        last, searches = made.searched(interruption)
        step = searches.last
        interruption.begin()
        found = _Found(last, step, interruption.is_pressed)
        differences, unconfirmed = found.differences()
        failing = found.failing()
        same, others = found.same()
        ended = searches.ending(step.scene.shared.counts.diverged)
        told = [each for each in differences if each.confirmed is not Confirmation.NO]
        doubts = (*unconfirmed, *others)
        if interruption.was_pressed:
            ended = replace(ended, kind=EndingKind.STOPPED)
        ended = doubted(ended, doubts)
        if ended.claim is Claim.PATHS:
            ended = replace(ended, within=(*ended.within, *found.unseen()))
        program, ordered = step.scene.program, versions.in_order(told)
        return Comparison(
            entry=program.entry,
            old=names[0],
            new=names[1],
            program=program,
            ending=ended,
            differences=tuple(
                replace(each, test=test)
                for each, test in zip(ordered, with_words(program, [each.test for each in ordered]), strict=True)
            ),
            unconfirmed=tuple(doubts),
            failing=failing,
            tests=same,
            runs=searches.runs,
            paths=step.searched.paths,
            replayed=len(same) + len(differences),
            seconds=made.age(),
            notes=program.notes,
        )


class _Found:
    """What is made of the search's last step, until `stopped`."""

    def __init__(self, made: Campaign, step: Step, stopped: Callable[[], bool]) -> None:
        self._scene, self._built, self._stopped = step.scene, made.built, stopped
        replayer = made.language.replayer(made.built, step.scene.options.timeout)
        if not isinstance(replayer, VersionsReplayer):
            raise UsageError(f"veer compare knows no versions in {made.language.title}: give sources in C")
        self._replayer = replayer
        self._deadline = NEVER.working(step.scene.options.shrinking_seconds)
        self._suspects = suspects(step.scene.shared, step.scene.program)

    def differences(self) -> tuple[list[Difference], list[str]]:
        """The differences, and what the search says that no replay shows."""
        scene, traps = self._scene, dict(self._built.traps)
        shared, program = scene.shared, scene.program
        scene.shared.command.stop = 0
        scene.report(Progress("replay", time.monotonic() - scene.start))
        found, doubts = [], []
        mine = [each for each in self._suspects if each.fault.outcome is Outcome.DIFFERS]
        with contextlib.closing(scene.executor()) as fresh:
            small = []
            for place, suspect in enumerate(mine):
                part = self._deadline.part(1 / (len(mine) - place))
                shrinker = versions.DifferenceShrinker(shared, fresh, program, part)
                small.append(shrinker.of(suspect, self._stopped))
        with contextlib.closing(scene.executor()) as fresh:
            records = [versions.record(shared, fresh, program, data) for data in small]
        for number, each in enumerate(records, 1):
            if each is None:
                doubts.append("a difference did not show again in a fresh process")
                continue
            test = versions.test_of(each, number)
            told, confirmed = versions.told_of(each, program, test, self._replayer, traps)
            if confirmed is Confirmation.NO:
                doubts.append("a difference was seen by the search, and not by the plain builds")
            else:
                found.append(Difference(number, each.kind, told, test, confirmed))
        return found, doubts

    def failing(self) -> tuple[str, ...]:
        """How both versions fail alike."""
        faults = [each.fault for each in self._suspects if each.fault.outcome is not Outcome.DIFFERS]
        return tuple(f"{_place(fault)}{sentence(fault, self._built.traps)}" for fault in faults)

    def same(self) -> tuple[tuple[Test, ...], list[str]]:
        """Tests on which the versions are the same, as the plain builds show; and what these say against it."""
        scene, program = self._scene, self._scene.program
        kept = kept_paths(scene.shared, (), all_paths=False)
        outcomes = scene.shared.published("paths")["outcome"]
        paths = [path for path in kept if outcomes[path] != int(wire.Outcome.DIFFERS)]
        with contextlib.closing(scene.executor()) as fresh:
            tests = record_tests(scene.shared, fresh, program, paths, (), self._stopped).tests
        tests = tuple(each for each in tests if not each.outcome.is_bug and not each.outcome.is_limit)

        def seen(test: Test) -> Told | None:
            return None if self._stopped() else self._replayer.versions(test, _EVERYTHING)

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            told = list(pool.map(seen, tests))
        against = [
            f"{each.what} differs in a run of the plain builds: {each.old} and {each.new}"
            for each in told
            if each is not None
        ]
        return tuple(test for test, each in zip(tests, told, strict=True) if each is None), against

    def unseen(self) -> Iterator[str]:
        """What is not compared for all inputs."""
        program = self._scene.program
        called = {name for function in program.functions for name in (*function.calls, *function.takes)}
        if called & program.known_to(Fact.PRINTS):
            yield "what is printed, which is compared where it was run"
        if (self._scene.shared.published("paths")["outcome"] == int(wire.Outcome.EXITED)).any():
            yield "codes of exit that are computed, which are compared where they were run"


def _place(fault: Fault) -> str:
    """In front of what is wrong there."""
    if fault.site is None:
        return ""
    return f"{fault.site.function.removeprefix(NEW_VERSION)}:{fault.site.line}: "
