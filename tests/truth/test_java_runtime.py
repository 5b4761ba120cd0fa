"""A Java runtime without a compiler: class files are searched, tests are run on it, the suite is written only."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.frontends.java.core import READY as CORE
from veer.frontends.java.jdk import find_jdk
from veer.frontends.java.ready.sources import core_sources, digest_in, digest_of, driver_sources
from veer.frontends.java.replay.jvm import READY as DRIVER
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.searchoptions import SearchOptions

UNIT = """\
public class Plain {
    static int of(byte a, String b) {
        if (b == null) throw new IllegalArgumentException("b");
        return b.equals("x" + (a > 3)) ? 1 : b.length() / a;
    }
}
"""


@pytest.mark.parametrize(("made", "sources"), [(CORE, core_sources()), (DRIVER, driver_sources())])
def test_what_was_compiled_is_of_these_sources(made: Path, sources: list[Path]) -> None:
    assert digest_in(made) == digest_of(sources), "run: python -m veer.frontends.java.ready"


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
def test_class_files_need_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Plain.java").write_text(UNIT)
    subprocess.run(["javac", "-g", "Plain.java"], cwd=tmp_path, check=True)
    monkeypatch.setenv("JAVA_HOME", str(_runtime(tmp_path / "jre")))
    result = campaign.run(
        BuildOptions((tmp_path / "Plain.class",), "Plain.of", max_length=2), SearchOptions(criterion="path", budget=40)
    )
    deliver(result, tmp_path / "out").checked()
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    assert result.toolchain.startswith("Java ")
    assert any("the suite was not compiled" in note for note in result.program.notes)
    with pytest.raises(UsageError, match="a Java runtime without a compiler"):
        campaign.run(BuildOptions((tmp_path / "Plain.java",), "Plain.of"), SearchOptions())


def _runtime(folder: Path) -> Path:
    """As the machine's JDK, with no javac beside its java."""
    home = find_jdk().home
    (folder / "bin").mkdir(parents=True)
    shutil.copy(home / "bin" / "java", folder / "bin" / "java")
    (folder / "lib").symlink_to(home / "lib")
    shutil.copy(home / "release", folder / "release")
    return folder
