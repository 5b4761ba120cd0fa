"""Sites in the words of the machine. Each target of an indirect jump is a branch, and what is not known, too.

switch of IR      default            case 268501504
jump              another target     to 0x10010200

br of IR          false              true
jump              goes on            to 0x10010200        or the other way round: sides.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veer.frontends.machine.descent import Routine, Target
from veer.frontends.machine.listing import SOURCE, Listing
from veer.frontends.machine.sides import Jump
from veer.model.program import Site, SiteKind
from veer.model.values import replace

ANOTHER = "another target"
"""The side on which a jump goes where nothing is known."""


def named_sites(
    listing: Listing, routines: Sequence[Routine], jumps: Mapping[tuple[str, int], Jump], sites: tuple[Site, ...]
) -> tuple[Site, ...]:
    """The sites with their instructions as text, and sides that name targets. One of a conditional jump stands there,
    not where its condition is made.

    LLVM keeps the order of a switch's cases, not their numbers. `jumps`: by function and number of the block.
    """
    texts = dict(enumerate((_text(row) for row in listing.text.splitlines()), 1))
    lines = {listing.lines[each.code.address, at]: known for each in routines for at, known in each.indirect.items()}
    cases: dict[int, list[Site]] = {}
    named: dict[int, Site] = {}
    for site in sites:
        jump = jumps.get((site.function, site.block)) if site.kind is SiteKind.BRANCH else None
        if jump is not None:
            line = listing.lines[jump.place]
            named[site.id] = replace(site, line=line, text=texts[line], sides=jump.sides)
        elif site.kind in (SiteKind.BRANCH, SiteKind.CASE, SiteKind.SELECT):
            named[site.id] = replace(site, text=texts.get(site.line, site.text))
        if site.kind is SiteKind.CASE and site.line in lines:
            cases.setdefault(site.line, []).append(site)
    for line, found in cases.items():
        if len(found) == len(lines[line]):
            for site, target in zip(found, lines[line], strict=True):
                named[site.id] = replace(named[site.id], sides=(ANOTHER, _words(target)))
    return tuple(named.get(site.id, site) for site in sites)


def _text(row: str) -> str:
    """A line of the listing: the address, the instruction, and where it comes from."""
    instruction, _, source = row.strip().partition(SOURCE)
    return instruction.rstrip(";").replace(": ", " ", 1) + (f" ({source})" if source else "")


def _words(target: Target) -> str:
    is_nameless = target.code.name == f"function_{target.code.address:x}"
    return f"to {target.code.address:#x}" + ("" if is_nameless else f" ({target.code.name})")
