"""A long computation is no endless loop: the plain build has the last word on a spent budget of steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

LONG = "int busy(int x) { volatile int n = 0; for (int i = 0; i < 3000000; i++) n += i & 1; return x == 7 ? n : 0; }"
ENDLESS = "int busy(int x) { volatile int n = 0; while (x == 7) n ^= 1; return n; }"


@pytest.mark.parametrize(("text", "hangs"), [(LONG, 0), (ENDLESS, 1)], ids=["long", "endless"])
def test_only_what_the_plain_build_does_not_end_is_a_hang(text: str, hangs: int, tmp_path: Path) -> None:
    source = tmp_path / "busy.c"
    source.write_text(text)
    search = SearchOptions(budget=20.0, max_steps=1_000_000)
    result = campaign.run(BuildOptions((source,), "busy"), search)
    assert [bug.outcome.key for bug in result.bugs] == ["hang"] * hangs
    assert "max-steps 1000000" in " ".join(result.ending.within)
