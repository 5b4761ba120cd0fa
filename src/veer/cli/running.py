"""Functions of a project tested one after the other, or several at a time, each in a process of its own."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from veer.campaign.bycalls import build_of, calls_for
from veer.campaign.forks import before_forks
from veer.cli.exit_codes import FAILED, INTERRUPTED, NOTHING_FOUND
from veer.cli.shares import Share, Shares
from veer.cli.tally import Tally
from veer.cli.tested import Task, Tested, tested_of, with_also
from veer.execution.interruption import Interruption, interruptions
from veer.execution.limits import die_with
from veer.model.buildoptions import BuildOptions
from veer.model.errors import VeerError
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.survey import Row
from veer.model.values import replace

_CAMPAIGNS_A_PROCESSOR = 4
"""On a cluster, where most of them wait for its nodes."""
_SECONDS_BETWEEN = 1.0
"""So often it is told how far all is, though no function has ended."""
TestOne = Callable[[BuildOptions, SearchOptions, Path], Result]
"""Tests one entry and writes it to its folder."""


def tested_anew(
    tasks: Sequence[Task], general: tuple[BuildOptions, SearchOptions], test_one: TestOne, tally: Tally, among: int
) -> Iterable[Tested]:
    """Those that were begun before Ctrl-C, in the tasks' order.

    `among`: how many functions there are with those that stand. So many share the jobs, whatever is tested again: what
    becomes of a function is then the same as in a run from nothing.
    """
    search = general[1]
    if min(search.jobs, len(tasks)) < 2 and not search.cluster:
        jobs = _share(search.jobs, among)
        own = [replace(task, search=replace(task.search, jobs=jobs)) for task in tasks]
        return _in_turn(own, replace(search, jobs=jobs), test_one, tally)
    before_forks(*general)
    return together(tasks, search, test_one, tally, among)


def _share(jobs: int, among: int) -> int:
    """The processes of one of so many searches."""
    return max(1, jobs // max(1, among))


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
            with _ticking(tally):
                tested = _tested_or_stopped(_with_share(task, share), test_one, interruption)
            shares.give_back(share, tested.used)
            tally.end(tested, shares.left)
            yield tested
            if tested.code == INTERRUPTED or interruption.was_pressed:
                break


@contextlib.contextmanager
def _ticking(tally: Tally) -> Iterator[None]:
    """It is told how far all is, while a function is under way."""
    is_over = threading.Event()

    def tick() -> None:
        while not is_over.wait(_SECONDS_BETWEEN):
            tally.tick()

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def together(tasks: Sequence[Task], search: SearchOptions, test_one: TestOne, tally: Tally, among: int) -> list[Tested]:
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
                left = len(under_way) + len(waiting) + 1 if search.cluster else among
                own = replace(task.search, cluster=search.cluster, joins_late=search.joins_late)
                alone = replace(task, search=replace(own, jobs=_share(jobs, left)))
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
