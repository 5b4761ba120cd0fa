"""Names with letters beyond ASCII."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from java_sources import java_source

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim
from veer.model.searchoptions import SearchOptions

UNIT = """\
public class Letters {
    static int gr\\u00f6\\u00dfe(int \\u00e4) { return \\u00e4 > 3 ? 1 : 2; }
}
"""


def test_a_suite_calls_the_method_by_its_name(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> None:
    source = java_source(tmp_path_factory, "Letters", UNIT)
    result = campaign.run(BuildOptions((source,), "Letters.gr\u00f6\u00dfe"), SearchOptions(budget=60))
    assert result.ending.claim is Claim.PATHS
    deliver(result, tmp_path / "out").checked()
    suite = next((tmp_path / "out" / "suite").glob("*.java"))
    command = ("javac", "-encoding", "UTF-8", "-d", str(tmp_path), "-sourcepath", str(source.parent), str(suite))
    subprocess.run(command, check=True, capture_output=True)
    ran = subprocess.run(("java", "-ea", "-cp", str(tmp_path), suite.stem), check=True, capture_output=True, text=True)
    assert ran.stdout.count("ok ") == len(result.tests)
