"""A function of `--all` that is resumed alone has the usual time behind its search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.cli.app import main
from veer.model.errors import UsageError
from veer.model.searchoptions import SearchOptions


def test_a_share_behind_the_search_was_for_that_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def resume(out: Path, change: Callable[[SearchOptions], SearchOptions], progress: object) -> None:
        seen.append(change(SearchOptions(budget=1.0, behind=1.5)))
        raise UsageError("that is enough")

    monkeypatch.setattr(campaign, "resume", resume)
    assert main(["test", "--resume", str(tmp_path), "--budget", "60s"]) == 2
    assert [(each.budget, each.seconds_behind) for each in seen] == [(60.0, 17.0)]
