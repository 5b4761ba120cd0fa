"""The C replayer on real builds: what each kind of input becomes, and that a lie in a record is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_tests import number, recorded, replayer

from veer.frontends.llvm.replay.replayer import NativeReplayer
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root
from veer.model.outcome import Outcome
from veer.model.replay import AT_LIMIT, SAME, STOPPED, Agreement, Proof, Replay, Want
from veer.model.result import Output
from veer.model.result import Test as Recorded
from veer.model.values import replace

pytestmark = pytest.mark.slow  # campaigns and builds: not for ./check --quick

ENDS = """
#include <stdio.h>
#include <stdlib.h>
int unknown(int);
static int total;
int ends(int how, const char *text)
{
    printf("%d", how);
    if (how == 1) exit(3);
    if (how == 2) abort();
    if (how == 3) for (;;) total++;
    if (how == 4) return *(volatile int *)0;
    if (how == 5) return unknown(1) + 10 * unknown(2);
    return text != NULL ? text[0] + how : how;
}
"""
GRAPH = """
struct task { int (*run)(int); int v; struct task *next; };
int graph(struct task *t)
{
    if (t && t->next && t->next->next == t) {
        t->next->v = t->v + 1;
        return t->run(7) + (t->run == t->next->run);
    }
    return 0;
}
"""


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> NativeReplayer:
    source = tmp_path_factory.mktemp("ends") / "ends.c"
    source.write_text(ENDS)
    return replayer(source, "ends", seconds=1.0)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> NativeReplayer:
    source = tmp_path_factory.mktemp("graph") / "graph.c"
    source.write_text(GRAPH)
    return replayer(source, "graph")


def one(of: NativeReplayer, test: Recorded, want: Want = Want.ALL) -> Replay:
    (found,) = of.replay((test,), want=want)
    return found


def end(of: NativeReplayer, how: int, returned: int | None = None, text: str | None = "a", **more: object) -> Recorded:
    value = Pointer(None) if text is None else text
    return recorded(of.built.program, {"how": how, "text": value}, returned, **more)  # type: ignore[arg-type]


def test_a_value_is_returned_and_printed(ends: NativeReplayer) -> None:
    found = one(ends, end(ends, 0, ord("a")))
    assert (found.verdict, found.outcome, found.printed) == (SAME, Outcome.RETURNED, b"0")
    assert one(ends, end(ends, 9, 9, text=None)).verdict == SAME


@pytest.mark.parametrize(
    ("how", "outcome", "code"),
    [
        (1, Outcome.EXITED, 3),
        (2, Outcome.ABORTED, None),
        (3, Outcome.HANG, None),
        (4, Outcome.SEGFAULT_NULL, None),
    ],
)
def test_ends_are_told_apart(ends: NativeReplayer, how: int, outcome: Outcome, code: int | None) -> None:
    found = one(ends, end(ends, how, outcome=outcome, exit_code=code))
    assert (found.verdict, found.outcome) == (SAME, outcome)
    assert found.proof is (Proof.CONFIRMED if outcome.is_bug else Proof.NONE)


def test_lies_about_the_end_are_noticed(ends: NativeReplayer) -> None:
    """A wrong value, code, outcome, output: each differs in its own words."""
    lies = {
        "result is 97, recorded 98, recorded: returned": end(ends, 0, ord("b")),
        "ended by SIGABRT, recorded: returned": end(ends, 2, 0),
        "exit(3), recorded exit(4)": end(ends, 1, outcome=Outcome.EXITED, exit_code=4),
        "the function returned, recorded: called exit": end(ends, 0, outcome=Outcome.EXITED, exit_code=0),
        'it printed "0", recorded "1"': replace(end(ends, 0, ord("a")), printed=b"1"),
        "the function returned, recorded: abort() was called": end(ends, 0, outcome=Outcome.ABORTED),
    }
    for found, why in zip(ends.replay(tuple(lies.values())), lies, strict=True):
        assert str(found.verdict) == f"differs: {why}"
    hang = one(ends, end(ends, 0, outcome=Outcome.HANG))
    assert hang.proof is Proof.REFUTED


def test_undefined_functions_answer_in_their_order(ends: NativeReplayer) -> None:
    program = ends.built.program
    plain = end(ends, 5, 43)
    type_ = next(each.id for each in program.types if (each.kind, each.size) == ("signed", 4))
    answers = tuple(Root("unknown()", k, type_, 4, (Cell(0, "", number(3 + k, 32)),)) for k in range(2))
    test = replace(plain, inputs=replace(plain.inputs, roots=plain.inputs.roots + answers))
    assert one(ends, test).verdict == SAME
    fewer = replace(test, inputs=replace(test.inputs, roots=test.inputs.roots[:-1]), returned=(3).to_bytes(4, "little"))
    assert one(ends, fewer).verdict.why.startswith("the number of calls of unknown is 2, recorded 1")


def test_limits_and_stops(ends: NativeReplayer) -> None:
    limit = one(ends, end(ends, 0, outcome=Outcome.MEMORY_LIMIT))
    assert limit.verdict == AT_LIMIT
    assert limit.edges
    assert [found.verdict for found in ends.replay((end(ends, 0, 97),) * 3, lambda: True)] == [STOPPED] * 3


def test_what_is_not_wanted_is_not_run(ends: NativeReplayer) -> None:
    found = one(ends, end(ends, 0, ord("a")), Want.OUTCOME)
    assert (found.verdict, found.edges, found.lines, found.marks) == (SAME, (), (), ())
    found = one(ends, end(ends, 0, ord("a")), Want.MARKS)
    assert found.verdict.agreement is Agreement.NOT_REPLAYED
    assert found.marks


def test_edges_are_the_programs(ends: NativeReplayer) -> None:
    found = one(ends, end(ends, 1, outcome=Outcome.EXITED, exit_code=3))
    sites = ends.built.program.sites
    taken = [(sites[edge // 2].text, edge % 2) for edge in found.edges if max(sites[edge // 2].items) >= 0]
    assert taken == [("how == 1", 1)]
    lines = [ends.measurable().lines[index].line for index in found.lines]
    assert sorted(set(lines)) == [6, 8, 9]


def cycle(of: NativeReplayer, alias: int = 1) -> tuple[MemoryObject, ...]:
    """Two tasks, the first of which leads to the second, and the second to `alias`; both run a stub."""
    program = of.built.program
    task = next(each for each in program.types if each.name == "struct task")
    stub = next(each.callback for each in program.types if each.callback)
    return tuple(
        MemoryObject(
            which,
            f"t{which}",
            task.id,
            1,
            24,
            (
                Cell(0, ".run", Pointer(None, function=stub)),
                Cell(8, ".v", number(10 * which, 32)),
                Cell(16, ".next", Pointer(target)),
            ),
        )
        for which, target in ((1, 2), (2, alias))
    )


def looped(of: NativeReplayer, objects: tuple[MemoryObject, ...], returned: int, after: int = 11) -> Recorded:
    """The call with this graph, whose stub answers 4, and what it leaves in the second task."""
    program = of.built.program
    test = recorded(program, {"t": Pointer(1)}, returned, objects)
    stub = next(each for each in program.types if each.callback)
    answer = Root(f"{stub.callback}()", 0, stub.returns, 4, (Cell(0, "", number(4, 32)),))
    left = b"\1" + bytes(7) + after.to_bytes(4, "little") + bytes(12)
    output = Output(2, "t->next", objects[1].type, bytes(24), left, ((16, 1),))
    return replace(test, inputs=InputMap((*test.inputs.roots, answer), objects), outputs=(output,))


def test_a_cyclic_graph_with_aliases_and_a_stub(graph: NativeReplayer) -> None:
    objects = cycle(graph)
    assert one(graph, looped(graph, objects, 5)).verdict == SAME
    assert one(graph, looped(graph, objects, 4)).verdict.why.startswith("result is 5, recorded 4")
    assert one(graph, looped(graph, objects, 5, after=12)).verdict.why.startswith("t->next.v is 11, recorded 12")


def test_another_graph_is_another_run(graph: NativeReplayer) -> None:
    """The second task leads to itself instead."""
    assert one(graph, looped(graph, cycle(graph, alias=2), 5)).verdict.agreement is Agreement.DIFFERS


def test_a_whole_program_reads_its_input_and_arguments(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "#include <stdio.h>\nint main(int argc, char **argv) {\n"
        "    int c = getchar();\n    return argc > 2 ? argv[2][0] : argc > 1 ? (argv[1][0] ? 1 : c) : 2;\n}\n"
    )
    of = replayer(source, "main", stdin_size=2)
    types = {each.id: each for each in of.built.program.types}
    string = next(each for each in types.values() if each.extent == "string")
    number_of = next(each.id for each in types.values() if (each.kind, each.size) == ("signed", 4))

    def call(argc: int, returned: int, *words: str) -> Recorded:
        roots = [
            Root("argc", 0, number_of, 4, (Cell(0, "", number(argc, 32)),)),
            Root("size of stdin", 0, -1, 4, (Cell(0, "", number(2, 32)),)),
            Root("stdin", 0, -1, 2, (Cell(0, "[0]", number(ord("k"), 8)), Cell(1, "[1]", number(ord("l"), 8)))),
        ]
        objects = []
        for place, word in enumerate(words, 1):
            data = word.encode() + b"\0"
            cells = tuple(Cell(k, f"[{k}]", number(byte, 8)) for k, byte in enumerate(data))
            objects.append(MemoryObject(place, f"argv[{place}]", string.target, len(data), len(data), cells))
            roots.append(Root(f"argv[{place}]", 0, string.id, 8, (Cell(0, "", Pointer(place)),)))
        answer = returned.to_bytes(4, "little")
        return Recorded("t", InputMap(tuple(roots), tuple(objects)), Outcome.RETURNED, None, answer, (), "")

    calls = (call(1, 2), call(2, 1, "x"), call(3, ord("b"), "x", "b"), call(2, ord("k")))
    assert [found.verdict for found in of.replay(calls)] == [SAME] * len(calls), "an unread argument is empty"
    assert one(of, call(2, ord("l"))).verdict.agreement is Agreement.DIFFERS


def test_what_preconditions_run_is_not_counted(tmp_path: Path) -> None:
    source = tmp_path / "precondition.c"
    source.write_text(
        "static int positive(int x)\n{\n    return x > 0 ? 1 : 0;\n}\nint f(int x)\n{\n    return x > 5 ? 1 : 2;\n}\n"
    )
    of = replayer(source, "f", preconditions=("positive",))
    found = one(of, recorded(of.built.program, {"x": 9}, 1))
    assert found.verdict == SAME
    sites = of.built.program.sites
    assert {sites[edge // 2].function for edge in found.edges} == {"f"}
    assert {of.measurable().lines[index].function for index in found.lines} == {"f"}
    refused = one(of, recorded(of.built.program, {"x": -1}, 2))
    assert "a precondition does not hold" in refused.verdict.why


def test_checks_are_in_the_counted_build_alone(tmp_path: Path) -> None:
    source = tmp_path / "overflow.c"
    source.write_text("int f(int x)\n{\n    return x + 1;\n}\n")
    of = replayer(source, "f", checks=("overflow",))
    found = one(of, recorded(of.built.program, {"x": 2**31 - 1}, outcome=Outcome.UNDEFINED))
    assert (found.verdict, found.proof) == (SAME, Proof.NONE), "the plain build goes on"
    assert of.measurable().decisions == ()
