"""Identity hash codes: nothing is claimed of what hangs on them, and no test expects it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.model.buildoptions import BuildOptions
from veer.model.replay import VARIES
from veer.model.searchoptions import SearchOptions

UNIT = """\
import java.util.*;

public class Keys {
    static class Key {
        final int value;
        Key(int value) { this.value = value; }
    }

    static int first(int a) {
        Set<Key> keys = new HashSet<>();
        for (int k = 0; k < 6; k++) keys.add(new Key(k));
        if (a == 7) return -1;
        return keys.iterator().next().value;
    }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
def test_the_order_of_identity_hash_codes_is_expected_by_no_test(tmp_path: Path) -> None:
    source = tmp_path / "Keys.java"
    source.write_text(UNIT)
    result = campaign.run(BuildOptions((source,), "Keys.first"), SearchOptions(budget=60.0))
    assert result.ending.claim == "none", result.ending
    assert any("identity hash code" in each for each in result.ending.lost_by)
    assert result.runs < 100, "random inputs show nothing that a hash code hides"
    by_result = {bool(test.inputs.roots[0].cells[0].value.bits == 7): test for test in result.tests}
    assert by_result[True].replayed == "same"
    assert by_result[False].replayed.endswith(VARIES)
    deliver(result, tmp_path / "out").checked()
    suite = (tmp_path / "out" / "suite" / "Keys_firstTest.java").read_text()
    assert f"// {by_result[False].name} is left out: {VARIES}." in suite
