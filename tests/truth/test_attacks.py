"""Units that attack the machine, other processes and veer itself: nothing comes of it, and their other paths are found.

Each function of attacks/ makes one attack for each value of `x` from 1 to the number that its first line tells. In the
search such a run ends at a system call that is refused; it is no test, the ledger names the call, and no claim is made.
"""

from __future__ import annotations

import contextlib
import re
import stat
from pathlib import Path
from zlib import crc32

import brute_header
import pytest
from sampling import sampled
from veer_side import build_options, explore

from veer.campaign import confining
from veer.campaign import run as campaign
from veer.execution.confinement import USUAL, granted
from veer.model.buildoptions import BuildOptions
from veer.model.errors import DamagedMemoryError
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.store import saver
from veer.toolchain import compiler
from veer.toolchain.runtime import launcher

FOLDER = Path(__file__).parent / "attacks"
REFUSED = re.compile(r"// refused: (\d+)")
UNITS = sampled(
    sorted(path for path in FOLDER.glob("*.c") if REFUSED.match(path.read_text())), lambda path: path.stem != "network"
)


@pytest.fixture(autouse=True)
def _needs_a_sandbox() -> None:
    found = granted(launcher(compiler.find()))
    if not all(found[name] for name in USUAL):
        pytest.skip(f"the kernel grants only {found}")


def searched(program: Path, canary: Path, timeout: float = 10.0) -> Result:
    """What veer finds in a unit that attacks this file, among others."""
    canary.write_text("alive")
    canary.chmod(0o644)
    build = BuildOptions((program,), "attack", define=(f'CANARY="{canary}"',))
    return campaign.run(build, SearchOptions(budget=30.0, timeout=timeout, shrink=False))


def is_untouched(canary: Path) -> bool:
    """Whether the file is as it was, and alone."""
    mode = stat.S_IMODE(canary.stat().st_mode)
    return (canary.read_text(), mode, [canary]) == ("alive", 0o644, list(canary.parent.iterdir()))


@pytest.mark.parametrize("program", UNITS, ids=lambda path: path.stem)
def test_an_attack_is_refused_and_named(program: Path, tmp_path: Path) -> None:
    canary, children = tmp_path / "canary", set(_children())
    result = searched(program, canary)
    attacks = int(re.match(REFUSED, program.read_text())[1])
    refused = [entry for entry in result.ledger if entry.kind == "sandbox"]
    assert len(refused) == attacks, refused
    assert not result.bugs
    assert result.ending.kind == "exhausted" and result.ending.claim == "none", result.ending
    assert any("the sandbox refuses" in reason for reason in result.ending.lost_by), result.ending
    assert {test.outcome.key for test in result.tests} == {"returned"}
    on_input = [branch for branch in result.branches if re.match(r"[xy]\b", branch.text)]
    assert len(on_input) >= 3 and all(branch.state == "covered" for branch in on_input if branch.text[0] == "y")
    assert is_untouched(canary)
    assert set(_children()) <= children


def test_what_attacks_only_when_it_is_replayed_is_refused_there(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    result = searched(FOLDER / "native.c", canary)
    refused = [test for test in result.tests if "the sandbox refuses" in test.replayed]
    assert refused and len(refused) < len(result.tests), [test.replayed for test in result.tests]
    assert not result.bugs
    assert is_untouched(canary)


def _children() -> list[int]:
    """Processes that this one started, but for those that stay until it ends. Threads and children may go meanwhile."""
    found, stay = [], ("veer.frontends.llvm.buildserver", "keeper.py")
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for child in map(int, (thread / "children").read_text().split()):
                if not any(each in Path(f"/proc/{child}/cmdline").read_text() for each in stay):
                    found.append(child)
    return found


PROGRAMS = sampled(
    sorted((Path(__file__).parents[1] / "programs").glob("*.c")), lambda path: crc32(path.name.encode()) % 28 == 0
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_outcomes_are_those_that_there_are_without_a_sandbox(program: Path) -> None:
    build = build_options(brute_header.read(program))
    search = SearchOptions(criterion="path", budget=60.0, max_steps=200_000, restarts=500)
    confined, free = (told(explore(build, replace(search, sandbox=mode))) for mode in ("on", "off"))
    assert confined == free


def told(result: Result) -> dict[str, object]:
    """All that a result says of the program, without times and counts of runs."""
    return {
        "ending": result.ending,
        "tests": [(test.name, test.inputs, test.outcome, test.returned, test.replayed) for test in result.tests],
        "bugs": [(bug.outcome, bug.message, bug.confirmed) for bug in result.bugs],
        "branches": [(branch.text, branch.side, branch.state) for branch in result.branches],
        "ledger": result.ledger,
        "coverage": result.coverage,
    }


def test_who_overwrites_the_search_loses_no_more_than_what_was_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saver, "_SHORTEST_INTERVAL", 0.0)
    monkeypatch.setattr(saver, "_SHARE", 0)
    build = BuildOptions((FOLDER / "overwrite.c",), "attack", define=('CANARY=""',))
    search = SearchOptions(budget=30.0, strategy="bfs", batch=4)
    result = campaign.run(build, search, keep=tmp_path)
    assert (result.ending.kind, result.ending.claim) == ("failed", "none")
    assert any("the shared memory is damaged" in reason for reason in result.ending.lost_by)
    assert result.tests and all(test.replayed == "same" for test in result.tests if not test.outcome.is_bug)
    with pytest.raises(DamagedMemoryError, match="its head was overwritten"):
        campaign.run(build, search)


def test_who_ends_itself_ends_one_run(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    result = searched(FOLDER / "life.c", canary, timeout=4.0)
    assert {test.outcome.key for test in result.tests} == {"returned", "killed", "exited", "abort"}
    assert {bug.outcome.key for bug in result.bugs} == {"killed", "abort"}
    assert all(branch.state == "covered" for branch in result.branches if branch.text[0] == "y")
    assert any(entry.kind == "sandbox" for entry in result.ledger)  # fork, where SIGSYS is blocked
    assert is_untouched(canary)


def test_who_leaves_disorder_behind_disturbs_no_other_run(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    result = searched(FOLDER / "disorder.c", canary)
    assert len([entry for entry in result.ledger if entry.kind == "sandbox"]) == 3  # munmap, prlimit, mprotect
    assert {test.outcome.key for test in result.tests} == {"returned", "killed", "null-dereference"}
    assert {test.replayed for test in result.tests} == {"same"}
    assert not [entry for entry in result.ledger if entry.kind == "divergence"]
    assert all(branch.state == "covered" for branch in result.branches if branch.text[0] == "y")


def test_without_landlock_an_executor_writes_no_file_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confining, "granted", lambda _: {"files": 0, "calls": 1, "mounts": 0, "processes": 0})
    canary = tmp_path / "canary"
    result = searched(FOLDER / "files.c", canary)
    assert any("Landlock" in note for note in result.program.notes)
    assert is_untouched(canary)
    assert len([entry for entry in result.ledger if entry.kind == "sandbox"]) == 13  # all but what only reads
