"""The tracer looks up what it knows of the library in tables by bisection."""

from __future__ import annotations

import re

import pytest

from veer.toolchain.runtime import RUNTIME

_TABLE = re.compile(r"static const char \*const (\w+)\[\] = \{([^}]*)\};")
TABLES = {
    name: re.findall(r'"([^"]*)"', rows) for name, rows in _TABLE.findall((RUNTIME / "tracer/library.c").read_text())
}


def test_there_are_tables() -> None:
    assert TABLES.keys() >= {"output_only", "readers", "forbidden"}


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_sorted(name: str) -> None:
    assert TABLES[name] == sorted(set(TABLES[name]))
