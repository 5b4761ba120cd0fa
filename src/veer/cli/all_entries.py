"""`veer test --all`: every function, in turn or several at a time, under one budget, with one table and one summary."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from msgspec import Struct

from veer.campaign import firstbuild
from veer.campaign.bycalls import build_of, calls_for
from veer.campaign.contracts import named, of_function
from veer.campaign.forks import before_forks
from veer.campaign.languages import language_of
from veer.campaign.projects import project_root
from veer.campaign.standing import Asked, KeptRun, Standing, kept_run, standing
from veer.campaign.whole import deliver_all
from veer.cli.beginning import lines_of, quick_ones_first
from veer.cli.exit_codes import BUGS, FAILED, INTERRUPTED, NOTHING_FOUND
from veer.cli.shares import Share, Shares
from veer.cli.taking import Taking
from veer.cli.tally import Show, Tally
from veer.cli.tested import Task, Tested, is_whole, tested_of, with_also
from veer.execution.interruption import Interruption, interruptions
from veer.execution.limits import die_with
from veer.frontends.llvm import builderprocess
from veer.frontends.protocol import Entry, Keyed, Language
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError, VeerError
from veer.model.progress import Progress
from veer.model.result import Bug, Count, Result
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity
from veer.model.survey import Row, Survey
from veer.model.values import replace
from veer.report.severities import grouped
from veer.report.survey import survey_lines
from veer.search.cluster.workers import gathered
from veer.store import writer
from veer.toolchain import compiler

MOST_READERS = 4
"""Processes that take results of the last run."""
FEW = 4
"""Results that one of them takes at least."""
_CAMPAIGNS_A_PROCESSOR = 4
"""On a cluster, where most of them wait for its nodes."""
_SECONDS_BETWEEN = 1.0
"""So often it is told how far all is, though no function has ended."""
TestOne = Callable[[BuildOptions, SearchOptions, Path], Result]
"""Tests one entry and writes it to its folder."""


def test_all(
    options: Callable[[str], tuple[BuildOptions, SearchOptions]],
    out: Path,
    test_one: TestOne,
    *,
    fail_on: Severity,
    formats: Sequence[str] = (),
    show: Show = lambda _: None,
    last: KeptRun | None = None,
) -> Every:
    """Every function that the sources define, `search.jobs` at a time.

    `options`: those of a function, or with "" what holds for all. What is left of a function's share of the time goes
    to those after it. `show` is told how far it is. `formats`: of reports and suites that were asked for; `last`: what
    may stand of the last run.
    """
    build, search = options("")
    search = gathered(search)
    if last is not None or search.jobs > 1:
        builderprocess.start()  # it loads while sources are read here
    named_ones = replace(build, contracts=tuple(terms for terms in build.contracts if terms.function))
    language = language_of(build.sources)
    with _read_ahead(last, build, language):
        entries = _entries(build.sources, language.entries(named_ones))
    writer.prepare(out)
    start = time.monotonic()
    places = [f"{Path(each.file).name}:{each.line}" for each in entries]
    _require_parameters(build, entries)
    tasks = [
        _task(each, options(each.name), out, place, fail_on)
        for each, place in zip(entries, places, strict=True)
        if not each.why_not
    ]
    stands = _standing(last, tasks, (build, search)) if last is not None else Standing()
    standing_ones = [number for number, each in enumerate(tasks) if each.build.entry in stands.names]
    taking = Taking(stands, tasks, standing_ones, formats)
    tally = Tally(len(tasks), show, stood=len(standing_ones))
    if said := firstbuild.sentence(compiler.find(build.cc)):
        show(Progress("compile", 0.0, note=said))

    def tested(numbers: Collection[int]) -> dict[int, Tested]:
        some = [tasks[number] for number in numbers]
        return dict(zip(numbers, _tested_anew(some, (build, search), test_one, tally), strict=False))

    new = [number for number in range(len(tasks)) if number not in set(standing_ones)]
    found = tested(quick_ones_first(new, lines_of([each for each in entries if not each.why_not]), search.jobs))
    found |= taking.results()
    if INTERRUPTED not in {each.code for each in found.values()}:
        found |= tested([number for number in standing_ones if number not in found])
    stood = frozenset(tasks[number].build.entry for number in standing_ones if number in found)
    numbers = iter(range(len(tasks)))
    every = [
        Tested(Row(each.name, place, f"cannot be an entry: {_of_its_row(each.name, each.why_not)}"))
        if each.why_not
        else found.get(next(numbers))
        for each, place in zip(entries, places, strict=True)
    ]
    done = [one for each in every if each is not None for one in (each, each.also) if one is not None]
    results = [each.result for each in done if each.result is not None]
    return Every(
        tuple(each.row for each in done),
        tuple(results),
        out,
        tuple(formats),
        time.monotonic() - start,
        max((each.code for each in done), default=INTERRUPTED),
        tuple(each.files for each in done if each.result is not None),
        tuple((tasks[number].asked, each) for number, each in sorted(found.items()) if is_whole(each)),
        replace(stands, names=stood),
        language,
    )


def _of_its_row(name: str, sentence: str) -> str:
    """The sentence, in a row that begins with the name."""
    return f"it{sentence.removeprefix(name)}" if sentence.startswith(f"{name} ") else sentence


def _require_parameters(build: BuildOptions, entries: Sequence[Entry]) -> None:
    """Raises UsageError for what is said of a parameter that no function has."""
    names = {each.name for entry in entries for each in entry.inputs}
    for terms in build.contracts:
        if not terms.function and named(terms) not in names:
            raise UsageError(f"{terms.place}: no function of the sources has a parameter {named(terms)!r}")


def _tested_anew(
    tasks: Sequence[Task], general: tuple[BuildOptions, SearchOptions], test_one: TestOne, tally: Tally
) -> Iterable[Tested]:
    """Those that were begun before Ctrl-C, in the tasks' order."""
    search = general[1]
    if min(search.jobs, len(tasks)) < 2 and not search.cluster:
        return _in_turn(tasks, search, test_one, tally)
    before_forks(*general)
    return together(tasks, search, test_one, tally)


@contextlib.contextmanager
def _read_ahead(last: KeptRun | None, build: BuildOptions, language: Language) -> Iterator[None]:
    """Has the builder read the sources while they are listed here: it will be asked for keys of functions. What goes
    wrong is told by who asks."""
    beside = ThreadPoolExecutor(1)
    if last is not None and last.functions and isinstance(language, Keyed):
        beside.submit(language.keys, [replace(build, entry=next(iter(last.functions)), contracts=())])
    try:
        yield
    finally:
        beside.shutdown(wait=False)


def _standing(last: KeptRun, tasks: Sequence[Task], general: tuple[BuildOptions, SearchOptions]) -> Standing:
    """What stands of the last run; while that is asked, what forks will use is loaded. Of namesakes nothing stands."""
    names = Counter(each.build.entry for each in tasks)
    asked = [each.asked for each in tasks if names[each.build.entry] == 1]
    with ThreadPoolExecutor(1) as beside:
        answer = beside.submit(standing, last, asked, language_of(general[0].sources))
        before_forks(*general)
        return answer.result()


def _entries(sources: Sequence[Path], every: Sequence[Entry]) -> Sequence[Entry]:
    """The functions that the sources define; where they define none, those of the project's headers that they include.

    Raises UsageError where there is none either.
    """
    found = [each for each in every if Path(each.file) in sources]
    root = project_root(sources)
    found = found or [each for each in every if Path(each.file).is_relative_to(root)]
    if not found:
        named = ", ".join(map(str, sources))
        hint = "name the sources that do, or switch on what makes its header do so"
        raise UsageError(f"--all: {named} defines no function, nor does a header in {root} that it includes; {hint}")
    return found


def _task(entry: Entry, options: tuple[BuildOptions, SearchOptions], out: Path, place: str, fail_on: Severity) -> Task:
    """How one function is tested: of `--nonnull` and `--range` only those count that name a parameter of its own."""
    build, search = options
    contracts = of_function(build.contracts, entry.name, [each.name for each in entry.inputs])
    return Task(replace(build, entry=entry.name, contracts=contracts), search, out / entry.name, place, fail_on)


def _in_turn(tasks: Sequence[Task], search: SearchOptions, test_one: TestOne, tally: Tally) -> Iterator[Tested]:
    """One after the other, until Ctrl-C."""
    if not tasks:
        return
    shares = Shares(search)
    with interruptions() as interruption:
        interruption.begin()
        for index, task in enumerate(tasks):
            share = shares.take(len(tasks) - index)
            tally.begin(task.build.entry, shares.left)
            tested = _tested_or_stopped(_with_share(task, share), test_one, interruption)
            shares.give_back(share, tested.used)
            tally.end(tested, shares.left)
            yield tested
            if tested.code == INTERRUPTED or interruption.was_pressed:
                break


def together(tasks: Sequence[Task], search: SearchOptions, test_one: TestOne, tally: Tally) -> list[Tested]:
    """Several at a time, each in a process of its own, until Ctrl-C; in the tasks' order.

    All together have `jobs` times the time of one. What a function that is under way may use is set aside until it
    is done.
    Functions that are fewer than the jobs search with several processes themselves, and so do the last ones on a
    cluster: functions are spread over its nodes before the search of one is split.
    """
    jobs, found, waiting = search.jobs, dict[int, Tested](), list(enumerate(tasks))
    shares, under_way = Shares(search, jobs), dict[Connection, tuple[int, Share]]()
    processes: list[BaseProcess] = []
    with interruptions() as interruption:
        interruption.begin(lambda: _tell(processes, interruption.by))
        while under_way or (waiting and not interruption.is_pressed()):
            while waiting and len(under_way) < _most_at_once(search) and not interruption.is_pressed():
                index, task = waiting.pop(0)
                share = shares.take(len(waiting) + 1)
                left = len(under_way) + len(waiting) + 1 if search.cluster else len(tasks)
                own = replace(task.search, cluster=search.cluster, joins_late=search.joins_late)
                alone = replace(task, search=replace(own, jobs=max(1, jobs // left)))
                under_way[_begun(_with_share(alone, share), test_one, processes)] = index, share
                tally.begin(task.build.entry, shares.left)
            answers = [each for each in wait(list(under_way), _SECONDS_BETWEEN) if isinstance(each, Connection)]
            if not answers:
                tally.tick()
            for answer in answers:
                index, share = under_way.pop(answer)
                found[index] = _received(answer, tasks[index])
                shares.give_back(share, found[index].used)
                tally.end(found[index], shares.left)
    return [found[index] for index in sorted(found)]


def _most_at_once(search: SearchOptions) -> int:
    """How many functions are under way at a time: each is built and replayed on this machine."""
    return min(search.jobs, _CAMPAIGNS_A_PROCESSOR * len(os.sched_getaffinity(0))) if search.cluster else search.jobs


def _tell(processes: Sequence[BaseProcess], name: str) -> None:
    """Sends the signal of this name to those that are there."""
    for each in processes:
        if each.is_alive() and each.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(each.pid, signal.Signals[name])


def _begun(task: Task, test_one: TestOne, processes: list[BaseProcess]) -> Connection:
    """Where the answer of a process that tests this function will come from; it is one of `processes`."""
    fork = multiprocessing.get_context("fork")
    answer, sender = fork.Pipe(duplex=False)
    processes.append(fork.Process(target=_answer, args=(sender, task, test_one, os.getpid())))
    processes[-1].start()
    sender.close()  # the process alone has it: its end is the answer's end
    return answer


def _answer(sender: Connection, task: Task, test_one: TestOne, parent: int) -> None:
    """The process. A signal to veer's group is for veer, which hands it on."""
    die_with(parent)
    os.setpgid(0, 0)
    with interruptions() as interruption:
        sender.send(_tested_or_stopped(task, test_one, interruption))


def _tested_or_stopped(task: Task, test_one: TestOne, interruption: Interruption) -> Tested:
    """Tests one function; a signal while it is built ends it."""
    try:
        with interruption.may_be_lost():
            return _tested(task, test_one)
    except KeyboardInterrupt:
        return Tested(Row(task.build.entry, task.place, "stopped"), INTERRUPTED)


def _received(answer: Connection, task: Task) -> Tested:
    with answer:
        try:
            tested: Tested = answer.recv()
        except EOFError:
            return Tested(Row(task.build.entry, task.place, "the process that tested it died"), FAILED)
    return tested


def _with_share(task: Task, share: Share) -> Task:
    own = share.of(task.search)
    return replace(task, search=replace(own, budget=min(own.budget, task.search.budget)))


def _tested(task: Task, test_one: TestOne) -> Tested:
    """Tests one function; what veer refuses or fails at is told in its row."""
    began = time.monotonic()
    try:
        result = test_one(task.build, task.search, task.out)
    except VeerError as error:
        code = error.exit_code if error.exit_code == FAILED else NOTHING_FOUND
        return Tested(Row(task.build.entry, task.place, str(error).splitlines()[0]), code)
    spent = result.seconds
    searched = spent.explore + spent.execute + spent.solve
    behind = max(0.0, time.monotonic() - began - spent.compile - searched)
    tested = tested_of(task, result, Share(searched, behind))
    calls, left = calls_for(result), task.search.budget - searched
    return _with_calls(tested, task, calls, left, test_one) if calls and left > 0 else tested


def _with_calls(tested: Tested, task: Task, calls: str, left: float, test_one: TestOne) -> Tested:
    """What became of a function, and in the time that is left of it on objects that calls make."""
    build = build_of(task.build, calls)
    search = replace(task.search, budget=left)
    also = _tested(replace(task, build=build, search=search, out=task.out.with_name(build.entry)), test_one)
    if also.result is None:
        return tested
    used = Share(tested.used.search + also.used.search, tested.used.behind + also.used.behind)
    return replace(with_also(tested, also), used=used)


def folded(bugs: Sequence[Bug]) -> tuple[str, ...]:
    """A sentence for each cause of what breaks contracts, with the first contract that it breaks."""
    return tuple(
        f"{', '.join(dict.fromkeys(_place(bug) for bug in group.bugs))} {group.bugs[0].function}: "
        f"{group.bugs[0].message}, but {'; '.join(group.bugs[0].needs[:1])}"
        for group in grouped(bugs)
    )


def _place(bug: Bug) -> str:
    return f"{Path(bug.file).name}:{bug.line}"


class Every(Struct, frozen=True):
    """What became of all functions. `parts`: abridged results; `code`: the worst one's exit code; `files`: those that
    were read for each result; `each`: the functions that came to their end; `stands`: of the last run."""

    rows: tuple[Row, ...]
    parts: tuple[Result, ...]
    out: Path
    formats: tuple[str, ...]
    seconds: float
    code: int
    files: tuple[dict[str, str], ...] = ()
    each: tuple[tuple[Asked, Tested], ...] = ()
    stands: Standing = Standing()
    language: Language | None = None

    def kept(self, common: str) -> KeptRun:
        """What of this run may stand in the next one, where `common` does."""
        if self.language is None:
            return KeptRun()
        results = [
            (asked, [each.result for each in (tested, tested.also) if each is not None and each.result is not None])
            for asked, tested in self.each
        ]
        return kept_run(common, results, self.stands, self.language)

    def finish(self) -> tuple[str, ...]:
        """Writes what is told of all; the table, and where that is."""
        whole = deliver_all(self.rows, self.parts, self.out, self.formats) if self.parts else None
        all_of_it = "index.html, summary.json, and " if whole is not None else ""
        written = f"written: {self.out}: {all_of_it}a folder for each function"
        return (*survey_lines(self._survey(whole)), written)

    @property
    def is_done(self) -> bool:
        """Whether every function came to its end."""
        return self.code in (NOTHING_FOUND, BUGS)

    def _survey(self, whole: Result | None) -> Survey:
        bugs = whole.bugs if whole is not None else ()
        fresh = [bug for bug in bugs if not bug.is_accepted]
        own = [bug for bug in fresh if bug.severity is not Severity.CONTRACT]
        breaking = [bug for bug in fresh if bug.severity is Severity.CONTRACT]
        branches = whole.coverage.branches if whole is not None else None
        return Survey(
            self.rows,
            branches or Count(0, 0),
            tuple((_place(bug), bug.function, bug.message, bug.test.partition("/")[0]) for bug in own),
            self.seconds,
            folded(breaking),
            len(breaking),
            len(bugs) - len(fresh),
        )
