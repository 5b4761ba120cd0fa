"""Java units that need other classes: they are given by --classpath, and a missing one is named."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.frontends.java.jdk import jar
from veer.frontends.java.language import JAVA
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UnsupportedInputError, UsageError
from veer.model.searchoptions import SearchOptions

LIBRARY = """\
package org.lib;
public class Money {
    public final int cents;
    public Money(int cents) { this.cents = cents; }
    public boolean isDebt() { return cents < 0; }
    public static int half(int n) { if (n % 2 != 0) throw new IllegalArgumentException("odd"); return n / 2; }
}
"""
UNIT = """\
package app;
import org.lib.Money;
public class Shop {
    static int price(Money m, int n) {
        if (m == null || m.isDebt()) return -1;
        return n > 1000 ? Money.half(n) : m.cents == 77 ? 5 : 6;
    }
    static int halved(int n) { return Money.half(n) > 5 ? 1 : 2; }
}
"""
pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")


def _project(root: Path) -> tuple[Path, Path]:
    """A source and the folder with the jar that it needs; its classes lie in `root/classes`."""
    library, source = root / "lib" / "Money.java", root / "src" / "app" / "Shop.java"
    for path, text in ((library, LIBRARY), (source, UNIT)):
        path.parent.mkdir(parents=True)
        path.write_text(text)
    _compiled(library, root / "made")
    made = root / "jars" / "money.jar"
    made.parent.mkdir()
    made.write_bytes(jar({"org/lib/Money.class": (root / "made" / "org" / "lib" / "Money.class").read_bytes()}))
    _compiled(source, root / "classes", "-g", "-cp", str(made))
    return source, made.parent


def _compiled(source: Path, into: Path, *flags: str) -> None:
    subprocess.run(["javac", "-J-Xshare:auto", *flags, "-d", str(into), str(source)], check=True, capture_output=True)


def test_what_a_unit_needs_is_on_its_class_path(tmp_path: Path) -> None:
    source, jars = _project(tmp_path)
    for given in (source, tmp_path / "classes" / "app" / "Shop.class"):
        build = BuildOptions((given,), "app.Shop.price", class_path=(str(jars),))
        assert {each.name for each in JAVA.entries(build)} >= {"app.Shop.price"}
        assert not any("Money" in each.name for each in JAVA.entries(build))
        result = campaign.run(build, SearchOptions(criterion="path", budget=60.0))
        deliver(result, tmp_path / "out").checked()
        assert result.ending.claim == "paths", result.ending
        assert {test.replayed for test in result.tests} == {"same"}
        returned = {int.from_bytes((test.returned or b"")[:4], "little", signed=True) for test in result.tests}
        assert {-1, 5, 6} < returned
        suite = tmp_path / "out" / "suite"
        command = f"cd {suite} && " + " && ".join(result_commands(suite))
        assert "not ok" not in subprocess.run(command, shell=True, check=True, capture_output=True, text=True).stdout


def result_commands(suite: Path) -> list[str]:
    """The commands that stand at the head of the suite."""
    lines = (suite / "Shop_priceTest.java").read_text().splitlines()
    return [line.strip(" *") for line in lines if line.strip(" *").startswith(("javac ", "java "))]


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    source, jars = _project(tmp_path)
    own = tmp_path / "classes" / "app" / "Shop.class"
    with pytest.raises(UsageError, match="no such jar or folder"):
        JAVA.entries(BuildOptions((source,), "", class_path=(str(jars / "other.jar"),)))
    with pytest.raises(UsageError, match="this is no jar"):
        JAVA.entries(BuildOptions((source,), "", class_path=(str(source),)))
    with pytest.raises(UnsupportedInputError, match=r"org\.lib\.Money is not on the class path"):
        JAVA.build(BuildOptions((own,), "app.Shop.price"))
    with pytest.raises(UsageError, match=r"org\.lib\.Money is not on .*app\.Shop\.halved in Shop\.java needs it"):
        JAVA.build(BuildOptions((own,), "app.Shop.halved"))


def test_a_source_whose_libraries_are_missing_is_told_how_they_are_given(tmp_path: Path) -> None:
    source, _ = _project(tmp_path)
    with pytest.raises(UsageError, match=r"give the classes of org\.lib by --classpath"):
        JAVA.entries(BuildOptions((source,), ""))


def test_a_class_that_cannot_be_read_leaves_the_others_listed(tmp_path: Path) -> None:
    _, jars = _project(tmp_path)
    money = jars / "money.jar"
    good = (tmp_path / "made" / "org" / "lib" / "Money.class").read_bytes()
    newer = good[:6] + (200).to_bytes(2, "big") + good[8:]
    money.write_bytes(jar({"org/lib/Money.class": good, "org/lib/Newer.class": newer}))
    listed = {each.name: each for each in JAVA.entries(BuildOptions((money,), ""))}
    assert not listed["org.lib.Money.half"].why_not
    assert "it is of version 200" in listed["org.lib.Newer"].why_not
    with pytest.raises(UsageError, match=r"no method Newer.go .* 1 of its classes cannot be read: org/lib/Newer"):
        JAVA.build(BuildOptions((money,), "Newer.go"))
    money.write_bytes(jar({"org/lib/Newer.class": newer}))
    with pytest.raises(UsageError, match="it is of version 200"):
        JAVA.entries(BuildOptions((money,), ""))
