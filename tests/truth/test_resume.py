"""Campaigns that are killed and go on: whatever the moment, the end is that of a campaign that nobody disturbed."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

SOURCE = """
int mixed(const char *s, int a, int b)
{
    int n = 0;
    for (int i = 0; s[i]; i++) {
        if (s[i] == 'a')
            n++;
        else if (s[i] == 'b')
            n += 2;
        else if (s[i] == 'c')
            n += 3;
        if (n == 5)
            return 7;
    }
    if (n == 9)
        return 1 / (n - 9);
    if (a - n == 77 && b > a)
        return 3;
    return n;
}
"""
COMMAND = """
import sys
from veer.store import saver
saver._SHORTEST_INTERVAL = 0.02
saver._SHARE = 1
from veer.cli.app import main
sys.exit(main())
"""
KILLS = 6


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


@pytest.mark.parametrize("seed", [1])
def test_killed_at_any_moment_it_ends_as_if_nothing_had_been(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    calm, killed = tmp_path / "calm", tmp_path / "killed"
    subprocess.run(start(tmp_path, calm), timeout=120, check=False, capture_output=True)
    assert found(calm)["ending"]["claim"] == "paths"
    again, kills = start(tmp_path, killed), 0
    while kills < KILLS:
        process = subprocess.Popen(again, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            process.wait(timeout=chance.uniform(0.5, 2.0))
        except subprocess.TimeoutExpired:
            process.kill()
            kills += 1
        _, error = process.communicate(timeout=60)
        assert b"Traceback" not in error, error.decode()
        if process.returncode == 1:
            break
        if (killed / "campaign" / "campaign.json").exists():
            again = command("test", "--resume", killed, "--quiet")
    if process.returncode != 1:
        done = subprocess.run(again, timeout=120, check=False, capture_output=True, text=True)
        assert done.returncode == 1, done.stderr
    assert kills
    assert found(killed) == found(calm)
    assert not (killed / "campaign").exists()


def refused(*arguments: object, cwd: Path | None = None) -> str:
    done = subprocess.run(
        command("test", "--resume", *arguments), timeout=60, capture_output=True, text=True, check=False, cwd=cwd
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("veer: ") and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_a_damaged_foreign_or_outdated_directory_is_refused_with_one_sentence(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert "holds no campaign to resume" in refused(tmp_path)
    subprocess.run(start(tmp_path, out, "--max-runs", "300"), timeout=120, check=False, capture_output=True)
    assert "leave out --strategy" in refused(out, "--strategy", "dfs")
    assert "was started in" in refused(out, cwd=tmp_path)
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
    began = time.monotonic()
    subprocess.run(start(tmp_path, parts, "--max-runs", "50"), timeout=120, check=False, capture_output=True)
    for runs in (51, 400, 0):
        again = command("test", "--resume", parts, "--quiet", "--max-runs", runs)
        subprocess.run(again, timeout=120, check=False, capture_output=True)
    assert found(parts) == found(calm)
    seconds = json.loads((parts / "summary.json").read_text())["seconds"]
    assert 0 < seconds["total"] <= time.monotonic() - began
