"""The places of --find and --avoid must be in the program: a search for what is not there would end with nothing."""

from __future__ import annotations

from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.program import Program
from veer.search.goal import places

_AVOIDED = "veer_place_avoided"


def require_places(build: BuildOptions, program: Program) -> None:
    """Raises UsageError where none of them has code, and for --avoid without --find."""
    if build.avoid and not build.find:
        raise UsageError(f"--avoid {build.avoid[0]} says what to avoid on the way to a place: give that by --find")
    if build.find and not places(program):
        raise UsageError(f"--find {', '.join(build.find)}: no code that {build.entry} leads to is there")
    if build.avoid and not any(site.text == _AVOIDED for site in program.sites):
        raise UsageError(f"--avoid {', '.join(build.avoid)}: no code that {build.entry} leads to is there")
