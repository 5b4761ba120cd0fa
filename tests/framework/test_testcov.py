"""TestCov runs the Test-Comp suite: it accepts every file and measures the branch coverage that veer claims.

TestCov is the command that VEER_TESTCOV names (.ci/run installs it), or `testcov`; it needs gcc and gcov.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from veer import plugins
from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

TESTCOV = os.environ.get("VEER_TESTCOV") or shutil.which("testcov")
pytestmark = pytest.mark.skipif(
    TESTCOV is None or shutil.which("gcov") is None, reason="there is no testcov or no gcov on this machine"
)
DECLARATIONS = """\
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);
"""
PROGRAMS = {
    "all": """\
int classify(int a, char b)
{
    if (a > 100)
        return 1;
    if (a == 7 && b == 'x')
        return 2;
    while (a > 90)
        a--;
    return 0;
}
int main(void)
{
    int a = __VERIFIER_nondet_int();
    char b = __VERIFIER_nondet_char();
    if (classify(a, b) == 2)
        return 3;
    return 0;
}
""",
    "a side that cannot be": """\
int main(void)
{
    unsigned short n = __VERIFIER_nondet_ushort();
    int sum = 0;
    for (int i = 0; i < n % 4; i++)
        sum += i;
    if (sum > 9)
        return 1;
    return sum == 3 ? 2 : 0;
}
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_measures_what_veer_claims(name: str, tmp_path: Path) -> None:
    program = tmp_path / "program.c"
    program.write_text(DECLARATIONS + PROGRAMS[name])
    result = campaign.run(BuildOptions(sources=(program,), entry="main"), SearchOptions(budget=10.0))
    claimed = result.coverage.branches
    assert claimed is not None
    suite = tmp_path / "suite.zip"
    files = plugins.find("veer.suites", "testcomp").files(result)
    with zipfile.ZipFile(suite, "w") as archive:
        for file, data in files.items():
            archive.writestr(file, data)
    command = [TESTCOV or "", "-64", "--no-isolation", "--use-gcov", "--no-plots", "--reduction", "NONE"]
    command += ["--test-suite", str(suite), "--output", str(tmp_path / "out"), str(program)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert "Result: DONE" in done.stdout, done.stdout + done.stderr
    assert f"Tests in suite: {len(files) - 1}\n" in done.stdout  # it stops running them once all is covered
    measured = re.search(r"Coverage: ([\d.]+)%\nNumber of goals: (\d+)", done.stdout)
    assert measured is not None, done.stdout
    assert int(measured[2]) == claimed.total
    assert float(measured[1]) == pytest.approx(100 * claimed.covered / claimed.total, abs=0.1)
