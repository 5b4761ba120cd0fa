"""`veer test` of a whole project twice: what stands is what would be found again, and no change is missed."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.cli.app import main

SOURCE = """#include "part.h"
int share(int n) { return 100 / PARTS(n); }
int twice(int n) { return n > 1000 || n < -1000 ? 0 : 2 * n; }
"""
STANDS = "nothing has changed since the last run"


def test_a_change_of_a_header_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "share.c").write_text(SOURCE)
    (tmp_path / "part.h").write_text("#define PARTS(n) ((n) ? 3 : 4)\n")

    def tested(*words: str) -> tuple[int, str]:
        code = main(["test", "share.c", "--budget", "5s", *words])
        return code, capsys.readouterr().out

    first = tested()
    assert first[0] == 0 and STANDS not in first[1]
    again = tested()
    assert again[0] == 0 and STANDS in again[1] and again[1].startswith(first[1])
    assert STANDS not in tested("--fresh")[1]
    (tmp_path / "part.h").write_text("#define PARTS(n) ((n) - 7)\n")
    changed = tested()
    assert changed[0] == 1 and STANDS not in changed[1] and "divided by zero" in changed[1]
    stands = tested()
    assert stands[0] == 1 and STANDS in stands[1]
