"""Where functions are in a file without symbols, as its tables for unwinding say (.eh_frame)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_LINKING = (".plt", ".plt.sec", ".plt.got", ".iplt", ".plt.bnd")
"""Sections of code that only leads to other libraries."""


def ranges(elf: Any) -> Iterator[tuple[int, int]]:
    """The address and the bytes of each function; none where the file has no such table, or a damaged one."""
    try:
        if not elf.has_dwarf_info():
            return
        entries = elf.get_dwarf_info(relocate_dwarf_sections=False).EH_CFI_entries()
    except Exception:  # pyelftools raises errors of many kinds for damaged tables, without which files run
        return
    between = [
        (each["sh_addr"], each["sh_addr"] + each["sh_size"]) for each in elf.iter_sections() if each.name in _LINKING
    ]
    for each in entries:
        header = getattr(each, "header", {})
        if "initial_location" not in header:
            continue
        address, size = header["initial_location"], header["address_range"]
        if not any(begin <= address < end for begin, end in between):
            yield address, size
