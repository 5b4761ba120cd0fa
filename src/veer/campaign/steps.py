"""The steps of one campaign behind its build: the searches, and what is made of what they found."""

from __future__ import annotations

import contextlib
import platform
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path

from msgspec import Struct

from veer.campaign import failures, reach, session
from veer.campaign.behind import NOTHING_BEHIND, Behind, behind
from veer.campaign.between import Confirmed, MeasuredCoverage
from veer.campaign.languages import renderer, with_words
from veer.campaign.newcode import NOT_BUILT, Rebuilding, is_worth_it, joined, known_targets
from veer.campaign.otherbuilds import OtherBuilds
from veer.campaign.written import WrittenTests
from veer.execution.interruption import Interruption, interruptions
from veer.findings.contradiction import Contradictions
from veer.findings.mcdc import MOST_CANDIDATES
from veer.findings.replaying import Judge, Replayed, coverage, differing, replayed, within
from veer.findings.rerun import Recorded
from veer.findings.synthesis import Synthesis
from veer.findings.uncovered import branches
from veer.frontends.protocol import Built, Language, Replayer, WrittenSuite
from veer.model.buildoptions import BuildOptions
from veer.model.confinement import OFF
from veer.model.ending import Claim, Ending, EndingKind
from veer.model.fingerprint import with_fingerprints
from veer.model.growth import Doublings
from veer.model.progress import Progress
from veer.model.replay import Want
from veer.model.result import Result, in_order
from veer.model.values import replace
from veer.oracles.protocol import judged, oracles
from veer.search import statistics
from veer.search.coverage import Items
from veer.search.ending import doubted, names_what_may_differ
from veer.search.growing import Growing, Searches, Step
from veer.search.node_counts import NodeCounts
from veer.search.protocol import AUTO
from veer.search.reachable import counted_sites, left_out, reachable_functions
from veer.search.scene import Beside, Scene
from veer.search.settings import configure
from veer.search.snapshot import snapshot
from veer.smt.arena import Arena
from veer.smt.chain import chain
from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.protocol import SmtOptions, Solver
from veer.smt.registry import chosen
from veer.store.saver import Saver
from veer.store.sources import source_texts
from veer.store.whole import plain
from veer.wire.fields import Array
from veer.wire.mutations import Mutations
from veer.wire.shared import Shared


class Campaign(Struct, frozen=True):
    """The steps of one campaign: its search, and what is made of what it found.

    `compiled`: seconds. `memories`: of the searches within larger bounds; `behind`: the time behind them.
    """

    scene: Scene
    saver: Saver | None
    language: Language
    built: Built
    compiled: float
    memories: contextlib.ExitStack
    rebuilding: Rebuilding
    behind: Behind = NOTHING_BEHIND

    @property
    def build(self) -> BuildOptions:
        """What decided the executable."""
        return self.built.options

    def result(self) -> Result:
        """Searches, re-runs, replays."""
        configure(self.scene.shared, self.scene.program, self.build, self.scene.options, seconds=self.age())
        began = time.monotonic()
        with interruptions() as interruption:
            last, searches = self.searched(interruption)
            there = replace(last, scene=searches.last.scene, behind=last._behind(began + last.compiled - self.compiled))
            confirmed = there._confirmed(searches, interruption)
            return there._told(searches, confirmed)

    def age(self) -> float:
        """Seconds since the campaign began."""
        return time.monotonic() - self.scene.start

    def _behind(self, began: float) -> Behind:
        """The time behind a search that began then."""
        program, search = self.scene.program, self.scene.options
        return behind(search, began, partial(reach.asks, program, self.build, search))

    def searched(self, interruption: Interruption) -> tuple[Campaign, Searches]:
        """All searches, and the campaign with the program of the last: built again where allocations are to fail, and
        with code that runs came to."""
        there, deadline = self, time.monotonic() + self.scene.options.budget
        first = there._first(interruption, deadline)
        there, tried = there._with_failures(first, interruption, deadline)
        deadline += tried.building
        there, step = there._with_new_code(tried.step, interruption, deadline)
        searches = failures.claimed(there._grown(step, interruption, deadline), tried)
        while there._is_new_code_due(searches.last, interruption, deadline):
            there, step = there._with_new_code(searches.last, interruption, deadline)
            searches = joined(searches, there._grown(step, interruption, deadline))
        return there, searches

    def _is_new_code_due(self, last: Step, interruption: Interruption, deadline: float) -> bool:
        """Whether the search met code that the program does not have, and time is left to build and search it."""
        options, until = self.scene.options, deadline - self.scene.program.seconds  # a build takes as long as the last
        if interruption.is_pressed() or (options.max_runs and last.scene.shared.counts.runs >= options.max_runs):
            return False
        return is_worth_it(known_targets(last, self.build), self.build, until)

    def _with_new_code(self, last: Step, interruption: Interruption, deadline: float) -> tuple[Campaign, Step]:
        """The campaign with the code that searches met, until they meet no more, and its search."""
        there = self
        while there._is_new_code_due(last, interruption, deadline):
            began, known = time.monotonic(), known_targets(last, there.build)
            scene, built = there.rebuilding.again(last.scene, there.built, known, there.saver)
            building = time.monotonic() - began
            configure(scene.shared, scene.program, built.options, scene.options, seconds=there.age())
            there = replace(there, scene=scene, built=built, compiled=there.compiled + building)
            again = there._first(interruption, deadline)
            last = replace(again, searched=again.searched.behind(last.searched))
        return there, last

    def _first(self, interruption: Interruption, deadline: float) -> Step:
        """The search within the first bounds."""
        interruption.begin(self._stop)
        kinds = session.growing_bounds(self.build, self.scene.options, self.scene.program)
        options = replace(self.scene.options, budget=max(0.001, deadline - time.monotonic()))
        options = session.leaving_time(options, kinds, self.scene.program)
        if failures.may_be(options, self.scene.program, self.build, self.language):
            options = failures.leaving_time(options)
        scene = replace(self.scene, options=options, beside=self._beside())
        step = session.first_step(scene, partial(self._again, scene, interruption))
        return replace(step, scene=replace(step.scene, options=self.scene.options, beside=None))

    def _beside(self) -> Beside | None:
        """What builds the program for other searches, where the search tries any."""
        if self.scene.options.search != AUTO or self.build.unasked_failures:
            return None
        made = self.rebuilding
        pool = ThreadPoolExecutor(1)
        self.memories.callback(pool.shutdown, wait=False, cancel_futures=True)
        return OtherBuilds(self.build, self.language.takes, made.build, made.tools, self.memories, pool)

    def _again(self, scene: Scene, interruption: Interruption) -> Scene:
        """The scene in an empty memory, in which the runs so far count."""
        shared, old = self.memories.enter_context(Shared()), scene.shared
        configure(shared, scene.program, self.build, scene.options, seconds=self.age())
        shared.counts.runs = old.counts.runs
        shared.command.stop = old.command.stop
        scene.tools.release()
        again = replace(scene, shared=shared)
        interruption.begin(replace(self, scene=again)._stop)
        return again

    def _with_failures(
        self, first: Step, interruption: Interruption, deadline: float
    ) -> tuple[Campaign, failures.Tried]:
        """The campaign and its search, and where that covers more those of the program whose allocations may fail."""
        is_over = interruption.is_pressed() or not failures.is_worth_it(first, self.build, self.language, deadline)
        if is_over:
            return self, failures.Tried(first)
        began, end = time.monotonic(), failures.end_of(first, deadline)
        scene, built = self.rebuilding.beside(first.scene, failures.with_failures(self.build))
        building = time.monotonic() - began  # which the budget does not bound
        own = replace(self, compiled=self.compiled + building)
        scene = replace(scene, options=failures.briefly(scene.options), checkpoints=None)
        configure(scene.shared, scene.program, built.options, scene.options, seconds=self.age())
        there = replace(own, scene=scene, built=built)
        step = there._first(interruption, end + building)
        scene.tools.release()
        if not failures.is_better(first, step):
            step.scene.shared.close()
            return own, failures.Tried(first, building=building)
        scene = replace(scene, options=self.scene.options)
        tried = failures.Tried(failures.joined(first, replace(step, scene=scene)), first.ending(), building)
        first.scene.shared.close()
        return replace(there, scene=scene), tried

    def _grown(self, first: Step, interruption: Interruption, deadline: float) -> Searches:
        """The search, and those within larger bounds."""
        kinds = session.growing_bounds(self.build, self.scene.options, self.scene.program)
        seen = first.scene.shared.region("specification_states").copy()  # that memory may be closed by then
        return Growing(first, kinds, deadline, partial(self._larger, interruption, seen)).searches()

    def _larger(self, interruption: Interruption, seen: Array, doublings: Doublings) -> Shared:
        """A memory for a search within larger bounds, which Ctrl-C ends from now on. `seen`: by specifications."""
        scene = replace(self.scene, shared=self.memories.enter_context(Shared()))
        configure(scene.shared, scene.program, self.build, scene.options, doublings, seconds=self.age())
        scene.shared.region("specification_states")[:] = seen
        if interruption.is_pressed():
            scene.shared.command.stop = 1
        else:
            interruption.begin(replace(self, scene=scene)._stop)
        return scene.shared

    def _confirmed(self, searches: Searches, interruption: Interruption) -> Confirmed:
        """What the search found, run again and replayed."""
        scene, searched = self.scene, searches.last.searched
        shared, program, search = scene.shared, scene.program, scene.options
        diverged = shared.counts.diverged
        scene.reporter().sample()
        queries, operations = statistics.queries(shared, searched.queries), statistics.operations(shared)
        interruption.begin()
        judge = self._judge(interruption)
        found = self._kept(judge)
        ended = searches.ending(diverged)  # after the re-runs, for they may have shown a divergence
        interruption.begin()
        is_complete = ended.claim is Claim.PATHS and searched.has_run_every_path and self._shows_all(searched.paths)
        again, notes, doubts = self._replayed(found, judge, interruption, is_complete=is_complete)
        if not names_what_may_differ(shared, program):
            ended = doubted(ended, doubts)
        bugs, failed = judged(program, oracles(search.oracles), again.tests, again.bugs)
        again = replace(again, bugs=in_order(bugs))
        if interruption.was_pressed:
            ended = replace(ended, kind=EndingKind.STOPPED)
        notes = (*searched.notes, *again.notes, *notes, *failed)
        return Confirmed(again, ended, diverged, queries, operations, found.notes, notes)

    def _replayed(
        self, found: Recorded, judge: Judge, interruption: Interruption, *, is_complete: bool
    ) -> tuple[Replayed, tuple[str, ...], tuple[str, ...]]:
        """Tests and bugs as replays confirm them, in the campaign's own harness and in a suite; notes on that; and why
        nothing may be claimed. Where a replay says what a test is to expect, the suite is looked at again."""
        if self.scene.options.sought:
            return (replayed(found, judge) if found.tests else Replayed((), ())), (), ()
        with ThreadPoolExecutor(1) as beside:
            written = beside.submit(self._written(interruption).verdicts, found.tests)
            again = replayed(found, judge, is_complete=is_complete)
            look = written.result()
        expected = {test.name: test.returned for test in found.tests}
        if any(test.returned != expected[test.name] for test in again.tests):
            look = self._written(interruption).verdicts(again.tests)
        return look.applied(again), look.notes, differing(again.tests)

    def _told(self, searches: Searches, confirmed: Confirmed) -> Result:
        """All of it, with what was covered."""
        scene, searched = self.scene, searches.last.searched
        shared, program, search = scene.shared, scene.program, scene.options
        again = confirmed.again
        reached = self._reached(again, confirmed.ended, searched.counts)
        texts = source_texts(program, reached.branches, again.bugs, reached.lines)
        is_behind = known_targets(searches.last, self.build) != self.build.jump_targets
        own = [failures.NOTE] * program.has_unasked_failures + [NOT_BUILT] * is_behind
        notes = (*program.notes, *own, *confirmed.first, *reached.notes, *confirmed.notes)
        return Result(
            program=replace(program, confinement=OFF, notes=notes),
            seed=search.seed,
            strategy=search.strategy,
            options=plain({**asdict(self.build), **asdict(search)}),
            ending=confirmed.ended,
            runs=searches.runs,
            paths=searched.paths,
            diverged=confirmed.diverged,
            queries=confirmed.queries,
            coverage=reached.coverage,
            branches=reached.branches,
            bugs=with_fingerprints(program.entry, again.bugs, texts),
            tests=with_words(program, again.tests),
            ledger=statistics.ledger(shared, program),
            seconds=statistics.seconds(
                shared,
                searched.queries,
                total=self.age(),
                compile=self.compiled,
                search=searched.seconds,
            ),
            platform=f"{platform.system()} {platform.machine()}",
            toolchain=self.built.toolchain,
            lines=reached.lines,
            functions=reached.functions,
            samples=scene.history.samples,
            tree=snapshot(shared, program),
            operations=confirmed.operations,
            decisions=reached.decisions,
            partition=searched.partition,
            summaries=searched.summaries,
            texts=texts,
            growth=searches.growth,
            watched=statistics.watched(shared, program),
            mutated_runs=shared.control(Mutations).mutated_runs,
            files=dict(self.built.files),
            builds=failures.builds(self.build),
        )

    def _shows_all(self, paths: int) -> bool:
        """Whether the vectors of all these paths are looked at for MC/DC."""
        return self.scene.options.criterion == "mcdc" and paths <= MOST_CANDIDATES

    def _reached(self, again: Replayed, ended: Ending, counts: NodeCounts | None) -> MeasuredCoverage:
        """What was covered of what the entry can reach, as the replay measured it, else as the search saw it."""
        shared, program, measured = self.scene.shared, self.scene.program, again.measured
        seen = shared.published("edge_seen")
        functions = reachable_functions(program, seen if measured is None else seen | measured.edges)
        counted = counted_sites(program, functions)
        items = Items(counted)
        measured = within(measured, {function.name for function in program.functions} - functions)
        covered = items.covered(seen if measured is None else measured.edges)
        notes = (left_out(program, counted), self.saver.failure if self.saver is not None else "")
        return MeasuredCoverage(
            coverage(measured, len(covered), items.total),
            branches(shared, program, ended, covered, counted, counts, self._contradictions()),
            measured.lines if measured is not None else (),
            measured.functions if measured is not None else (),
            tuple(filter(None, notes)),
            (measured.decisions or ()) if measured is not None else (),
        )

    def _contradictions(self) -> Callable[[int], str]:
        """What says what an infeasible edge contradicts, as far as the tree tells."""
        if self.build.compositional:
            return lambda edge: ""
        shared, program, until = self.scene.shared, self.scene.program, self.behind.explained
        made = cache(lambda: Contradictions(shared, program, self._solver(), until))  # most campaigns need none
        return lambda edge: made().of(edge)

    def _solver(self) -> Solver:
        """For what is asked after the search."""
        arena = Arena.of(self.scene.shared)
        options = SmtOptions(solvers=chosen(self.scene.options.solver))
        return chain(arena, ReferenceEvaluator(arena), options)

    def _judge(self, interruption: Interruption) -> Judge:
        """What says whether tests are real: a replay in their own language."""
        scene = self.scene
        replayer = self.language.replayer(self.built, scene.options.timeout)
        want = Want.ALL if scene.options.criterion == "mcdc" else Want.OUTCOME | Want.COVERAGE
        want = Want.OUTCOME if scene.options.sought else want
        return Judge(scene.program, replayer, interruption.is_pressed, want)

    def _written(self, interruption: Interruption) -> WrittenTests:
        """Whoever writes the suite, and runs it once."""
        program, seconds = self.scene.program, self.scene.options.timeout

        def run_suite(suite: WrittenSuite, scratch: Path) -> Replayer:
            return self.language.suite_replayer(suite, seconds, scratch)

        return WrittenTests(program, renderer(program.language), run_suite, interruption.is_pressed)

    def _kept(self, judge: Judge) -> Recorded:
        """Tests and bugs from fresh processes."""
        scene = self.scene
        scene.shared.command.stop = 0
        scene.report(Progress("replay", time.monotonic() - scene.start))
        return Synthesis(
            scene.shared,
            scene.program,
            scene.options.criterion,
            scene.executor,
            judge,
            self._solver,
            finds_pairs=not self.build.compositional,
            shrinking_seconds=scene.options.shrinking_seconds,
            traps=self.built.traps,
            checked_for=self.built.checked_for,
            deadline=self.behind.better,
            for_calls=self.behind.for_calls,
            seconds_of_a_hang=self.behind.hang,
            most_hangs=self.behind.most_hangs,
            sought=scene.options.sought,
        ).tests_and_bugs()

    def _stop(self) -> None:
        """Ends the search after the run that is under way."""
        self.scene.shared.command.stop = 1
