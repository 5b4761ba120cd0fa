"""Files of line tables: an assembler may write a table of another version than the compiler's debug info."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from veer.frontends.machine import dwarf


class Table(dict[str, Any]):
    """A line table of one address, in the file of this number."""

    def get_entries(self) -> list[SimpleNamespace]:
        state = SimpleNamespace(address=0x100, file=self["file"], line=7, end_sequence=False)
        return [SimpleNamespace(state=None), SimpleNamespace(state=state)]


@pytest.mark.parametrize(("version", "number"), [(3, 1), (4, 1), (5, 0)])
@pytest.mark.parametrize("of_unit", [4, 5])
def test_files_are_counted_as_the_line_table_says(
    version: int, number: int, of_unit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [SimpleNamespace(name=b"unit.c"), SimpleNamespace(name=b"other.h")]
    table = Table(version=version, file=number, file_entry=files)
    unit = {"version": of_unit}
    info = SimpleNamespace(iter_CUs=lambda: [unit], line_program_for_CU=lambda _: table)
    elf = SimpleNamespace(get_section_by_name=lambda _: True, get_dwarf_info=lambda: info)
    monkeypatch.setattr(dwarf, "extra", lambda _: SimpleNamespace(ELFFile=lambda _: elf))
    dwarf._lines.cache_clear()
    assert dwarf._lines(b"%d %d" % (version, of_unit), 0) == ((0x100,), ("unit.c:7",))
    dwarf._lines.cache_clear()
