"""The checks that veer puts around calls of the C library itself, in the text of a module.

They are calls of veer's own library (runtime/libc/checked_calls.h), in the campaign's build and in the one in which
replays are counted, so that both number their sites alike. The plain build has none: it is the unit as it is.
"""

from __future__ import annotations

from collections.abc import Collection

from veer.frontends.c.formats import CHECK as FORMAT_CHECK
from veer.frontends.c.formats import with_formats
from veer.frontends.c.memberarrays import CHECKS as ARRAY_CHECKS
from veer.frontends.c.memberarrays import with_member_arrays

_CALLS = tuple(f"  call void @{name}(" for name in (FORMAT_CHECK, *ARRAY_CHECKS))


def with_own_checks(ir: str, defined: Collection[str], unchecked: Collection[str], *, is_bounded: bool) -> str:
    """The text with the calls. `defined`: functions of the program, which are not the library's; `unchecked`: those in
    which nothing is checked; `is_bounded`: whether bounds of arrays are checked."""
    ir = with_formats(ir, defined, unchecked)
    return with_member_arrays(ir, defined, unchecked) if is_bounded else ir


def without_own_checks(ir: str) -> str:
    """The text as it was before."""
    if not any(call in ir for call in _CALLS):
        return ir
    return "\n".join(line for line in ir.split("\n") if not line.startswith(_CALLS))
