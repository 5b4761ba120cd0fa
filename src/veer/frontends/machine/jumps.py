"""Sites in the words of the machine. Each target of an indirect jump is a branch, and what is not known, too.

switch of IR      default            case 268501504
jump              another target     to 0x10010200

br of IR          false              true
jump              goes on            to 0x10010200        or the other way round: sides.py
"""

from __future__ import annotations

from collections.abc import Mapping

from veer.frontends.machine.descent import Routine, Target
from veer.frontends.machine.listing import SOURCE, Listing
from veer.frontends.machine.sides import jumps
from veer.model.program import Site, SiteKind
from veer.model.values import replace

ANOTHER = "another target"
"""The side on which a jump goes where nothing is known."""


def named_sites(
    listing: Listing, routines: Mapping[str, Routine], text: str, names: Mapping[str, str], sites: tuple[Site, ...]
) -> tuple[Site, ...]:
    """The sites with their instructions as text, and sides that name targets.

    LLVM keeps the order of a switch's cases, not their numbers. `routines`: by their names in IR; `text`: the IR;
    `names`: by which functions are shown that have another name in IR.
    """
    sites = _at_jumps(listing, routines, text, names, sites)
    texts = dict(enumerate((_text(row) for row in listing.text.splitlines()), 1))
    indirect = ((each.code.address, *jump) for each in routines.values() for jump in each.indirect.items())
    lines = {listing.lines[code, at]: known for code, at, known in indirect}
    cases: dict[int, list[Site]] = {}
    named: dict[int, Site] = {}
    for site in sites:
        if site.kind in (SiteKind.BRANCH, SiteKind.CASE, SiteKind.SELECT):
            named[site.id] = replace(site, text=texts.get(site.line, site.text))
        if site.kind is SiteKind.CASE and site.line in lines:
            cases.setdefault(site.line, []).append(site)
    for line, found in cases.items():
        if len(found) == len(lines[line]):
            for site, target in zip(found, lines[line], strict=True):
                named[site.id] = replace(named[site.id], sides=(ANOTHER, _words(target)))
    return tuple(named.get(site.id, site) for site in sites)


def _at_jumps(
    listing: Listing, routines: Mapping[str, Routine], text: str, names: Mapping[str, str], sites: tuple[Site, ...]
) -> tuple[Site, ...]:
    """Branches that are jumps of the machine stand at these, not where their conditions are made."""
    found = {
        (names.get(name, name), block): (listing.lines[routines[name].code.address, jump.address], jump.sides)
        for (name, block), jump in jumps(text, routines).items()
    }
    named = []
    for site in sites:
        if site.kind is SiteKind.BRANCH and (site.function, site.block) in found:
            line, sides = found[site.function, site.block]
            named.append(replace(site, line=line, sides=sides))
        else:
            named.append(site)
    return tuple(named)


def _text(row: str) -> str:
    """A line of the listing: the address, the instruction, and where it comes from."""
    instruction, _, source = row.strip().partition(SOURCE)
    return instruction.rstrip(";").replace(": ", " ", 1) + (f" ({source})" if source else "")


def _words(target: Target) -> str:
    is_nameless = target.code.name == f"function_{target.code.address:x}"
    return f"to {target.code.address:#x}" + ("" if is_nameless else f" ({target.code.name})")
