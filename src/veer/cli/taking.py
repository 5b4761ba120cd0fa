"""Takes what stands of the last run, in processes of their own, while other functions are tested."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from veer.campaign.deliver import deliver, deliver_reports
from veer.campaign.standing import Standing
from veer.cli.tested import Task, Tested, tested_of, with_also
from veer.execution.limits import die_with
from veer.model.result import Result

MOST_READERS = 4
"""Processes that take results."""
FEW = 4
"""Results that one of them takes at least."""


class Taking:
    """Takes the results of the tasks of these numbers. What cannot be taken is left to be tested.

    A result whose files have changed is written anew, with these formats.
    """

    def __init__(self, stands: Standing, tasks: Sequence[Task], numbers: Sequence[int], formats: Sequence[str]) -> None:
        self._stands, self._tasks, self._formats = stands, tasks, tuple(formats)
        workers = min(len(os.sched_getaffinity(0)), MOST_READERS, max(1, len(numbers) // FEW))
        self._waiting = list(numbers) if workers == 1 else []
        self._readers = [self._reader(numbers[each::workers]) for each in range(workers)] if workers > 1 else []

    def results(self) -> dict[int, Tested]:
        """What became of the functions whose results could be taken, by the tasks' numbers."""
        found = dict(self._taken(self._waiting))
        for answer, process in self._readers:
            with answer:
                try:
                    found |= answer.recv()
                except EOFError:  # it was killed: its functions are tested again
                    continue
                finally:
                    process.join()
        return found

    def _reader(self, numbers: Sequence[int]) -> tuple[Connection, BaseProcess]:
        fork = multiprocessing.get_context("fork")
        answer, sender = fork.Pipe(duplex=False)
        process = fork.Process(target=self._read, args=(sender, numbers, os.getpid()))
        process.start()
        sender.close()  # the process alone has it: its end is the answer's end
        return answer, process

    def _read(self, sender: Connection, numbers: Sequence[int], parent: int) -> None:
        """The process. A signal to veer's group is for veer."""
        die_with(parent)
        os.setpgid(0, 0)
        sender.send(self._taken(numbers))

    def _taken(self, numbers: Sequence[int]) -> dict[int, Tested]:
        found = ((number, self._of(self._tasks[number])) for number in numbers)
        return {number: tested for number, tested in found if tested is not None}

    def _of(self, task: Task) -> Tested | None:
        def write(result: Result, out: Path) -> None:
            deliver(result, out, formats=self._formats).checked()

        def show(result: Result, out: Path) -> None:
            deliver_reports(result, out, self._formats)

        made = [tested_of(task, each) for each in self._stands.results(task.asked, write, show)]
        if len(made) > 1:
            return with_also(made[0], made[1])
        return made[0] if made else None
