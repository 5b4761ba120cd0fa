"""Workers by their protocol: one of another package that gets nothing but bytes, and the bytes themselves."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from jobs_side import built, search
from outside import install

from veer.model.ending import EndingKind
from veer.model.errors import ExecutorError
from veer.model.searchoptions import SearchOptions
from veer.search.explorer import Explorer
from veer.search.parallel import encoding, findings
from veer.search.parallel.findings import findings_of
from veer.search.parallel.merge import merge
from veer.search.parallel.part import Part, give, waiting
from veer.search.parallel.protocol import Errand
from veer.search.settings import configure
from veer.search.tools import local_scene
from veer.wire.shared import Shared

WORKERS = """
import subprocess
import sys
import tempfile

from veer.search.parallel.encoding import decoded_outcome, encoded_task
from veer.search.parallel.part import Status
from veer.search.parallel.protocol import NOTHING, Ended

started = []


class Worker:
    def __init__(self, part, errand):
        self.part, self.state, self.ended, self.outcome = part, {}, None, None
        self.answer = tempfile.TemporaryFile()
        with tempfile.TemporaryFile() as task:
            task.write(encoded_task(part, errand))
            task.seek(0)
            command = [sys.executable, "-m", "veer.search.parallel.standalone"]
            self.process = subprocess.Popen(command, stdin=task, stdout=self.answer)
        started.append(self.process)
        if len(started) == 1:
            self.process.kill()  # its part is run again

    def hear(self):
        self.answer.seek(0)
        if self.process.returncode == 0:
            self.outcome = decoded_outcome(self.answer.read())
            self.state, self.part = self.outcome.state, self.outcome.part or self.part
            self.ended = Ended(self.outcome.kind, self.state)

    def status(self):
        if self.outcome is None or not self.outcome.findings:
            return self.part.status()
        first = self.outcome.findings[0]
        return Status(first.totals.counters["runs"], len(first.hashes), first.totals.news, first.edges, first.reports)

    is_splitting = False

    @property
    def runs(self):
        return self.part.shared.counts.runs

    def deliver(self):
        return NOTHING

    def open_branches(self):
        return 0

    def tell(self, edges):
        pass

    def stop(self):
        pass

    def split(self):
        return None

    def save(self, write):
        self.written = write(self.part.shared)

    def saved(self):
        return self.written

    def findings(self):
        yield from self.outcome.findings

    def close(self):
        self.process.kill()
        self.process.wait()
        self.answer.close()


class Workers:
    most_deaths = 5

    def __init__(self, options):
        self.most = options.jobs

    def room(self):
        return self.most

    def notes(self):
        return ()

    def close(self):
        pass

    def submit(self, part, errand):
        return Worker(part, errand)

    def wait(self, workers, seconds):
        try:
            workers[0].process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass
        ready = [worker for worker in workers if worker.process.poll() is not None]
        for worker in ready:
            worker.hear()
        return ready
"""


@pytest.fixture
def part(tmp_path: Path) -> Iterator[tuple[Shared, Part, Errand]]:
    """A campaign that has paused, half of its open nodes as a part, and what a worker is told of it."""
    options = SearchOptions(criterion="path", budget=60.0)
    program, asked = built(tmp_path)
    with Shared() as shared:
        configure(shared, program, asked, options)
        scene = local_scene(shared, program, options)
        executor = scene.executor()
        assert Explorer.of(scene, executor).search(lambda open_branches: open_branches >= 16) is None
        executor.close()
        half = give(shared, waiting(shared)[::2], scene.edge_count)
        yield shared, half, Errand(program, options)
        half.shared.close()


def test_a_worker_of_another_package_finds_the_same_from_bytes_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, "far_away", WORKERS, group="veer.workers", name="far", object="Workers")
    options = SearchOptions(criterion="path", budget=60.0)
    alone = search(tmp_path, options)
    found = search(tmp_path, SearchOptions(criterion="path", budget=60.0, jobs=2, workers="far"))
    far_away = importlib.import_module("far_away")
    assert len(far_away.started) == 3, "two parts, one of them twice, for its first worker died"
    assert (found.ending, found.paths, found.count) == (alone.ending, alone.paths, alone.count)
    assert (found.edges, found.bugs, found.runs) == (alone.edges, alone.bugs, alone.runs)


def test_a_part_and_an_errand_are_the_same_after_a_journey(part: tuple[Shared, Part, Errand]) -> None:
    _, half, errand = part
    arrived, told = encoding.decoded_task(encoding.encoded_task(half, errand))
    assert told == errand
    assert arrived.baseline.state() == half.baseline.state()
    assert _contents(arrived.shared) == _contents(half.shared)
    arrived.shared.close()


def test_findings_are_the_same_after_a_journey_and_in_however_many_batches(
    part: tuple[Shared, Part, Errand], monkeypatch: pytest.MonkeyPatch
) -> None:
    main, half, errand = part
    edge_count = 2 * len(errand.program.sites)
    scene = local_scene(half.shared, errand.program, errand.options)
    with contextlib.closing(scene.executor()) as executor:
        executor.expand(waiting(half.shared).tolist())
    whole = list(findings_of(half, edge_count, all_paths=True))
    monkeypatch.setattr(findings, "RUNS_A_BATCH", 2)
    batches = list(findings_of(half, edge_count, all_paths=True))
    assert len(whole) == 1 and len(batches) > 2 and len(whole[0].paths) == sum(len(each.paths) for each in batches)
    sent = encoding.encoded_outcome(encoding.Outcome(EndingKind.EXHAUSTED, {}, tuple(batches)))
    received = encoding.decoded_outcome(sent).findings
    assert _merged(main, whole) == _merged(main, received)


@pytest.mark.parametrize("damaged", [b"", b"\x80", b"no task"])
def test_what_is_no_task_is_refused_by_a_sentence(damaged: bytes) -> None:
    with pytest.raises(ExecutorError, match="damaged"):
        encoding.decoded_task(damaged)


def test_a_task_of_another_veer_is_refused(part: tuple[Shared, Part, Errand], monkeypatch: pytest.MonkeyPatch) -> None:
    _, half, errand = part
    task = encoding.encoded_task(half, errand)
    monkeypatch.setattr(encoding, "made_by", lambda: "another")
    with pytest.raises(ExecutorError, match="another version"):
        encoding.decoded_task(task)


def _contents(shared: Shared) -> bytes:
    """All but the holes, which may differ: pages of zeros."""
    found = bytearray()
    for offset, data in shared.extents():
        for first in range(0, len(data), 4096):
            page = bytes(data[first : first + 4096])
            if page.strip(b"\0"):
                found += (offset + first).to_bytes(8, "little") + page
    return bytes(found)


def _merged(main: Shared, batches: Sequence[findings.Findings]) -> bytes:
    with main.copy() as copy:
        for each in batches:
            merge(copy, each)
        assert (copy.published("edge_seen") >= main.published("edge_seen")).all()
        return _contents(copy)
