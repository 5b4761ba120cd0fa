"""Two versions that run on the same input, one after the other: how each ended, and where they differ (decision 0480).

difference    kind  number  size  steps  16 8         `result->...`: what lies 8 bytes behind the pointer that is 16
                                                      bytes behind the beginning of the result
"""

from __future__ import annotations

from veer.wire.fields import Fields, Number, Region, Section
from veer.wire.records import REPORT


class Compared(Fields):
    """How the versions ended in the last run; `is_compared` 0: there is one version, or it ended before its call."""

    __slots__ = ()

    is_compared = Number("u4")
    old_outcome = Number("u4")
    old_exit_code = Number("i4")
    new_outcome = Number("u4")
    new_exit_code = Number("i4")


SECTION = Section(
    (Compared,),
    regions=(
        Region("difference", "u4", 64),
        Region("version_reports", REPORT, 2),  # of the old version and the new one; outcome NONE: it has none
    ),
)
