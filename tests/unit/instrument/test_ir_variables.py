"""Global variables of a unit: what cannot be held is refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from ir_fixtures import instrumented, prepared

from veer.model.errors import UsageError


def test_a_variable_that_no_program_of_veers_can_hold(tmp_path: Path) -> None:
    text = prepared(tmp_path, "char big[1ull << 34];\nint f(int a) { return big[a & 7]; }\n")
    with pytest.raises(
        UsageError, match="the variable big has 17,179,869,184 bytes, and veer holds at most 536,870,912"
    ):
        instrumented(text)
