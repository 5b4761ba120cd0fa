"""Names of a result that is read back are names, or the forms that languages have for types without one."""

from __future__ import annotations

import pytest
from report_samples import full

from veer.model.result import Result
from veer.model.values import replace
from veer.store.names import require_names


def named(name: str) -> Result:
    result = full()
    types = (replace(result.program.types[0], name=name), *result.program.types[1:])
    return replace(result, program=replace(result.program, types=types))


@pytest.mark.parametrize(
    "name", ["struct cell", "error{TooMany}![]const u16", "error{}", "error{Bad,Worse}", "[]const u8"]
)
def test_what_a_type_may_be_called(name: str) -> None:
    require_names(named(name))


@pytest.mark.parametrize("name", ["int; abort();", "x{}", "error{a}; f", "error{f()}", "a\nb", "/* */"])
def test_what_no_type_is_called(name: str) -> None:
    with pytest.raises(ValueError, match="is no name"):
        require_names(named(name))
