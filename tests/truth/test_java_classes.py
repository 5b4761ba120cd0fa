"""Classes that cannot be initialised, `switch` over types, records as inputs: what veer finds is what the JVM shows."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from sampling import sampled

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.frontends.java.jdk import Jdk, find_jdk
from veer.frontends.java.replay.jvm import driver_classes, run_all
from veer.frontends.java.units import read_unit
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Result, Test
from veer.model.searchoptions import SearchOptions
from veer.toolchain.compiler import find

INIT = """\
public class Init {
    static int order;

    static class Bad {
        static final int X = order++ / (order == 6 ? 0 : 1);
        static int y = 3;
        static {
            if (order == 3) throw new IllegalStateException("no");
            if (order == 4) throw new StackOverflowError("on purpose");
        }
        static int get() { return y; }
    }

    static class Sub extends Bad {
        static int z = order++;
    }

    static int caught(byte a) {
        order = a;
        try {
            return Bad.get();
        } catch (ExceptionInInitializerError e) {
            int which = e.getCause() instanceof ArithmeticException ? 10 : 20;
            try {
                return Bad.get() + which;
            } catch (NoClassDefFoundError x) {
                return x.getMessage().length() + which * 10 + (e.getMessage() == null ? 1000 : 0);
            }
        } catch (Error e) {
            return 7;
        }
    }

    static int left(byte a) {
        order = a;
        if (a > 100) return new Sub() == null ? 8 : 9;
        int before = order;
        return Sub.z * 10 + before;
    }

    static int twice(byte a) {
        order = a;
        int seen = 0;
        for (int k = 0; k < 2; k++) {
            try {
                seen += Sub.z;
            } catch (Throwable all) {
                boolean isWrapped = all instanceof ExceptionInInitializerError;
                seen += all instanceof NoClassDefFoundError ? 100 : isWrapped ? 200 : 400;
            }
        }
        return seen == 2 * a + 2 ? 1 : seen;
    }
}
"""
SWITCHES = """\
public class Switches {
    sealed interface Shape permits Circle, Square, Other {}
    record Circle(byte r) implements Shape {}
    record Square(byte a) implements Shape {}
    record Other(String s, Integer n) implements Shape {}
    enum Color { RED, GREEN, BLUE }
    sealed interface Mark permits Dot, Tone {}
    record Dot() implements Mark {}
    enum Tone implements Mark { LOW, HIGH }

    static int shape(Shape s) {
        return switch (s) {
            case null -> -1;
            case Circle c when c.r() > 10 -> 100;
            case Circle(byte r) -> r == 3 ? 1 : 2;
            case Square(byte a) -> a * a == 49 ? 3 : 4;
            case Other(String t, Integer n) when n != null && n == 70005 -> t == null ? 5 : 6;
            case Other o -> 8;
        };
    }

    static int any(Object o) {
        return switch (o) {
            case Integer i when i == 77 -> 1;
            case Integer i -> 2;
            case Character c -> 3;
            case Square q -> 4;
            default -> 5;
        };
    }

    static int color(Color c) {
        return switch (c) {
            case RED -> 1;
            case GREEN -> 2;
            case BLUE -> 3;
            case null -> 4;
        };
    }

    static int text(String s) {
        return switch (s) {
            case "a" -> 1;
            case "b" -> 2;
            case String t when t.length() > 1 -> 3;
            case String t -> 4;
        };
    }

    static int number(Integer n) {
        return switch (n) {
            case 5, 70000 -> 1;
            case Integer i when i < 0 -> 2;
            case Integer i -> 3;
        };
    }
}
"""
RECORDS = """\
public class Records {
    record Pair(byte a, Inner inner) {}
    record Inner(byte b, String s) {}

    static int pairs(Pair p) {
        if (p == null || p.inner() == null) return 0;
        if (p.a() == p.inner().b() + 100) return 1;
        return p.inner().s() == null ? 2 : 3;
    }
}
"""
SHOWN = {"shape": {-1, 100, 1, 2, 3, 4, 5, 6, 8}, "any": {1, 2, 3, 4, 5}, "color": {1, 2, 3, 4}}
SHOWN |= {"text": {1, 2, 3, 4}, "number": {1, 2, 3}}
pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")


@pytest.mark.parametrize("method", sampled(("caught", "left", "twice"), lambda each: each in ("caught", "left")))
def test_a_class_that_fails_does_as_on_the_jvm(method: str, tmp_path: Path) -> None:
    source = tmp_path / "Init.java"
    source.write_text(INIT)
    jdk, cache = find_jdk(), find().cache
    commands = [f"{value}\tInit\t{method}\tB:{value:x}" for value in range(256)]
    ran = run_all(jdk, driver_classes(jdk, cache), (read_unit(source, jdk, cache).classes,), commands, 5.0)
    truth = {each.thrown or str(int(each.result, 16)) for each in ran.values()}
    result = campaign.run(BuildOptions((source,), f"Init.{method}"), SearchOptions(criterion="path", budget=60.0))
    deliver(result, tmp_path / "out").checked()
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    found = {_ended(result, test) for test in result.tests}
    thrown = {each.split()[0] for each in truth if each.startswith("java")}
    if method == "left":
        assert "java.lang.ExceptionInInitializerError java.lang.ArithmeticException" in truth
        assert {bug.outcome for bug in result.bugs} == {Outcome.UNDEFINED}
        assert thrown <= found | {"java.lang.ExceptionInInitializerError"}
    else:
        assert {each for each in truth if not each.startswith("java")} == found or method == "left", truth ^ found


def _newer() -> Path | None:
    """The home of a JDK that knows switches over types (21 and newer)."""
    homes = [find_jdk().home, *sorted(Path("/usr/lib/jvm").glob("*"))]
    return next((home for home in homes if (home / "bin" / "javac").exists() and _release(home) >= 21), None)


def _release(home: Path) -> int:
    return Jdk(home / "bin" / "java").release


@pytest.mark.parametrize("method", sampled(tuple(SHOWN), lambda each: each in ("shape", "any")))
def test_switches_over_types(method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = _newer()
    if home is None:
        pytest.skip("there is no JDK of 21 or newer")
    monkeypatch.setenv("JAVA_HOME", str(home))
    source = tmp_path / "Switches.java"
    source.write_text(SWITCHES)
    result = campaign.run(
        BuildOptions((source,), f"Switches.{method}", max_length=2), SearchOptions(criterion="path", budget=60.0)
    )
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    assert SHOWN[method] == {_number(test) for test in result.tests if _is_returned(result, test)}


def test_records_are_made_by_their_constructor(tmp_path: Path) -> None:
    source = tmp_path / "Records.java"
    source.write_text(RECORDS)
    result = campaign.run(BuildOptions((source,), "Records.pairs"), SearchOptions(criterion="path", budget=60.0))
    assert {test.replayed for test in result.tests} == {"same"}
    assert {_number(test) for test in result.tests} == {0, 1, 2, 3}


def _number(test: Test) -> int:
    return int.from_bytes((test.returned or b"")[:4], "little", signed=True)


def _is_returned(result: Result, test: Test) -> bool:
    return re.fullmatch(r"-?\d+", _ended(result, test)) is not None


def _ended(result: Result, test: Test) -> str:
    """The number that a test returns, or the class of what is thrown."""
    if test.outcome is not Outcome.RETURNED:
        return next(word for word in _bug(result, test).split() if word.startswith("java.lang."))
    assert test.returned is not None
    thrown = int.from_bytes(test.returned[8:12], "little")
    classes = next(each.enumerators for each in result.program.types if each.name == "thrown")
    return next((name for name, number in classes if number == thrown), str(_number(test)))


def _bug(result: Result, test: Test) -> str:
    return next(each.message for each in result.bugs if each.test == test.name)
