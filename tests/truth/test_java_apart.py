"""Sources with a package that lie in no folders of its name, as somebody has a file alone: suites compile and pass.

Suites of methods that share a name have names of their own.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

import veer
from veer.model.ending import Claim

SHOP = """\
package org.shop.prices;

final class Shop {
    static int price(int count) { return count > 9 ? 1 : 2; }
    static int price(int count, Rate rate) { return rate == null ? 0 : rate.of(count) > 5 ? 3 : 4; }
}
"""
RATE = """\
package org.shop.prices;

final class Rate {
    private final byte percent;
    Rate(byte percent) { this.percent = percent; }
    int of(int count) { return percent > 50 ? 9 : count > 3 ? 6 : 1; }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
def test_a_source_apart_from_its_package_has_a_suite_that_passes(tmp_path: Path) -> None:
    sources = [tmp_path / "Shop.java", tmp_path / "Rate.java"]
    for source, text in zip(sources, (SHOP, RATE), strict=True):
        source.write_text(text)
    for parameters, name in (("int", "Shop_price_intTest"), ("int-Rate", "Shop_price_int_RateTest")):
        out = tmp_path / parameters
        result = veer.test(sources, f"org.shop.prices.Shop.price-{parameters}", budget="60s", out=out)
        assert result.ending.claim is Claim.PATHS
        assert {each.file for each in result.program.sites if each.file.endswith("Shop.java")} == {str(sources[0])}
        suite = (out / "suite" / f"{name}.java").read_text()
        assert suite.startswith("package org.shop.prices;")
        commands = [
            line[2:].strip() for line in suite.splitlines() if line.startswith((" *     javac", " *     java "))
        ]
        for command in commands:
            ran = subprocess.run(shlex.split(command), cwd=out / "suite", check=True, capture_output=True, text=True)
        assert len(commands) == 2 and ran.stdout.count("ok ") == len(result.tests)
