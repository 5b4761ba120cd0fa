"""Campaigns that are killed and go on: whatever the moment, the end is that of a campaign that nobody disturbed."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sampling import IS_LONG, ROOT, sampled

from veer.cli.app import main

SOURCE = (ROOT / "bench/subjects/mixed.c").read_text()
COMMAND = """
import sys
from veer.store import saver
saver._SHORTEST_INTERVAL = 0.02
saver._SHARE = 1
from veer.cli.app import main
sys.exit(main())
"""
KILLS = 50 if IS_LONG else 3
SESSIONS = 3


def command(*arguments: object) -> list[str]:
    """`veer`, which saves as often as it can."""
    return [sys.executable, "-c", COMMAND, *map(str, arguments)]


def found(out: Path) -> dict[str, Any]:
    """What must be the same however often a campaign was killed."""
    summary = json.loads((out / "summary.json").read_text())
    return {
        "ending": summary["ending"],
        "paths": summary["paths"],
        "coverage": summary["coverage"],
        "bugs": sorted((bug["kind"], bug["line"], bug["confirmed"]) for bug in summary["bugs"]),
        "tests": sorted(test["outcome"] for test in summary["tests"]),
        "branches": [(branch["id"], branch["state"]) for branch in summary["branches"]],
    }


def start(tmp_path: Path, out: Path, *more: str) -> list[str]:
    source = tmp_path / "mixed.c"
    source.write_text(SOURCE)
    return command("test", source, "--entry", "mixed", "--max-length", "7", "--out", out, "--quiet", *more)


def workers(process: int) -> list[int]:
    """The processes that a campaign forked. Not its executors: one that is killed was killed by the tested program."""
    found = []
    own = Path(f"/proc/{process}/cmdline").read_bytes()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == process and (folder / "cmdline").read_bytes() == own:
                found.append(int(folder.name))
    return found


def until_killed(campaign: list[str], chance: random.Random) -> int:
    """Runs a campaign; kills a worker of it, if there is one, and then itself: how many died."""
    process = subprocess.Popen(campaign, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    kills = 0
    for moment in sorted(chance.uniform(0.5, 2.5) for _ in range(2)):
        try:
            process.wait(timeout=moment / 2)
        except subprocess.TimeoutExpired:
            below = sorted({*workers(process.pid)} & {*workers(process.pid)})  # not what is about to be replayed
            if kills or not below:
                process.kill()
            else:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(chance.choice(below), signal.SIGKILL)
            kills += 1
    if process.poll() is None and kills == 1:
        process.kill()
    _, error = process.communicate(timeout=120)
    assert b"Traceback" not in error, error.decode()
    return kills


@pytest.mark.parametrize("jobs", sampled([1, 3], lambda jobs: jobs == 3))
def test_killed_at_any_moment_it_ends_as_if_nothing_had_been(jobs: int, tmp_path: Path) -> None:
    """VEER_LONG=1: until fifty processes were killed, each campaign in two to three sessions."""
    chance = random.Random(jobs)
    calm = tmp_path / "calm"
    subprocess.run(start(tmp_path, calm), timeout=120, check=False, capture_output=True)
    assert found(calm)["ending"]["claim"] == "paths"
    kills = number = 0
    while kills < KILLS:
        number += 1
        killed = tmp_path / f"killed-{number}"
        again = start(tmp_path, killed, "--jobs", str(jobs))
        for _ in range(SESSIONS):
            kills += until_killed(again, chance)
            if (killed / "campaign" / "campaign.json").exists():
                again = command("test", "--resume", killed, "--quiet")
            elif (killed / "summary.json").exists():
                break  # everything was written, whether it was killed on its way out or not
        index = killed / "campaign" / "campaign.json"  # the first that goes when all is written
        if index.exists() or not (killed / "summary.json").exists():
            done = subprocess.run(again, timeout=120, check=False, capture_output=True, text=True)
            assert done.returncode == 1, done.stderr
        assert in_any_order(found(killed)) == in_any_order(found(calm)), (killed / "summary.json").read_text()
        assert not index.exists()


def in_any_order(result: dict[str, Any]) -> dict[str, Any]:
    """Without the number of tests: strategies begin anew, and which of the runs that cover a branch is kept depends on
    which was first, as it does with several workers."""
    return {**result, "tests": sorted(set(result["tests"]))}


def test_a_damaged_foreign_or_outdated_directory_is_refused_with_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*arguments: object) -> str:
        assert main(["test", "--resume", *map(str, arguments)]) == 2
        said = capsys.readouterr().err
        assert said.startswith("veer: ") and said.count("\n") == 1, said
        return said

    out = tmp_path / "out"
    assert "holds no campaign to resume" in refused(tmp_path)
    subprocess.run(start(tmp_path, out, "--max-runs", "300"), timeout=120, check=False, capture_output=True)
    assert "leave out --strategy" in refused(out, "--strategy", "dfs")
    with monkeypatch.context() as elsewhere:
        elsewhere.chdir(tmp_path)
        assert "was started in" in refused(out)
    (part,) = (out / "campaign").glob("*.part")
    whole = part.read_bytes()
    part.write_bytes(whole[:-1])
    assert "length is wrong" in refused(out)
    part.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert "checksum is wrong" in refused(out)
    part.unlink()
    assert "No such file" in refused(out)
    part.write_bytes(whole)
    index = out / "campaign" / "campaign.json"
    text = index.read_text()
    index.write_text(text[:100])
    assert "is damaged" in refused(out)
    (name,) = (out / "campaign").glob("*.part")
    index.write_text(text.replace(name.name, r"a\nb"))
    assert r"a\nb is damaged" in refused(out)
    index.write_text(text.replace(str(Path.cwd()), r"a\nb"))
    assert r"was started in a\nb" in refused(out)
    index.write_text(text.replace("layout ", "layout 0"))
    assert "another version of veer" in refused(out)
    index.write_text(text)
    (tmp_path / "mixed.c").write_text(SOURCE.replace("77", "78"))
    assert "mixed.c has changed" in refused(out)
    (tmp_path / "mixed.c").write_text(SOURCE)
    before = json.loads((out / "summary.json").read_text())["runs"]
    done = subprocess.run(command("test", "--resume", out, "--max-runs", "600", "--quiet"), timeout=60, check=False)
    assert done.returncode in (0, 1)
    assert before == 300 and json.loads((out / "summary.json").read_text())["runs"] == 600


def test_a_session_that_ends_for_its_budget_can_be_taken_up_and_loses_nothing(tmp_path: Path) -> None:
    calm, parts = tmp_path / "calm", tmp_path / "parts"
    subprocess.run(start(tmp_path, calm), timeout=120, check=False, capture_output=True)
    subprocess.run(start(tmp_path, parts, "--max-runs", "50"), timeout=120, check=False, capture_output=True)
    for runs in (51, 400, 0) if IS_LONG else (400, 0):
        again = command("test", "--resume", parts, "--quiet", "--max-runs", runs)
        subprocess.run(again, timeout=120, check=False, capture_output=True)
    assert found(parts) == found(calm)
    seconds = json.loads((parts / "summary.json").read_text())["seconds"]
    assert 0 < seconds["explore"] <= seconds["total"]
