"""Workers of a cluster: whatever is lost on the way, what is found is what one search alone finds.

The searchers are processes of this machine, which get letters alone, as those of a node do; faults are made where the
campaign hears of its seats, after so many answers, and not after so many seconds.
"""

from __future__ import annotations

import importlib.util
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from jobs_side import Searched, search

from veer.model.ending import EndingKind
from veer.model.errors import UsageError
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.cluster import farworker, workers
from veer.search.cluster.dispatch import PROCESSES, RAY, Dispatch, dispatch_of
from veer.search.cluster.letters import Files, Start, read
from veer.search.cluster.transport import LOCAL
from veer.search.parallel import coordinator

Message = tuple[Any, ...]
_IS_THERE = importlib.util.find_spec("ray") is not None
_RAY = pytest.mark.skipif(not _IS_THERE, reason="Ray is not installed: pip install 'veer-test[cluster]'")
_FAR = SearchOptions(criterion="path", budget=120.0, jobs=2, workers="searchers")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Searched:
    """What one search finds."""
    return search(tmp_path_factory.mktemp("alone"), SearchOptions(criterion="path", budget=120.0))


class Heard(Dispatch):
    """A courier whose messages a test sees first: `change` gives what the campaign hears of it."""

    def __init__(
        self, jobs: int, change: Callable[[Heard, Message], list[Message]], environment: Mapping[str, str]
    ) -> None:
        super().__init__(PROCESSES, "this machine", jobs, environment)
        self._change = change
        self.letters: list[tuple[int, Any]] = []

    def messages(self, seconds: float) -> list[Message]:
        return [told for message in super().messages(seconds) for told in self._change(self, message)]

    def send(self, seat: int, letter: bytes) -> None:
        self.letters.append((seat, read(letter) if letter else None))
        super().send(seat, letter)

    def kill(self, seat: int) -> Message:
        """Ends a seat behind the campaign's back; what it hears of that."""
        self.discard(seat)
        return ("lost", seat, "killed by a test")

    @property
    def process(self) -> int:
        """The courier's process."""
        return self._process.pid


Hear = Callable[..., Heard]


@pytest.fixture
def hear(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hear]:
    """Makes the courier of the next search; commits come as often as they can."""
    made: list[Heard] = []

    def heard(
        jobs: int,
        change: Callable[[Heard, Message], list[Message]] = lambda _, message: [message],
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> Heard:
        made.append(Heard(jobs, change, environment))
        monkeypatch.setattr(workers, "dispatch_of", lambda *_: made[-1])
        return made[-1]

    monkeypatch.setattr(farworker, "COMMIT_SECONDS", 0.0)
    yield heard
    for each in made:
        each.close()


def _told(found: Searched) -> tuple[object, ...]:
    """What any workers must find; the states of nodes tell that each is counted once."""
    return found.ending, found.paths, found.count, found.edges, found.bugs, found.left, found.states


def test_searchers_far_away_find_what_one_search_finds(tmp_path: Path, alone: Searched, hear: Hear) -> None:
    courier = hear(2)
    found = search(tmp_path, _FAR)
    assert _told(found) == _told(alone)
    assert found.runs == alone.runs
    started = [letter for _, letter in courier.letters if isinstance(letter, Start)]
    assert len(started) >= 2, "two parts at least"


def test_files_go_to_a_node_once(tmp_path: Path, alone: Searched, hear: Hear) -> None:
    courier = hear(3, environment={"VEER_CACHE": str(tmp_path / "of the node")})
    assert _told(search(tmp_path, replace(_FAR, jobs=3))) == _told(alone)
    sent = [letter for _, letter in courier.letters if isinstance(letter, Files)]
    assert len(sent) == 1 and len(sent[0].contents) >= 1


@pytest.mark.parametrize("every", [2, 3, 4])
def test_a_searcher_that_dies_costs_only_its_part(tmp_path: Path, alone: Searched, hear: Hear, every: int) -> None:
    answers = 0
    killed: list[int] = []

    def lossy(courier: Heard, message: Message) -> list[Message]:
        nonlocal answers
        if message[0] != "answer" or not message[2]:
            return [message]
        answers += 1
        if answers % every or len(killed) == 5:
            return [message]
        killed.append(message[1])
        return [courier.kill(message[1])]

    hear(2, lossy)
    assert _told(search(tmp_path, _FAR)) == _told(alone)
    assert killed, "how often searchers answer depends on the machine, that one of them dies does not"


def test_a_searcher_that_is_killed_by_its_node_is_replaced(tmp_path: Path, alone: Searched, hear: Hear) -> None:
    killed: list[int] = []

    def killing(courier: Heard, message: Message) -> list[Message]:
        if message[0] == "answer" and message[2] and not killed:
            killed.extend(_searchers(courier.process)[:1])
            for each in killed:
                os.kill(each, signal.SIGKILL)
        return [message]

    hear(2, killing)
    assert _told(search(tmp_path, _FAR)) == _told(alone)
    assert killed


def test_a_slow_searcher_does_not_hold_the_end(
    tmp_path: Path, alone: Searched, hear: Hear, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coordinator, "_SILENCE", 0.0)
    silent: set[int] = set()

    def slow(courier: Heard, message: Message) -> list[Message]:
        if message[0] == "answer":
            silent.update([message[1]] if not silent else [])  # the first one that answers never does again
            return [] if message[1] in silent else [message]
        return [message]

    courier = hear(2, slow)
    assert _told(search(tmp_path, _FAR)) == _told(alone)
    twice = [letter for _, letter in courier.letters if isinstance(letter, Start)]
    assert silent and len(twice) >= 3, "its part was begun once more"


def test_without_its_cluster_a_search_goes_on_at_home(
    tmp_path: Path, alone: Searched, hear: Hear, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, told, notes = 0, list[str](), workers.ClusterWorkers.notes

    def noted(self: workers.ClusterWorkers) -> tuple[str, ...]:
        told.extend(notes(self))
        return notes(self)

    monkeypatch.setattr(workers.ClusterWorkers, "notes", noted)

    def dying(courier: Heard, message: Message) -> list[Message]:
        nonlocal answers
        answers += message[0] == "answer"
        if answers == 3:
            os.kill(courier.process, signal.SIGKILL)
        return [message]

    hear(2, dying)
    assert _told(search(tmp_path, _FAR)) == _told(alone)
    assert any("went on with processes of this machine" in note for note in told)


def test_a_limit_of_runs_is_kept_and_the_rest_is_there_to_go_on(tmp_path: Path, alone: Searched, hear: Hear) -> None:
    hear(2)
    few = SearchOptions(criterion="path", budget=120.0, jobs=2, workers="searchers", max_runs=alone.runs // 2)
    found = search(tmp_path, few)
    assert found.ending.kind is EndingKind.MAX_RUNS
    assert found.runs <= few.max_runs and found.paths < alone.paths and found.left > 0


@_RAY
@pytest.mark.xdist_group("ray")  # one Ray for both
def test_ray_finds_what_one_search_finds(tmp_path: Path, alone: Searched) -> None:
    assert _told(search(tmp_path, SearchOptions(criterion="path", budget=120.0, jobs=2, cluster="local"))) == _told(
        alone
    )


@_RAY
@pytest.mark.xdist_group("ray")  # one Ray for both
def test_a_ray_of_veers_own_listens_on_this_machine_alone() -> None:
    joined = dispatch_of(RAY, LOCAL, 2)
    joined.require()
    token = joined.environment["RAY_AUTH_TOKEN"].encode()
    listening = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if token in (folder / "environ").read_bytes():
                listening |= dict.fromkeys(_sockets(folder), folder.name)
        except OSError:
            continue
    places = [place for table in ("tcp", "tcp6") for place, inode in _listeners(table) if inode in listening]
    assert places, "its servers listen"
    assert {place.rpartition(":")[0] for place in places} <= {"0100007F", "0000000000000000FFFF00000100007F"}


def _sockets(process: Path) -> Iterator[str]:
    """The inodes of a process's sockets."""
    for each in (process / "fd").iterdir():
        target = str(each.readlink()) if each.is_symlink() else ""
        if target.startswith("socket:["):
            yield target[8:-1]


def _listeners(table: str) -> Iterator[tuple[str, str]]:
    """Where somebody listens, as the kernel writes it, and the socket's inode."""
    for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
        words = line.split()
        if words[3] == "0A":
            yield words[1], words[9]


def test_without_ray_a_cluster_is_refused_by_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'veer-test\[cluster\]'"):
        workers.gather(SearchOptions(cluster="local"))


def _searchers(courier: int) -> list[int]:
    """The processes that a courier has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if parent == courier:
            found.append(int(folder.name))
    return found
