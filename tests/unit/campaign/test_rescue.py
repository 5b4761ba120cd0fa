"""What ends a campaign is told as what it is: a memory that was closed is not damaged."""

from __future__ import annotations

from typing import Any

import pytest

from veer.campaign.rescue import rescued
from veer.model.errors import DamagedMemoryError
from veer.wire.control import Header
from veer.wire.shared import Shared


def _never(*_: Any) -> Any:
    raise AssertionError("nothing was saved")


def test_an_error_behind_a_closed_memory_is_told_as_it_is() -> None:
    with Shared() as shared:
        shared.close()
        with pytest.raises(ValueError, match="negative"):
            rescued(None, shared, ValueError("negative shift count"), "veer", _never)


def test_a_head_that_was_overwritten_is_told_whatever_else_went_wrong() -> None:
    with Shared() as shared:
        shared.control(Header).magic = 0
        with pytest.raises(DamagedMemoryError, match="its head was overwritten"):
            rescued(None, shared, ValueError("negative shift count"), "veer", _never)
