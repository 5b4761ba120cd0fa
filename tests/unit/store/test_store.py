"""The store: DIR as docs/design.md, section 4 says, never a stranger's directory, nothing half written."""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path
from typing import Any

import output_samples as samples
import pytest

from veer.model.errors import StoreError, UsageError
from veer.model.outcome import Outcome
from veer.model.values import replace
from veer.store import writer
from veer.store.reader import read
from veer.store.recorded import recorded_tests

TOP = re.findall(
    r"\w+",
    """schema tool platform toolchain entries sources seed strategy options ending runs paths diverged queries
    coverage branches bugs tests ledger seconds""",
)
SUITE = writer.MainSuite("test_testme.c", "/* a suite */\n", ("gcc test_testme.c", "./a.out"))


def test_everything_is_written_and_read_back(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    record = writer.write(samples.result(ledger=(samples.LOST,)), out, SUITE)
    assert (out / "suite" / "test_testme.c").read_text() == SUITE.text
    assert sorted(file.name for file in (out / "tests").iterdir()) == [f"00{i}.json" for i in range(1, 6)]
    assert [file.name for file in (out / "bugs").iterdir()] == ["001.json"]
    assert read(out) == record


def test_the_summary_has_the_keys_of_schema_1(tmp_path: Path) -> None:
    writer.write(samples.result(), tmp_path / "out", SUITE)
    summary: dict[str, Any] = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert set(TOP) <= set(summary)
    assert summary["schema"] == 1
    assert summary["ending"] == {"kind": "exhausted", "claim": "paths", "within": ["graph-depth 3"], "lost_by": []}
    assert summary["coverage"]["branches"] == {"covered": 8, "total": 8}
    assert summary["coverage"]["mcdc"] is None
    bug = summary["bugs"][0]
    assert bug["kind"] == "abort"
    assert bug["found"] == {"run": 5, "seconds": 0.01}
    assert bug["inputs"] == {"p": "&cell_1", "x": "1", "cell_1": "{v = 3, next = &cell_1}"}
    assert summary["tests"][0] == {
        "name": "test_001", "outcome": "returned", "inputs": {"p": "NULL", "x": "0"}, "covers": [0], "exit_code": None,
        "returned": "00000000", "replayed": "same", "raw": "", "printed": None, "state": "",
    }  # fmt: skip


def test_a_reader_ignores_keys_that_it_does_not_know(tmp_path: Path) -> None:
    writer.write(samples.result(), tmp_path)
    file = tmp_path / "summary.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "later": 1}))
    assert read(tmp_path).paths == 6


def test_a_strangers_directory_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years")
    with pytest.raises(StoreError, match="not written by veer"):
        writer.prepare(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_strangers_summary_does_not_make_it_ours(tmp_path: Path) -> None:
    (tmp_path / "summary.json").write_text('{"tool": "another"}')
    with pytest.raises(StoreError, match="not written by veer"):
        writer.prepare(tmp_path)


def test_our_own_directory_is_written_anew_without_stale_records(tmp_path: Path) -> None:
    writer.write(samples.result(), tmp_path)
    (tmp_path / "tests" / "notes.txt").write_text("mine")
    writer.write(samples.result(tests=samples.testme_tests()[:2], bugs=()), tmp_path)
    assert sorted(file.name for file in (tmp_path / "tests").iterdir()) == ["001.json", "002.json", "notes.txt"]
    assert list((tmp_path / "bugs").iterdir()) == []


def test_a_full_disk_is_one_sentence_and_what_was_written_is_valid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer.write(samples.result(), tmp_path)
    before = (tmp_path / "summary.json").read_bytes()
    room = [5]
    real = os.fdopen

    def full(descriptor: int, mode: str) -> Any:
        room[0] -= 1
        if room[0] < 0:
            os.close(descriptor)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(descriptor, mode)

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(StoreError, match="the disk is full") as caught:
        writer.write(samples.result(seed=1), tmp_path)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 3
    assert (tmp_path / "summary.json").read_bytes() == before
    assert not list(tmp_path.rglob(".veer-*"))
    for file in tmp_path.rglob("*.json"):
        json.loads(file.read_text())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_no_permission_is_one_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="permission is denied"):
        writer.prepare(tmp_path / "out")


def test_a_file_in_the_way_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        writer.prepare(tmp_path / "out")


@pytest.mark.parametrize(("text", "word"), [("{", "damaged"), ('{"schema": 1}', "damaged")])
def test_a_damaged_summary_is_said(tmp_path: Path, text: str, word: str) -> None:
    (tmp_path / "summary.json").write_text(text)
    with pytest.raises(StoreError, match=word):
        read(tmp_path)


def test_no_summary_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds no summary\.json"):
        read(tmp_path)


def test_recorded_tests_are_those_of_the_suite(tmp_path: Path) -> None:
    tests = (
        *samples.testme_tests(),
        replace(samples.testme_tests()[4], name="test_006"),
        replace(samples.testme_tests()[0], name="test_007", outcome=Outcome.ASSUMPTION),
    )
    writer.write(samples.result(tests=tests), tmp_path)
    assert [test.name for test in recorded_tests(read(tmp_path))] == [f"test_00{i}" for i in range(1, 7)]
