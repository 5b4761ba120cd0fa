"""What several tests here need."""

from __future__ import annotations

import pytest

from veer.campaign import behind
from veer.findings import contradiction, readable
from veer.search import queries


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are made readable, contradictions small, and queries answered, however busy the machine is: two campaigns
    end alike."""
    monkeypatch.setattr(queries, "_PATIENCE", (4.0, 4.0, 4.0))
    for step in (readable, contradiction):
        monkeypatch.setattr(step, "MOST_SECONDS", 600.0)
    for share in ("FOR_BETTER", "EXPLAINED"):
        monkeypatch.setattr(behind, share, 100.0)
