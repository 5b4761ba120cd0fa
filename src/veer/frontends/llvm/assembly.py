"""From instrumented units to one executable and one numbering.

unit      sites   base        Units are numbered in link order, the one with the entry last: in the counters build that
hash.c       40      0        unit ends in the suite's own functions instead of the harness's, and its numbers run on
libc/...    610     40        without disturbing anybody's.
list.c       22    650
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from veer.frontends.llvm.unit import MadeUnit
from veer.instrument.codegen import emit_object
from veer.instrument.instrument import NO_SITES, base_module
from veer.model.errors import ToolchainError, UsageError, VeerError
from veer.model.program import Site
from veer.model.values import replace
from veer.toolchain.compiler import Compiled, Toolchain, shorten
from veer.toolchain.cxx import link_cxx
from veer.toolchain.libraries import resolved
from veer.toolchain.linking import link

_UNDEFINED = re.compile(r"undefined symbol: (\S+)")
_NO_LIBRARY = re.compile(
    r"unable to find .*library [\"']?(?:-l)?([\w.+-]+)|error: (\S+\.(?:a|o|so)\S*): file not found"
    r"|unable to find library -l(\S+)"
)
_DUPLICATE = re.compile(r"duplicate symbol(?: definition)?: (\S+)")


class Numbered(Struct, frozen=True):
    """Global sites, and where each unit's sites start."""

    sites: tuple[Site, ...]
    bases: dict[str, int]  # by unit name
    item_count: int


def number(units: Sequence[MadeUnit]) -> Numbered:
    """Gives all sites and coverage items of the units their global numbers."""
    sites: list[Site] = []
    bases: dict[str, int] = {}
    items = 0
    for unit in units:
        bases[unit.name] = base = len(sites)
        for index, site in enumerate(unit.sites):
            own = tuple(item + items if item >= 0 else -1 for item in site.items)
            sites.append(replace(site, id=base + index, items=(own[0], own[1])))
        items += unit.item_count
    return Numbered(tuple(sites), bases, items)


def undefined_names(units: Sequence[MadeUnit]) -> tuple[dict[str, tuple[str, str]], dict[str, str]]:
    """Functions and variables that some unit declares and none defines; veer's own names are left out."""
    defined = {name for unit in units for name in unit.defined}
    functions = {name: how for unit in units for name, how in unit.declared.items() if _is_open(name, defined)}
    data = {name: shape for unit in units for name, shape in unit.data.items() if _is_open(name, defined)}
    return functions, data


def _is_open(name: str, defined: set[str]) -> bool:
    return name not in defined and not name.startswith(("veer_", "llvm.", "__start_veer", "__stop_veer"))


def library_sites(numbered: Numbered, library: Sequence[MadeUnit]) -> range:
    """The sites of the units of veer's own libc, which are linked one behind the other."""
    if not library:
        return NO_SITES
    last = library[-1]
    return range(numbered.bases[library[0].name], numbered.bases[last.name] + len(last.sites))


def base_object(
    bases: dict[str, int],
    directory: Path,
    line_bases: dict[str, int] | None = None,
    library: range = NO_SITES,
) -> Path:
    """The object that defines `veer_base_<unit>` for each unit, and what goes with it."""
    path = directory / "bases.o"
    path.write_bytes(emit_object(base_module(bases, line_bases, library), 0))
    return path


def linked(toolchain: Toolchain, objects: Sequence[Path], output: Path, flags: Sequence[str]) -> frozenset[str]:
    """Links. Returns the symbols that are defined nowhere if that is all that failed, else nothing: `output` is made.

    Raises UsageError for what the user can mend and ToolchainError for the rest.
    """
    said = (link_cxx if toolchain.is_cxx else link)(toolchain, objects, output, resolved(flags, toolchain))
    if said.code == 0 and output.exists():
        return frozenset()
    missing = frozenset(_UNDEFINED.findall(said.messages))
    if own := sorted(name for name in missing if name.startswith("veer_")):
        raise ToolchainError(f"veer's own runtime lacks {', '.join(own)}: this is a bug of veer's, please report it")
    if missing:
        return missing
    raise _refusal(said)


def _refusal(said: Compiled) -> VeerError:
    if twice := _DUPLICATE.search(said.messages):
        return UsageError(
            f"{twice[1]} is defined in more than one source: leave one out, or give --cflag=-fcommon if an old "
            "header defines it"
        )
    if matched := _NO_LIBRARY.search(said.messages):
        name = next(part for part in matched.groups() if part)
        return UsageError(f"--link {name}: there is no such library; install it, or give the path of its file")
    return ToolchainError(f"the instrumented program does not link:\n{shorten(said.messages)}")
