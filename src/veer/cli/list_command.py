"""`veer list`: the functions that could be an entry, with their input shapes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import msgspec

from veer.campaign.keywords import Options
from veer.campaign.languages import language_of
from veer.campaign.requests import build_options
from veer.campaign.settings import settings
from veer.campaign.sources import project
from veer.cli.arguments import Given
from veer.cli.exit_codes import NOTHING_FOUND
from veer.frontends.protocol import Entry


def run(given: Given) -> int:
    """Prints each function of the sources with what is made for its parameters."""
    known = settings(given.get("sources", ()))
    chosen, flags_of = project(given.get("sources") or known.sources, given.get("compdb", known.compdb))
    build = build_options(chosen, "", cast(Options, {**known.options, **given}), flags_of)
    found = language_of(build.sources).entries(build)
    if given.get("json"):
        print(json.dumps(msgspec.to_builtins(found), indent=2))
        return NOTHING_FOUND
    for entry in found:
        for line in entry_lines(entry):
            print(line)
    if not found:
        print("no function is defined here")
        return NOTHING_FOUND
    possible = sum(not entry.why_not for entry in found)
    print(f"{possible} of {len(found)} function{'' if len(found) == 1 else 's'} can be an entry")
    return NOTHING_FOUND


def entry_lines(entry: Entry) -> list[str]:
    """A function, a line for each parameter, and why it cannot be an entry where no parameter says it."""
    verdict = ("cannot be an entry",) if entry.why_not else ()
    where = ", ".join([f"{Path(entry.file).name}:{entry.line}", *entry.qualities, *verdict])
    lines = [f"{entry.name}  ({where})"]
    for each in entry.inputs:
        lines.append(f"    {each.name}: {f'not supported: {each.refused}' if each.refused else each.made}")
    lines += [f"    contract: {clause}" for clause in entry.contract]
    if entry.why_not and not any(each.refused for each in entry.inputs):
        lines.append(f"    {entry.why_not}")
    return lines
