"""Calls before the entry, on static fields and on its object: what veer shows, and what all calls together can be.

The brute force makes every sequence of calls on the JVM itself, each in fresh classes.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from sampling import sampled

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.model.state import Origin
from veer.suite.java.renderer import RENDERER

UNIT = """\
package units;

public class Building {}

/** In a source of another name: the suite's command has to say which. */
class Lift {
    private static byte level;
    private static final boolean[] LIT = new boolean[2];
    private int riders;
    private final boolean isBig;

    Lift(boolean isBig) { this.isBig = isBig; }

    static void up(boolean twice) { level += twice ? 2 : 1; }

    static void light(boolean isUpper) {
        if (level == 0) throw new IllegalStateException();
        LIT[isUpper ? 1 : 0] = true;
    }

    static int told(boolean asks) {
        if (level > 3) return 1;
        if (LIT[0] && LIT[1]) return asks ? 2 : 3;
        return level == 3 && LIT[1] ? 4 : 5;
    }

    void enter(boolean hasCase) { riders += hasCase ? 2 : 1; }

    void leave(boolean asks) { if (riders == 0) throw new IllegalStateException(); riders--; }

    int room(boolean asks) {
        if (riders > 4) return isBig ? 1 : 2;
        if (riders == 3) return level == 2 ? 3 : asks ? 4 : 5;
        return riders == 0 ? 6 : 7;
    }
}
"""
ALL = """\
package units;

public class All {
    private static final String[] CALLS = {%s};

    public static void main(String[] words) throws Exception {
        java.util.Set<Integer> found = new java.util.TreeSet<>();
        for (int most = 0; most <= %d; most++) each(new int[most], 0, found);
        System.out.println(found);
    }

    private static void each(int[] calls, int at, java.util.Set<Integer> found) throws Exception {
        if (at < calls.length) {
            for (calls[at] = 0; calls[at] < 2 * CALLS.length; calls[at]++) each(calls, at + 1, found);
            return;
        }
        for (int big = 0; big < 2; big++) {
            for (int asks = 0; asks < 2; asks++) {
                java.net.URL place = All.class.getProtectionDomain().getCodeSource().getLocation();
                ClassLoader above = ClassLoader.getPlatformClassLoader();
                try (var own = new java.net.URLClassLoader(new java.net.URL[] {place}, above)) {
                    Class<?> lift = own.loadClass("units.Lift");
                    var maker = lift.getDeclaredConstructor(boolean.class);
                    maker.setAccessible(true);
                    Object object = maker.newInstance(big == 1);
                    try {
                        for (int call : calls) call(lift, object, CALLS[call / 2], call %% 2 == 1);
                        found.add((Integer) call(lift, object, "%s", asks == 1));
                    } catch (java.lang.reflect.InvocationTargetException error) {
                    }
                }
            }
        }
    }

    private static Object call(Class<?> lift, Object object, String name, boolean given) throws Exception {
        var method = lift.getDeclaredMethod(name, boolean.class);
        method.setAccessible(true);
        return method.invoke(object, given);
    }
}
"""
_CALLED = {"told": ("up", "light"), "room": ("up", "enter", "leave")}
_MOST = 3


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize("method", sampled(tuple(_CALLED), lambda each: each == "told"))
def test_calls_reach_what_all_calls_together_reach(method: str, tmp_path: Path) -> None:
    source = tmp_path / "units" / "Building.java"
    source.parent.mkdir()
    source.write_text(UNIT)
    begun = _searched(source, method, tmp_path / "begun", ())
    assert begun == _all(tmp_path, method, 0)
    assert _searched(source, method, tmp_path / "grown", ("calls-before",)) == _all(tmp_path, method, _MOST)


ACCOUNT = """\
public class Account {
    private int balance;
    void deposit(int n) { if (n <= 0) throw new IllegalArgumentException(); balance += n; }
    boolean withdraw(int n) {
        if (n > balance) return false;
        balance -= n;
        if (balance == 7) throw new IllegalStateException();
        return true;
    }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize("method", ["deposit", "withdraw"])
def test_the_entry_itself_is_one_of_the_calls_before_it(method: str, tmp_path: Path) -> None:
    """Its object is none of the arguments of such a call."""
    source, out = tmp_path / "Account.java", tmp_path / "out"
    source.write_text(ACCOUNT)
    result = campaign.run(BuildOptions((source,), f"Account.{method}"), SearchOptions(budget=20.0))
    deliver(result, out).checked()
    assert {test.replayed for test in result.tests} == {"same"}
    suite = next((out / "suite").glob("*.java")).read_text()
    assert f"self.{method}(" in suite
    assert ("IllegalStateException.class" in suite) == (method == "withdraw")
    for words in RENDERER.commands(result.program):
        subprocess.run(words, shell=True, cwd=out / "suite", check=True, capture_output=True)


def _searched(source: Path, method: str, out: Path, growing: tuple[str, ...]) -> set[int]:
    """The results of the tests, all of which hold: on the JVM, and in the suite."""
    result = campaign.run(
        BuildOptions((source,), f"Lift.{method}"), SearchOptions(budget=40.0, growing=growing, criterion="branch")
    )
    deliver(result, out).checked()
    assert {test.replayed for test in result.tests} == {"same"}
    assert any("as they begin" in words for words in result.ending.within), result.ending
    assert growing or {test.state for test in result.tests} == {Origin.INITIALISED}
    for words in RENDERER.commands(result.program):
        subprocess.run(words, shell=True, cwd=out / "suite", check=True, capture_output=True)
    return {int.from_bytes((test.returned or b"")[:4], "little") for test in result.tests if not _thrown(test.returned)}


def _thrown(returned: bytes | None) -> bool:
    return any((returned or b"")[8:12])


def _all(folder: Path, method: str, most: int) -> set[int]:
    """The results of every sequence of at most so many calls before."""
    called = ", ".join(f'"{name}"' for name in _CALLED[method])
    (folder / "units" / "All.java").write_text(ALL % (called, most, method))
    subprocess.run(
        ["javac", "-d", str(folder / "all"), "units/Building.java", "units/All.java"], cwd=folder, check=True
    )
    done = subprocess.run(["java", "-cp", str(folder / "all"), "units.All"], capture_output=True, text=True, check=True)
    return {int(word) for word in done.stdout.strip("[]\n").split(", ") if word}
