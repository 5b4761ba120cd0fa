"""That veer's runtime is built is told while it lasts, and nothing is told where it is there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import cast

import pytest

from veer.campaign import firstbuild
from veer.model.progress import Progress
from veer.toolchain.compiler import Toolchain

NONE = cast(Toolchain, None)


def has_made(monkeypatch: pytest.MonkeyPatch, counts: Iterator[tuple[int, int]]) -> None:
    monkeypatch.setattr(firstbuild, "files_made", lambda _: next(counts))


def test_nothing_is_told_of_a_runtime_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    has_made(monkeypatch, iter([(9, 9)]))
    told: list[Progress] = []
    with firstbuild.told(NONE, told.append):
        pass
    assert not told


def test_it_is_told_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    has_made(monkeypatch, iter([(2, 9), (2, 9), (9, 9)]))
    monkeypatch.setattr(firstbuild, "_SECONDS_BETWEEN", 0.0)
    told: list[Progress] = []
    is_told = threading.Event()

    def tell(progress: Progress) -> None:
        told.append(progress)
        is_told.set()

    with firstbuild.told(NONE, tell):
        assert is_told.wait(10)
    assert [(each.phase, each.note) for each in told] == [
        ("compile", "veer's runtime is built, once for this machine: [####................] 2 of 9 files")
    ]
