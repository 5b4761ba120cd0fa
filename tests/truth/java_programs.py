"""Generated Java methods `static int f(byte a, boolean b)`, and what veer claims of them against all 512 inputs.

Bodies are drawn from arithmetic, branches, loops of few rounds, switches, arrays, exceptions that are thrown and
caught, strings and lists.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from veer.campaign import run as campaign
from veer.frontends.java.jdk import find_jdk
from veer.frontends.java.replay.jvm import driver_classes, run_all
from veer.frontends.java.traps import CLASSES
from veer.frontends.java.units import read_unit
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Result, Test
from veer.model.searchoptions import SearchOptions
from veer.toolchain.compiler import find

_OPERATORS = ("+", "-", "*", "&", "|", "^", "/", "%", "<<", ">>", ">>>")
_TESTS = ("<", "<=", "==", "!=", ">", ">=")
_DEEPEST = 3
HEAD = """\
import java.util.ArrayList;
import java.util.List;

public class Drawn {
    private static final int[] TABLE = {3, 1, 4, 1, 5};
    private static int state;

"""


class Drawing:
    """Draws the text of methods."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)

    def source(self, count: int) -> str:
        """A class with methods f0, f1, ..."""
        return HEAD + "".join(self._method(number) for number in range(count)) + "}\n"

    def _method(self, number: int) -> str:
        body = "".join(self._statement(0, "        ") for _ in range(self._draw.randint(3, 6)))
        return (
            f"    static int f{number}(byte a, boolean b) {{\n"
            "        int x = a, y = b ? 3 : -2;\n"
            "        List<Integer> list = new ArrayList<>();\n"
            f"{body}        return {self._expression(1)};\n    }}\n\n"
        )

    def _expression(self, depth: int) -> str:
        draw = self._draw
        if depth >= _DEEPEST or draw.random() < 0.3:
            return draw.choice(("a", "x", "y", "state", str(draw.choice((0, 1, 2, 3, 7, 40, 127, -1, -128)))))
        kind = draw.randrange(8)
        if kind == 0:
            return f"TABLE[{self._expression(depth + 1)} & {draw.choice((3, 7))}]"
        if kind == 1:
            return f"({self._condition(depth + 1)} ? {self._expression(depth + 1)} : {self._expression(depth + 1)})"
        if kind == 2:
            return f"({draw.choice(('(byte)', '(char)', '(short)'))} {self._expression(depth + 1)})"
        return f"({self._expression(depth + 1)} {draw.choice(_OPERATORS)} {self._expression(depth + 1)})"

    def _condition(self, depth: int) -> str:
        draw = self._draw
        kind = draw.randrange(7)
        if kind == 0:
            return "b"
        if kind == 1 and depth < _DEEPEST:
            word = draw.choice(("&&", "||"))
            return f"({self._condition(depth + 1)} {word} {self._condition(depth + 1)})"
        if kind == 2:
            return f'("k" + ({self._expression(depth + 1)} & 3)).equals("k{draw.randrange(4)}")'
        if kind == 3:
            return "list.isEmpty()"
        return f"{self._expression(depth + 1)} {draw.choice(_TESTS)} {self._expression(depth + 1)}"

    def _statement(self, depth: int, indent: str) -> str:
        draw = self._draw
        kind = draw.randrange(10) if depth < _DEEPEST else draw.randrange(3)
        if kind < 3:
            name = draw.choice(("x", "y", "state"))
            return f"{indent}{name} {draw.choice(('=', '+=', '-=', '^='))} {self._expression(1)};\n"
        if kind == 3:
            return f"{indent}list.add((int) ({self._expression(1)}));\n"
        if kind == 4:
            return f"{indent}if ({self._condition(1)}) throw new IllegalStateException();\n"
        inner = "".join(self._statement(depth + 1, f"{indent}    ") for _ in range(draw.randint(1, 2)))
        if kind == 5:
            return f"{indent}for (int i{depth} = 0; i{depth} < (y & 3); i{depth}++) {{\n{inner}{indent}}}\n"
        if kind == 6:
            caught = draw.choice(("ArithmeticException", "RuntimeException", "ArrayIndexOutOfBoundsException"))
            end = f"{indent}}} finally {{\n{indent}    y++;\n{indent}}}\n" if draw.randrange(2) else f"{indent}}}\n"
            return f"{indent}try {{\n{inner}{indent}}} catch ({caught} e) {{\n{indent}    x = 5;\n{end}"
        if kind == 7:
            cases = "".join(
                f"{indent}    case {value}: {draw.choice(('x++;', 'y = 9; break;', 'state ^= x; break;'))}\n"
                for value in draw.sample(range(-3, 6), 3)
            )
            return f"{indent}switch ({self._expression(1)} & 7) {{\n{cases}{indent}    default: y--;\n{indent}}}\n"
        if kind == 8:
            return f"{indent}if (list.size() > {draw.randrange(3)}) x += list.get({self._expression(1)} & 1);\n"
        other = "".join(self._statement(depth + 1, f"{indent}    ") for _ in range(draw.randint(1, 2)))
        return f"{indent}if ({self._condition(1)}) {{\n{inner}{indent}}} else {{\n{other}{indent}}}\n"


def judged(source: Path, method: str, budget: float = 60.0) -> Iterator[str]:
    """What is wrong of veer's claims of a method; nothing where all is well."""
    truth = everything(source, method)
    result = campaign.run(BuildOptions((source,), f"Drawn.{method}"), SearchOptions(criterion="path", budget=budget))
    classes = {number: name for row in result.program.types if row.name == "thrown" for name, number in row.enumerators}
    seen = set()
    for test in result.tests:
        given = {root.name: root.cells[0].value for root in test.inputs.roots if root.cells}
        a, b = (given[name].bits if name in given else 0 for name in ("a", "b"))  # type: ignore[union-attr]
        expected = truth[a & 255, b & 1]
        seen.add(expected)
        if test.replayed.startswith("differs"):
            yield f"{test.name}({a}, {b}): {test.replayed}"
        found = _ended(result, test, classes)
        is_shown = not found and expected in CLASSES.values()  # a bug that another test is shown with
        if found != expected and not is_shown:
            yield f"{test.name}({a}, {b}) {found}, the JVM: {expected}"
    if result.ending.claim == "paths":
        yield from (
            f"claims all paths, and has none that ends in {each}" for each in _kinds(truth.values()) - _kinds(seen)
        )


def everything(source: Path, method: str) -> dict[tuple[int, int], str]:
    """What each input does on the JVM: a number, or the class of what is thrown."""
    jdk, cache = find_jdk(), find().cache
    jar = read_unit(source, jdk, cache).classes
    inputs = [(a, b) for a in range(256) for b in range(2)]
    commands = [f"{a}.{b}\tDrawn\t{method}\tB:{a:x}\tZ:{b}" for a, b in inputs]
    ran = run_all(jdk, driver_classes(jdk, cache), (jar,), commands, 5.0)
    return {(a, b): ran[f"{a}.{b}"].thrown or str(int(ran[f"{a}.{b}"].result, 16) & 0xFFFFFFFF) for a, b in inputs}


def _kinds(outcomes: object) -> set[str]:
    """Exceptions, and that something is returned: a path may stand for many numbers."""
    return {each if "." in each else "a return" for each in outcomes}  # type: ignore[attr-defined]


def _ended(result: Result, test: Test, classes: dict[int, str]) -> str:
    if test.outcome is not Outcome.RETURNED:
        bug = next((each for each in result.bugs if each.test == test.name), None)
        words = bug.message.split() if bug is not None else []
        return next((word for word in words if word.startswith("java.lang.")), "")
    assert test.returned is not None
    number = int.from_bytes(test.returned[8:12], "little")
    return classes.get(number) or str(int.from_bytes(test.returned[:4], "little"))
