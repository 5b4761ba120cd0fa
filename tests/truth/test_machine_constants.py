"""Constants of machine code: they are no inputs, and what code reads of them is what stands there."""

from __future__ import annotations

from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from test_machine import compiled

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UnsupportedInputError
from veer.model.searchoptions import SearchOptions

pytestmark = NEEDS_MACHINE
UNIT = """
const int limit = 5;
int level = 5;
int constant(int n) { return n > *(const volatile int *)&limit ? 1 : 2; }
int variable(int n) { return n > *(volatile int *)&level ? 1 : 2; }
"""


@pytest.mark.parametrize("name", ["x86-64", "arm"])
def test_a_variable_may_be_an_input_and_a_constant_not(name: str, tmp_path: Path) -> None:
    path, search = compiled(name, UNIT, "-O1", tmp_path), SearchOptions(criterion="path", budget=20, shrink=False)
    result = campaign.run(BuildOptions((path,), "variable", prototype="int variable(int n); int level"), search)
    assert {"n", "level"} <= {root.name for test in result.tests for root in test.inputs.roots}
    assert {test.replayed for test in result.tests} == {"same"}
    with pytest.raises(UnsupportedInputError, match="limit is a constant of"):
        campaign.run(BuildOptions((path,), "constant", prototype="int constant(int n); int limit"), search)
    result = campaign.run(BuildOptions((path,), "constant", prototype="int constant(int n)"), search)
    assert result.ending.claim == "paths"
    for test in result.tests:
        (cell,) = next(root.cells for root in test.inputs.roots if root.name == "n")
        number = cell.value.bits - (1 << 32 if cell.value.bits >> 31 else 0)
        assert int.from_bytes(test.returned or b"", "little") == (1 if number > 5 else 2)
