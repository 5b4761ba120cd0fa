"""How numbers are rounded, and which exceptions there were, no term says: nothing is claimed of code that asks."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim
from veer.model.searchoptions import SearchOptions

UNIT = """#include <fenv.h>
int rounded(unsigned char up, unsigned char divisor)
{
    fesetround(up ? FE_UPWARD : FE_DOWNWARD);
    double third = (divisor + 1.0) / 3.0;
    fesetround(FE_TONEAREST);
    return third * 3.0 > divisor + 1.0;
}
int is_exact(unsigned char divisor)
{
    feclearexcept(FE_ALL_EXCEPT);
    volatile double part = 10.0 / (divisor + 1.0);
    return part > 0 && fetestexcept(FE_INEXACT) == 0;
}
int usual(unsigned char divisor)
{
    double part = 10.0 / (divisor + 1.0);
    return part == 2.5;
}
"""


@pytest.mark.parametrize(("entry", "called"), [("rounded", "fesetround"), ("is_exact", "fetestexcept"), ("usual", "")])
def test_the_claim_goes_with_what_no_term_says(tmp_path: Path, entry: str, called: str) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    found = campaign.run(BuildOptions((source,), entry), SearchOptions(budget=30.0, max_runs=200))
    if not called:
        assert found.ending.claim is Claim.PATHS
        return
    assert found.ending.claim is Claim.NONE
    assert any("floating-point" in why for why in found.ending.lost_by)
    assert any(called in each.detail for each in found.ledger)
