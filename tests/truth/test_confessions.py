"""What takes a claim says where it is: the function, the line, what it was."""

from __future__ import annotations

from pathlib import Path

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim
from veer.model.searchoptions import SearchOptions

LEAVING = """
#include <unistd.h>
static int leave(void) { return fork(); }
int f(int x) { if (x == 3) return leave(); return 1; }
"""


def test_what_veer_does_not_support_is_named(tmp_path: Path) -> None:
    source = tmp_path / "leaving.c"
    source.write_text(LEAVING)
    result = campaign.run(BuildOptions((source,), "f"), SearchOptions(budget=20.0))
    place = f"first in leave at {source}:3: a call that veer does not follow: fork"
    assert result.ending.claim is Claim.NONE
    assert result.ending.lost_by == (f"1 run ended at something that veer does not support ({place})",)
