"""The emulator maps its memory in few pieces: in single pages a library of 2 MB took 0.7 s for each test."""

from __future__ import annotations

from veer.frontends.machine.emulated import _runs


def test_pages_side_by_side_that_are_alike_are_one_piece() -> None:
    pages = {0x5000: True, 0x1000: False, 0x2000: False, 0x3000: True, 0x8000: False}
    assert list(_runs(pages)) == [
        (0x1000, 0x3000, False),
        (0x3000, 0x4000, True),
        (0x5000, 0x6000, True),
        (0x8000, 0x9000, False),
    ]
    assert list(_runs({})) == []
