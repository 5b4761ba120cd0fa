"""A Java method over a small domain: what veer claims against every input on the JVM."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from junit_standins import JUNIT4, JUNIT5
from sampling import sampled

from veer import plugins
from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.frontends.java.jdk import find_jdk
from veer.frontends.java.replay.jvm import driver_classes, run_all
from veer.frontends.java.units import read_unit
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.outcome import Outcome
from veer.model.result import Result, Test
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity
from veer.toolchain.compiler import find

UNIT = """\
package units;

public class Grades {
    private static int[] table = {1, 2, 3, 4, 5};
    private static int calls;

    static int grade(byte a, boolean strict) {
        calls++;
        if (strict && a < 0) throw new IllegalArgumentException("negative");
        try {
            if (a > 100) return 1000 / (a - 120) > 0 ? 20 : 21;
            if (a < -100) return table[a + 120] > 3 ? 22 : 23;
        } catch (ArithmeticException e) {
            return -1;
        } finally {
            calls += 2;
        }
        switch (a & 7) {
            case 0: return 10;
            case 3: return strict ? 11 : 12;
            case 5: case 6: return a / (a - 5) > 1 ? 24 : 25;
            default: return (a & 1) == 0 ? later(a) : 14;
        }
    }

    private static int later(int a) {
        assert a != 50;
        return a == 12 ? 12 + calls : 16;
    }
}
"""


def _everything(source: Path) -> dict[str, str]:
    """What each input does on the JVM: the bits of the result, or the class of what is thrown."""
    jdk, cache = find_jdk(), find().cache
    jar = read_unit(source, jdk, cache).classes
    names = {f"{a}.{strict}": f"B:{a & 255:x}\tZ:{strict}" for a in range(-128, 128) for strict in range(2)}
    commands = [f"{name}\tunits.Grades\tgrade\t{words}" for name, words in names.items()]
    ran = run_all(jdk, driver_classes(jdk, cache), (jar,), commands, 5.0)
    return {name: ran[name].thrown or str(int(ran[name].result, 16) & 0xFFFFFFFF) for name in names}


def test_paths_and_bugs_are_those_of_all_inputs(tmp_path: Path) -> None:
    if shutil.which("javac") is None:
        pytest.skip("there is no javac")
    source = tmp_path / "units" / "Grades.java"
    source.parent.mkdir()
    source.write_text(UNIT)
    truth = _everything(source)
    result = campaign.run(BuildOptions((source,), "Grades.grade"), SearchOptions(criterion="path", budget=120.0))
    deliver(result, tmp_path / "out").checked()
    assert result.ending.claim == "paths"
    assert {test.replayed for test in result.tests} == {"same"}
    messages, seen = {bug.test: bug.message for bug in result.bugs}, set()
    classes = next(each.enumerators for each in result.program.types if each.name == "thrown")
    thrown = {number: name for name, number in classes}
    for test in result.tests:
        a, strict = (root.cells[0].value for root in test.inputs.roots)
        expected = truth[f"{a.number}.{strict.number}"]
        if test.outcome is Outcome.RETURNED:
            assert test.returned is not None
            number = int.from_bytes(test.returned[8:12], "little")
            assert expected == thrown.get(number, str(int.from_bytes(test.returned[:4], "little"))), (a, strict)
        else:
            assert expected in messages.get(test.name, expected) or test.outcome is Outcome.ASSERTION, (a, strict)
        seen.add(expected)
    assert seen == set(truth.values())
    assert {bug.outcome for bug in result.bugs} == {Outcome.UNDEFINED, Outcome.ASSERTION}
    assert {bug.severity for bug in result.bugs} == {Severity.ERROR}
    assert {bug.function for bug in result.bugs} == {"units.Grades.grade", "units.Grades.later"}
    assert result.coverage.branches is not None
    assert result.coverage.branches.covered == result.coverage.branches.total


LIBRARY = """\
package units;

public class Places {
    private static int[] table = {1, 2, 3};
    static int at(byte a) { return a > 10 ? Other.twice(table[a & 3]) : 4; }
}

class Other {
    static int twice(int x) { return x > 1 ? x * 2 : 0; }
}
"""


def test_class_files_and_jars_are_tested_as_their_source_is(tmp_path: Path) -> None:
    if shutil.which("javac") is None:
        pytest.skip("there is no javac")
    source = tmp_path / "units" / "Places.java"
    source.parent.mkdir()
    source.write_text(LIBRARY)
    jdk, cache = find_jdk(), find().cache
    jar = tmp_path / "lib.jar"
    shutil.copy(read_unit(source, jdk, cache).classes, jar)
    with zipfile.ZipFile(jar) as file:
        file.extractall(tmp_path / "classes")
    own = tmp_path / "classes" / "units" / "Places.class"
    assert {each.name for each in read_unit(jar, jdk, cache).methods} > {"units.Places.at", "units.Other.twice"}
    assert {each.owner.name for each in read_unit(own, jdk, cache).methods} == {"units/Places"}
    result = campaign.run(BuildOptions((jar,), "Places.at"), SearchOptions(criterion="path", budget=60.0))
    deliver(result, tmp_path / "out").checked()
    assert result.ending.claim == "paths"
    assert {test.replayed for test in result.tests} == {"same"}
    assert len(result.tests) == 4  # at most 10; an element that is 1, one that is not, none
    assert [bug.line for bug in result.bugs] == [5]
    assert result.coverage.branches is not None
    assert result.coverage.branches.covered == result.coverage.branches.total == 4
    alone = tmp_path / "Places.class"
    shutil.copy(own, alone)
    with pytest.raises(UsageError, match=r"units/Places\.class of some directory"):
        read_unit(alone, jdk, cache)


OBJECTS = """\
package units;

public class Gauge {
    static int made;
    private final byte limit;
    private int level;

    Gauge() { limit = 1; }

    Gauge(byte limit, boolean full) {
        if (limit < 0) throw new IllegalStateException();
        this.limit = limit;
        level = 100 / (limit - 3);
        if (full) level = limit;
        made++;
    }

    int rise(byte by) {
        if (by < 0 && level > 50) return -1;
        level += by;
        if (level > limit) {
            level = limit;
            return made;
        }
        return level == 7 ? 5 : 6;
    }
}
"""


def _calls(jar: Path) -> dict[tuple[int, int, int], str]:
    """What each limit, fullness and step do on the JVM: a number or the class of what is thrown."""
    jdk, cache = find_jdk(), find().cache
    given = {(a, b, c): f"B:{a & 255:x}\tZ:{b}\tB:{c & 255:x}" for a, c in PAIRS for b in range(2)}
    commands = [f"{number}\tunits.Gauge\trise/2\t{words}" for number, words in enumerate(given.values())]
    ran = run_all(jdk, driver_classes(jdk, cache), (jar,), commands, 5.0)
    results = [ran[str(number)] for number in range(len(given))]
    return {key: one.thrown or str(int(one.result, 16) & 0xFFFFFFFF) for key, one in zip(given, results, strict=True)}


PAIRS = list(itertools.product((*range(-3, 12), 60, 127, -128), (*range(-9, 12), 53, 54, 127, -128)))


def test_objects_are_made_by_their_constructor(tmp_path: Path) -> None:
    if shutil.which("javac") is None:
        pytest.skip("there is no javac")
    source = tmp_path / "units" / "Gauge.java"
    source.parent.mkdir()
    source.write_text(OBJECTS)
    unit = read_unit(source, find_jdk(), find().cache)
    result = campaign.run(BuildOptions((source,), "Gauge.rise"), SearchOptions(criterion="path", budget=120.0))
    deliver(result, tmp_path / "out").checked()
    assert result.ending.claim == "paths"
    begins = "the object as new Gauge(byte, boolean) makes it and static fields as they begin (made)"
    assert begins in result.program.bounds
    assert {test.replayed for test in result.tests} == {"same"}
    bugs = {test.name: "java.lang.ArithmeticException" for test in result.tests if test.outcome.is_bug}
    assert {bugs.get(test.name) or _ended(result, test) for test in result.tests} == set(_calls(unit.classes).values())
    assert [(bug.function, bug.line) for bug in result.bugs] == [("units.Gauge.new-byte-boolean", 13)]
    assert result.coverage.branches is not None
    assert result.coverage.branches.covered == result.coverage.branches.total
    for name, standins in sampled((("junit5", JUNIT5), ("junit4", JUNIT4)), lambda each: each[0] == "junit5"):
        _framework_runs(result, name, standins, tmp_path)


def _framework_runs(result: Result, name: str, standins: Mapping[str, str], folder: Path) -> None:
    """All tests pass, each in fresh classes, but for those of bugs, which fail when they are asked for."""
    (file, text), *_ = plugins.find("veer.suites", name).files(result).items()  # type: ignore[attr-defined]
    own, classes = folder / name, folder / name / "classes"
    for each, source in ({f"{key}.java": standins[key] for key in standins} | {file: text.decode()}).items():
        (own / each).parent.mkdir(parents=True, exist_ok=True)
        (own / each).write_text(source)
    found = ("-sourcepath", f"{own}:{folder}", "-d", str(classes), "-nowarn", "-J-Xshare:auto")
    subprocess.run(["javac", *found, str(own / file), str(own / "Runner.java")], check=True)
    command = ("java", "-Xshare:auto", "-cp", str(classes), "Runner", "units.Gauge_riseTest")
    bugs = {test.name for test in result.tests if test.outcome.is_bug}
    for more, word in (((), "left"), (("all",), "failed")):
        ran = subprocess.run([*command, *more], check=True, capture_output=True, text=True).stdout.splitlines()
        assert {tuple(line.split()[:2]) for line in ran} == {
            (word if test.name in bugs else "ok", test.name) for test in result.tests
        }


ALIKE = """\
package units;

import java.util.List;

interface Sizes {
    default int longest(int[] given) { return 0; }
}

public class Alike implements Sizes {
    public int longest(String given) { return given == null ? 7 : 8; }
    public Alike() {}
    public Alike(int size) { if (size < 0) throw new IllegalArgumentException(); }
    public static int size(int[] given) { return given == null ? 1 : 2; }
    public static int size(String given) { return given == null ? 3 : 4; }
    public static int size(List<String> given) { return given == null ? 5 : 6; }
    public static <T extends Comparable<T>> boolean first(T[] given, T one) { return given[0].compareTo(one) == 0; }
}
"""


@pytest.mark.parametrize(
    "entry",
    sampled(
        ("size-String", "first", "size-List", "size-intA", "new-int", "longest"),
        lambda name: name in ("first", "longest"),
    ),
)
def test_javac_knows_which_method_a_suite_means(entry: str, tmp_path: Path) -> None:
    if shutil.which("javac") is None:
        pytest.skip("there is no javac")
    source = tmp_path / "units" / "Alike.java"
    source.parent.mkdir()
    source.write_text(ALIKE)
    build = BuildOptions((source,), f"Alike.{entry}", max_array=1)
    result = campaign.run(build, SearchOptions(budget=60.0, growing=()))
    deliver(result, tmp_path / "out").checked()  # it compiles
    assert result.ending.claim == "paths"
    assert len(result.tests) >= 2
    assert {test.replayed for test in result.tests} == {"same"}


STRINGS = """\
package units;

public class Tokens {
    static int kind(String s, String t) {
        if (s == t) return s.isEmpty() ? 1 : 2;
        if (s.equals(t)) return 3;
        if (t != null && s.startsWith("a") && t.endsWith("b")) return 4 + s.length();
        switch (s) {
            case "": return t == null ? 20 : 21;
            case "ba": return t.charAt(1) == '"' ? 22 : 23;
            default: return s.indexOf('b');
        }
    }
}
"""


def test_strings_are_those_of_the_jvm(tmp_path: Path) -> None:
    if shutil.which("javac") is None:
        pytest.skip("there is no javac")
    source = tmp_path / "units" / "Tokens.java"
    source.parent.mkdir()
    source.write_text(STRINGS)
    jdk, cache = find_jdk(), find().cache
    texts = [
        "",
        *map("".join, itertools.product('ab"\xe9', repeat=1)),
        *map("".join, itertools.product('ab"', repeat=2)),
    ]
    words = ["Ljava/lang/String;:null", *(f"L#1:{len(text)}:{','.join(f'{ord(c):x}' for c in text)}" for text in texts)]
    words = [word.replace("L#", "Ljava/lang/String;#") for word in words]
    others = [*words, *(word.replace("#1", "#2") for word in words)]
    pairs = list(itertools.product(words, others))
    commands = [f"{number}\tunits.Tokens\tkind\t{one}\t{other}" for number, (one, other) in enumerate(pairs)]
    ran = run_all(jdk, driver_classes(jdk, cache), (read_unit(source, jdk, cache).classes,), commands, 5.0)
    truth = {each.thrown or str(int(each.result, 16) & 0xFFFFFFFF) for each in ran.values()}
    result = campaign.run(
        BuildOptions((source,), "Tokens.kind", max_length=2), SearchOptions(criterion="path", budget=120.0)
    )
    deliver(result, tmp_path / "out").checked()
    assert result.ending.claim == "paths"
    assert "characters of strings below 256" in result.program.bounds
    assert {test.replayed for test in result.tests} == {"same"}
    assert truth <= {_ended(result, test) for test in result.tests}


def _ended(result: Result, test: Test) -> str:
    """The number that a test returns, or the class of what is thrown."""
    if test.outcome is not Outcome.RETURNED:
        return "java.lang.NullPointerException"
    assert test.returned is not None
    thrown = int.from_bytes(test.returned[8:12], "little")
    classes = next(each.enumerators for each in result.program.types if each.name == "thrown")
    return next(
        (name for name, number in classes if number == thrown), str(int.from_bytes(test.returned[:4], "little"))
    )
