"""The units on which bench/auto_search.py compares searches.

The list was fixed before any of them was measured; of these the ones count whose plain search takes at least a second
of work (docs/decisions/0473). Ours, or a Debian source package that bench/real_code.py fetches.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import real_code
from common import SUBJECTS

from veer.model.buildoptions import BuildOptions
from veer.model.values import replace


@dataclass(frozen=True)
class Unit:
    """An entry of a file in bench/, or a row of bench/real_code.py (`package`); `size`: the macro SIZE, 0: none."""

    name: str
    file: str = ""
    entry: str = "main"
    size: int = 0
    package: str = ""

    def options(self, work: Path) -> BuildOptions:
        """How it is built; fetches what is not ours."""
        if self.package:
            build = real_code.options(self.package, real_code.SUBJECTS_BY_NAME[self.package], work)
        else:
            build = BuildOptions(sources=(SUBJECTS.parent / self.file,), entry=self.entry)
        return replace(build, define=(f"SIZE={self.size}",)) if self.size else build


def _flowtest(name: str, entry: str) -> Unit:
    return Unit(entry, f"subjects/flowtest/{name}.c", entry)


def _watched(entry: str) -> Unit:
    return Unit(f"w {entry}", "subjects/watched.c", entry)


def _held_out(entry: str) -> Unit:
    return Unit(f"h {entry}", "subjects/held_out.c", entry)


def _subject(name: str, size: int = 0) -> Unit:
    return Unit(f"{name} {size}".removesuffix(" 0"), f"subjects/{name}.c", size=size)


def _structure(file: str, entry: str) -> Unit:
    return Unit(entry, f"subjects/structures/{file}.c", entry)


UNITS = (
    *(_flowtest(*each) for each in (("page_map", "page_map"), ("protection", "protect"), ("intrusion", "inspect"))),
    _flowtest("telegrams", "telegrams"),
    *(_flowtest(f"printers/{name}", f"{name}_print") for name in ("arp", "icmp", "igmp", "lease", "name", "ntp")),
    *(_flowtest("printers/rip", "rip_table_print"), _flowtest("printers/vrrp", "vrrp_print")),
    *(Unit(f"sip {size}", "smart/sip.c", "packet", size) for size in (8, 10, 12, 16)),
    *(_subject("splat", 16), _subject("ifs"), _subject("ifs", 24), _subject("regexp"), _subject("json", 10)),
    *(_subject("bubble", 7), _subject("atoi", 6), _subject("records", 8), _subject("locate", 40)),
    *(_subject("expression"), _subject("hash"), _subject("testme")),
    *(_watched(name) for name in ("files", "locks", "doors", "valves", "message", "interrupts", "handles", "weapon")),
    *(_held_out(name) for name in ("pump", "printer", "transaction", "session", "counter", "cache", "heater", "retry")),
    *(_structure("list", "list_reverse"), _structure("doubly", "doubly_concatenate")),
    *(_structure("redblack", "tree_insert"), _structure("sorted", "sorted_add")),
    *(_structure("sorts", "quick_sort"), _structure("sorts", "heap_sort")),
    *(Unit(name, "subjects/toolbox/toolbox.c", name) for name in ("day_of_year", "is_sorted", "starts_with")),
    *(Unit(name, "subjects/toolbox/toolbox.c", name) for name in ("list_sum", "overlap")),
    *(Unit(f"{name} {size}", package=name, size=size) for name, size in (("cjson", 10), ("cjson", 64), ("inih", 12))),
    *(Unit(f"{name} {size}", package=name, size=size) for name, size in (("http_parser", 8), ("yajl", 8))),
    *(Unit(f"{name} {size}", package=name, size=size) for name, size in (("jsmn", 16), ("libcsv", 8), ("zlib", 8))),
    *(Unit(f"{name} {size}", package=name, size=size) for name, size in (("libyaml", 8), ("expat", 8))),
)
