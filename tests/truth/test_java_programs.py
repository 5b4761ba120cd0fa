"""A program in Java that asks for its inputs where it needs them: what veer claims against every input on the JVM."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from pathlib import Path

import pytest
from sampling import sampled

import veer
from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.frontends.java.jdk import find_jdk
from veer.frontends.java.replay.encoding import asked_values
from veer.frontends.java.replay.jvm import driver_classes, run_all
from veer.frontends.java.units import read_unit
from veer.model.buildoptions import BuildOptions
from veer.model.inputs import Pointer
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity
from veer.toolchain.compiler import find

PROGRAM = """\
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.sosy_lab.sv_benchmarks.Verifier;

public class Main {
    record Pair(int left, boolean right) {}

    static final List<Integer> SEEN = new ArrayList<>();

    static String kind(int n) {
        return n == 7 ? "seven" : n < 0 ? "less" : "more";
    }

    public static void main(String[] args) {
        byte a = Verifier.nondetByte();
        Verifier.assume(a > -9 && a < 30);
        boolean b = Verifier.nondetBoolean();
        SEEN.add((int) a);
        SEEN.add(b ? 1 : 20);
        SEEN.sort(null);
        IntPredicate isLast = n -> n == SEEN.get(1);
        if (isLast.test(25)) System.exit(3);
        System.out.println(new Pair(a, b));
        switch (kind(a)) {
            case "seven": assert !b : "seven " + a;
            case "less": throw new IllegalStateException(kind(a));
            default: break;
        }
        Integer one = (int) a, other = SEEN.get(0);
        if (one == other) return;
        int n = 100 / (a - 21);
        assert !new Pair(a, b).equals(new Pair(28, true)) : n;
    }
}
"""
EXIT = "exit"


def test_a_program_does_what_all_of_its_inputs_do(tmp_path: Path) -> None:
    if shutil.which("javac") is None:
        pytest.skip("there is no javac")
    (tmp_path / "Main.java").write_text(PROGRAM)
    jdk, cache = find_jdk(), find().cache
    inputs = list(itertools.product(range(-8, 30), range(2)))
    commands = [f"{n}\tMain\tmain\targs:none\t?aByte:{a & 255:x}\t?aBoolean:{b}" for n, (a, b) in enumerate(inputs)]
    unit = read_unit(tmp_path / "Main.java", jdk, cache)
    ran = run_all(jdk, driver_classes(jdk, cache), (unit.classes,), commands, 5.0)
    truth = {
        pair: EXIT if ran[str(n)].state == "exited" else ran[str(n)].thrown.rpartition(".")[2]
        for n, pair in enumerate(inputs)
    }
    assert {*truth.values()} == {EXIT, "", "AssertionError", "IllegalStateException", "ArithmeticException"}
    result = campaign.run(
        BuildOptions((tmp_path / "Main.java",), "Main.main"), SearchOptions(criterion="path", budget=120.0)
    )
    deliver(result, tmp_path / "out").checked()
    assert result.ending.claim == "paths"
    assert {test.replayed for test in result.tests} == {"same"}
    thrown = {number: name for row in result.program.types if row.name == "thrown" for name, number in row.enumerators}
    messages, seen = {bug.test: bug.message for bug in result.bugs}, set[str]()
    for test in result.tests:
        asked = asked_values(test.inputs)
        a = asked["aByte"][0]
        expected = truth[a - 256 if a > 127 else a, asked["aBoolean"][0]]
        seen.add(expected)
        if test.outcome is Outcome.EXITED:
            assert expected == EXIT
        elif test.outcome is Outcome.RETURNED:
            assert test.returned is not None
            number = int.from_bytes(test.returned[8:12], "little")
            assert expected == thrown.get(number, "").rpartition(".")[2]
        else:
            assert expected in messages.get(test.name, expected) or test.outcome is Outcome.ASSERTION
    assert seen == {*truth.values()}
    assert (tmp_path / "out" / "suite" / "veer" / "Given.java").exists()


ARGUMENTS = """\
import org.sosy_lab.sv_benchmarks.Verifier;

public class Args {
    public static void main(String[] args) {
        if (args.length == 2 && args[1].length() == 1) {
            byte n = Verifier.nondetByte();
            if (args[0].isEmpty() && n == 5) throw new IllegalStateException(args[1]);
            int[] seen = new int[2];
            seen[args[0].length()] = 1;
        }
    }
}
"""


def test_arguments_of_a_program_are_strings_that_nobody_counts_before_they_are_looked_at(tmp_path: Path) -> None:
    """They are no null and hold none. What they are is the user's affair: bugs that they cause are errors."""
    if shutil.which("javac") is None:
        pytest.skip("there is no javac")
    (tmp_path / "Args.java").write_text(ARGUMENTS)
    options = BuildOptions((tmp_path / "Args.java",), "Args.main", max_array=4, max_length=4)
    result = campaign.run(options, SearchOptions(criterion="path", budget=60.0))
    deliver(result, tmp_path / "out").checked()
    assert result.ending.claim == "paths"
    assert result.runs < 100  # each length of each of up to four strings: 781 and more
    assert {test.replayed for test in result.tests} == {"same"}
    assert [(bug.line, bug.severity) for bug in result.bugs] == [(9, Severity.ERROR)]
    pointers = [
        cell.value for test in result.tests for root in test.inputs.roots for cell in root.cells if root.name == "args"
    ]
    elements = [cell.value for test in result.tests for item in test.inputs.objects for cell in item.cells]
    assert pointers
    assert all(each.target is not None for each in [*pointers, *elements] if isinstance(each, Pointer))
    suite = (tmp_path / "out" / "suite" / "Args_mainTest.java").read_text()
    assert "Args.main(object_1)" in suite
    assert "IllegalStateException" in suite


PARTS = """\
import java.lang.reflect.Array;

public class Parts {
    static int kind(int n) {
        Class<?> c = n == 3 ? int.class : long.class;
        return n > 0 && c == long.class ? 1 : 0;
    }
    static int part(int n) {
        Object o = n > 2 ? new int[n & 3] : new String[1];
        if (n == 9) return o.getClass().getComponentType() == int.class ? 1 : 2;
        return o.getClass().isArray() && o.getClass().getComponentType() != long.class ? 3 : 4;
    }
    static int made(byte n) {
        Object o = n > 0 ? new long[0] : n < 0 ? new short[] { n } : new String[0];
        Object copy = Array.newInstance(o.getClass().getComponentType(), 2);
        if (copy.getClass() != o.getClass()) return 0;
        if (copy instanceof long[]) {
            ((long[]) copy)[1] = n;
            return ((long[]) copy)[0] == 0 && ((long[]) copy)[1] == 9 ? 1 : 2;
        }
        if (!(copy instanceof short[])) return ((String[]) copy)[1] == null ? 3 : 4;
        ((short[]) copy)[0] = 77;
        ((short[]) copy)[1] = ((short[]) o)[0];
        return ((short[]) copy)[0] == 77 && ((short[]) copy)[1] == -5 ? 5 : 6;
    }
    static int named(int n) {
        Class<?> c = n == 1 ? boolean.class : n == 2 ? void.class : n == 3 ? double[].class.getComponentType() : n == 4
                ? Integer.class : byte[][].class.getComponentType();
        if (!c.isPrimitive()) return c.isArray() ? c.getComponentType() == byte.class ? 1 : 0 : 2;
        return c.getName().equals("boolean") ? 3 : c.getName().equals("void") ? 4 : c == Double.TYPE ? 5 : 0;
    }
}
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize(
    ("entry", "expected"),
    [("kind", {0, 1}), ("part", {1, 3}), ("made", {1, 2, 3, 5, 6}), ("named", {1, 2, 3, 4, 5})],
)
def test_classes_of_numbers_and_of_their_arrays_are_those_of_the_jvm(
    tmp_path: Path, entry: str, expected: set[int]
) -> None:
    """int.class and long.class were one object, so that runs that named them ended; so did those that asked for the
    component of an array of numbers (commons-lang's ArrayUtils)."""
    source = tmp_path / "Parts.java"
    source.write_text(PARTS)
    result = campaign.run(BuildOptions(sources=(source,), entry=f"Parts.{entry}"), SearchOptions(budget=60.0))
    assert result.ending.claim == "paths", result.ending
    assert all(test.replayed == "same" for test in result.tests)
    assert {int.from_bytes(test.returned[:4], "little") for test in result.tests if test.returned} == expected


READS = """\
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Scanner;

public class Reads {
    static int words() {
        Scanner in = new Scanner(System.in);
        if (!in.hasNextInt()) return in.hasNextLine() ? 1 : 2;
        int first = in.nextInt();
        return in.hasNext() ? 1000 + first : first;
    }

    static String lines() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String first = in.readLine(), second = in.readLine();
        return second == null ? first : second + first.length();
    }

    static int numbers() {
        Scanner in = new Scanner(System.in);
        String line = in.nextLine();
        return line.length() == 1 ? in.nextByte() : (int) in.nextLong();
    }

    static int twice() {
        int first = new Scanner(System.in).next().length();
        return new Scanner(System.in).hasNext() ? -1 : first;
    }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
@pytest.mark.parametrize("method", sampled(("words", "lines", "numbers", "twice"), lambda each: each == "numbers"))
def test_standard_input_is_read_as_the_jvm_reads_it(method: str, tmp_path: Path) -> None:
    """Every path is run on the JVM, with its bytes as standard input; so is each test of the suite."""
    source = tmp_path / "Reads.java"
    source.write_text(READS)
    result = campaign.run(
        BuildOptions((source,), f"Reads.{method}", stdin_size=3), SearchOptions(criterion="path", budget=60.0)
    )
    deliver(result, tmp_path / "out").checked()
    assert result.ending.claim == "paths", result.ending
    assert set(result.ending.within) == {"stdin-size 3", "bytes of standard input below 128"}
    assert {test.replayed for test in result.tests} == {"same"}
    suite = tmp_path / "out" / "suite"
    for command in (["javac", "-d", "classes", "-sourcepath", str(tmp_path)], ["java", "-ea", "-cp", "classes"]):
        name = f"Reads_{method}Test"
        subprocess.run([*command, name + ".java" * (command[0] == "javac")], cwd=suite, check=True, capture_output=True)


CLOCK = """\
public class Late {
    static int of(byte n) {
        if (n == 7) return 7;
        return System.currentTimeMillis() % 2 == 0 ? 1 : 2;
    }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
def test_what_depends_on_a_clock_is_no_test_of_the_suite(tmp_path: Path) -> None:
    (tmp_path / "Late.java").write_text(CLOCK)
    result = campaign.run(BuildOptions((tmp_path / "Late.java",), "Late.of"), SearchOptions(budget=30.0))
    deliver(result, tmp_path / "out").checked()
    late = {test.name for test in result.tests if any(root.name == "aClock" for root in test.inputs.roots)}
    assert {test.replayed == "same" for test in result.tests if test.name not in late} == {True}
    assert late
    assert all(test.replayed.startswith("not replayed: what a clock") for test in result.tests if test.name in late)
    suite = (tmp_path / "out" / "suite" / "Late_ofTest.java").read_text()
    for test in result.tests:
        assert (f"// {test.name} is left out: it depends on a clock" in suite) == (test.name in late)
        assert (f"void {test.name}()" in suite) == (test.name not in late)


SAYS = """\
public class Says {
    private final int n;

    Says(int n) { this.n = n; }

    public String toString() {
        if (n == 7) throw new IllegalStateException("seven");
        return "says";
    }

    static int of(int n, double d, Says o) {
        System.out.println("n " + n + ", d " + d + ", o " + o);
        if (n > 5) System.err.print(n + " from " + new Says(n));
        System.out.printf("%,d %6.2f %-9s %e%n", n, d, n, d);
        return d > 3 ? 1 : 2;
    }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK on this machine")
def test_digits_of_what_is_printed_are_not_decided(tmp_path: Path) -> None:
    """But texts of objects are made: what they throw is thrown."""
    (tmp_path / "Says.java").write_text(SAYS)
    options = BuildOptions((tmp_path / "Says.java",), "Says.of")
    result = campaign.run(options, SearchOptions(criterion="path", budget=60.0))
    deliver(result, tmp_path / "out").checked()
    assert result.ending.claim == "paths", result.ending
    assert result.runs < 40
    assert {test.replayed for test in result.tests} == {"same"}
    thrown = {number: name for row in result.program.types if row.name == "thrown" for name, number in row.enumerators}
    ends = {(number[:4], thrown.get(int.from_bytes(number[8:12], "little"))) for number in map(_returned, result.tests)}
    assert ends == {(b"\1\0\0\0", None), (b"\2\0\0\0", None), (b"\0\0\0\0", "java.lang.IllegalStateException")}


def _returned(test: veer.Test) -> bytes:
    return test.returned or b""
