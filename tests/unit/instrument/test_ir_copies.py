"""The two paths of a function (fastpath.py), read from the text of units by other means than they were written by.

What a copy forgets shows here or in the mirror runtime (test_ir_behaviour.py), which compares shadows with values.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from ir_fixtures import PROGRAMS, executable, instrumented, prepared, prepared_file, ran
from sampling import sampled

FEW = ("bit_fields", "struct_by_value_large", "switch_ranges", "variadic_kinds", "wide_division")
CHOSEN = sampled(sorted((Path(__file__).parents[2] / "programs").glob("*.c")), lambda path: path.stem in FEW)
_NAME = re.compile(r'%(?:"[^"]*"|[-\w.$]+)')
_SOURCE = re.compile(
    r"  (%veer\.\d+) = (?:call i32 @veer_(?:load|binary|cast)\(|load i32, ptr inttoptr|or i32|select i1)"
)


@dataclass
class Graph:
    """A function's text as blocks: label → lines, label → labels that it goes to."""

    blocks: dict[str, list[str]]
    targets: dict[str, list[str]]
    fast: set[str]

    @property
    def slow(self) -> set[str]:
        return set(self.blocks) - self.fast

    @property
    def crossings(self) -> list[tuple[str, str]]:
        """Edges from the fast path, the prologue aside, to the slow one."""
        return [(one, to) for one in sorted(self.fast) for to in self.targets[one] if to not in self.fast]


def graphs(text: str) -> Iterator[Graph]:
    """The functions with two paths."""
    for body in re.findall(r"^define [^\n]*\{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL):
        if "%veer.fast." in body or '%"veer.fast.' in body:
            yield graph_of(body)


def graph_of(body: str) -> Graph:
    """What is behind the prologue's branch to the first block of the fast path, up to its crossings, is fast."""
    blocks: dict[str, list[str]] = {"": []}
    label = ""
    for line in body.splitlines():
        if line.startswith(" "):
            blocks[label].append(line)
        else:
            label = line[:-1]
            blocks[label] = []
    targets = {label: re.findall(r'label %("[^"]*"|[-\w.$]+)', lines[-1]) for label, lines in blocks.items()}
    start = next(to for edges in targets.values() for to in edges if to.lstrip('"').startswith("veer.fast."))
    fast: set[str] = set()
    waiting = [start]
    while waiting:
        label = waiting.pop()
        if label not in fast:
            fast.add(label)
            stores = any("ptr %veer.v." in line for line in blocks[label])
            crosses = stores or label not in blocks
            waiting += [] if crosses else targets[label]
    # A landing that wants no value has no stores before it: what it reaches is the slow path.
    slow = _reached(targets, [to for label in fast for to in targets[label] if to not in fast])
    return Graph(blocks, targets, fast - slow)


def _reached(targets: dict[str, list[str]], start: list[str]) -> set[str]:
    found: set[str] = set()
    while start:
        label = start.pop()
        if label not in found:
            found.add(label)
            start += targets[label]
    return found


def check(text: str) -> int:
    """All that must hold in a unit's functions with two paths; gives how many crossings there are."""
    count = 0
    for graph in graphs(text):
        check_fast(graph)
        check_variables(graph)
        check_landings(graph)
        count += len(graph.crossings)
    return count


def check_fast(graph: Graph) -> None:
    """The fast path has no shadows, and whatever may be symbolic there is tested or goes into what is."""
    lines = [line for label in graph.fast for line in graph.blocks[label]]
    assert not [line for line in lines if "%veer.s" in line or '%"veer.s' in line]
    uses = Counter(name for line in lines for name in _NAME.findall(line))
    for line in lines:
        match = _SOURCE.match(line)
        if match is not None and "@veer_binary" not in line:
            assert uses[match[1]] > 1 or "@veer_load" in line, f"nobody tests {line}"


def check_variables(graph: Graph) -> None:
    """On every path to a load of a variable there is a store (a forward must-analysis)."""
    variables = set(re.findall(r"%veer\.v\.\d+", "\n".join(graph.blocks[""])))
    before = {label: set(variables) for label in graph.blocks}
    before[""] = set()
    waiting = [""]
    seen: set[str] = set()
    while waiting:
        label = waiting.pop()
        after = before[label] | set(_stored(graph.blocks[label]))
        for target in graph.targets[label]:
            if target not in seen or not before[target] <= after:
                before[target] &= after
                seen.add(target)
                waiting.append(target)
    for label in seen:
        known = set(before[label])
        for line in graph.blocks[label]:
            known.update(_stored([line]))
            loaded = re.search(r" = load [^@]*, ptr (%veer\.v\.\d+)$", line)
            assert loaded is None or loaded[1] in known, f"{line} of {label}: nothing was stored"


def _stored(lines: list[str]) -> list[str]:
    return [name for line in lines for name in re.findall(r"^  store .*, ptr (%veer\.v\.\d+)$", line)]


def check_landings(graph: Graph) -> None:
    """Where the slow path gets a shadow that it uses, from a load or a call, the fast path may come in."""
    landings = {to for _, to in graph.crossings}
    lines = [line for label in graph.slow for line in graph.blocks[label]]
    uses = Counter(name for line in lines for name in _NAME.findall(line))
    for label in graph.slow:
        for shadow in _entering(graph, label):
            stored = sum(f" {shadow}, ptr %veer.v." in line for line in lines)
            if uses[shadow] - stored > 1 or stored:
                assert set(graph.targets[label]) & landings, f"{shadow} of {label} enters the slow path alone"


def _entering(graph: Graph, label: str) -> Iterator[str]:
    """Shadows of a block that come from memory or a callee."""
    for line in graph.blocks[label]:
        match = re.match(r'  (%"?veer\.s\d*\.(?:[^"\s]*)"?) = (phi|select) (.*)', line)
        if match is None:
            continue
        if match[2] == "select" and any("= load i32, ptr inttoptr" in other for other in graph.blocks[label]):
            loaded = {
                name
                for other in graph.blocks[label]
                if "= load i32, ptr inttoptr" in other
                for name in _NAME.findall(other)
            }
            if loaded & set(_NAME.findall(match[3])):
                yield match[1]
        sources = re.findall(r'\[ (%[^ ]*), %("[^"]*"|[-\w.$]+) \]', match[3]) if match[2] == "phi" else []
        for value, source in sources:
            if any(line.startswith(f"  {value} = call i32 @veer_load(") for line in graph.blocks[source]):
                yield match[1]


def test_a_tour_of_c_has_sound_copies(tmp_path: Path) -> None:
    assert check(instrumented(prepared_file(tmp_path, PROGRAMS / "features.c")).text) > 200
    flags = "-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift,bounds"
    assert check(instrumented(prepared_file(tmp_path, PROGRAMS / "checks.c", flags, "-fsanitize-trap=all")).text) > 10


@pytest.mark.parametrize("program", CHOSEN, ids=lambda path: path.stem)
def test_programs_have_sound_copies(tmp_path: Path, program: Path) -> None:
    include = f"-I{Path(__file__).parents[3] / 'src' / 'veer' / 'runtime' / 'include'}"
    check(instrumented(prepared_file(tmp_path, program, include)).text)


BROKEN = (
    (r"br i1 (%veer\.\d+), label %(veer\.b\d+), label %(veer\.b\d+)\n\2:\n(?:  store .*\n)+.*", r"br label %\3"),
    (r"  store \S+ %veer\.fast\.\S+, ptr %veer\.v\.\d+\n", ""),
    (r"  store i32 %veer\.\d+, ptr %veer\.v\.\d+\n", ""),
)


@pytest.mark.parametrize(("pattern", "instead"), BROKEN, ids=("no crossing", "no value", "no shadow"))
def test_the_check_sees_what_is_forgotten(tmp_path: Path, pattern: str, instead: str) -> None:
    text = instrumented(prepared(tmp_path, "int f(int *p, int n) { int a = p[n]; return a + p[n + a] * n; }")).text
    assert check(text) > 0
    broken, count = re.subn(pattern, instead, text, count=1)
    assert count == 1
    with pytest.raises(AssertionError):
        check(broken)


NO_COPIES = {
    "int setjmp(long *); long b[25]; int f(int *p) { return setjmp(b) ? *p : p[1]; }": 0,
    "int f(int *p, int n) { void *a[] = {&&x, &&y}; goto *a[n]; x: return *p; y: return p[1]; }": 0,
    "int f(void) { return 1; }": 0,
    "int f(int *p) { return *p; }": 1,
}


@pytest.mark.parametrize(("text", "copies"), NO_COPIES.items(), ids=("setjmp", "computed goto", "no source", "load"))
def test_which_functions_have_two_copies(tmp_path: Path, text: str, copies: int) -> None:
    assert len(list(graphs(instrumented(prepared(tmp_path, text)).text))) == copies


def test_arguments_choose_the_copy(tmp_path: Path) -> None:
    text = """
    void veer_input(void *, unsigned long, const char *);
    static int deep(int x, int *p) { int a[2]; a[1] = *p; return x == 7 ? a[1] : a[1] - x; }
    static int flat(int x, int y) { return x > y ? x : y + deep(x, &y); }
    int program(void) {
        int i, k = 3;
        veer_input(&i, sizeof i, "i");
        return flat(1, 2) + flat(i, 2) + flat(k, i) + flat(2, k);
    }
    """
    results = {
        two: ran(
            executable(tmp_path, instrumented(prepared(tmp_path, text), has_fast_path=two), "mirror_runtime"), "facts"
        )
        for two in (False, True)
    }
    assert results[True] == results[False]
    assert results[True].code == 0
