"""Runs whose values come in order: the same run as that of the input which they make."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from veer.campaign.languages import language_of
from veer.execution.decode import model_outcome
from veer.execution.executor import PersistentExecutor
from veer.execution.limits import ExecutorLimits
from veer.findings.shrinking.drawing import drawn
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions
from veer.search.settings import configure
from veer.wire.shared import Shared

TEXT = """
#include <stdlib.h>
struct node { int v; struct node *next; };
int f(struct node *p, _Bool both)
{
    int n = 0;
    for (; p; p = p->next) n += p->v;
    if (n == 12 && both) abort();
    return n;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Iterator[tuple[PersistentExecutor, Shared]]:
    source = tmp_path / "list.c"
    source.write_text(TEXT)
    build = BuildOptions((source,), "f", graph_depth=3)
    built = language_of(build.sources).build(build)
    with Shared() as shared:
        configure(shared, built.program, build, SearchOptions())
        with closing(PersistentExecutor(built.program.executable, shared, ExecutorLimits())) as executor:
            yield executor, shared


def test_values_are_taken_in_the_order_in_which_the_run_asks(program: tuple[PersistentExecutor, Shared]) -> None:
    executor, shared = program
    run = drawn(executor, shared, (1, 1, 5, 1, 7))
    assert run is not None and model_outcome(shared.run.last_outcome) is Outcome.ABORTED
    data, choices = run
    assert sorted(choice.bits for choice in choices) == [0, 1, 1, 1, 5, 7]
    assert executor.probe(data) and model_outcome(shared.run.last_outcome) is Outcome.ABORTED


def test_behind_the_last_value_is_0_and_each_is_one_that_the_input_may_have(
    program: tuple[PersistentExecutor, Shared],
) -> None:
    executor, shared = program
    run = drawn(executor, shared, ())
    assert run is not None and {choice.bits for choice in run[1]} == {0}
    run = drawn(executor, shared, (77, 77))
    assert run is not None
    assert [choice.bits for choice in run[1] if choice.high == 1] == [1]


def test_leaving_out_the_values_of_a_node_leaves_out_the_node(program: tuple[PersistentExecutor, Shared]) -> None:
    """The flag comes first, then the pointer, and of each node its number and its pointer."""
    executor, shared = program
    two = drawn(executor, shared, (1, 1, 5, 1, 9, 0))
    one = drawn(executor, shared, (1, 1, 9, 0))
    assert two is not None and one is not None
    assert [choice.bits for choice in two[1]] == [1, 1, 5, 1, 9, 0]
    assert [choice.bits for choice in one[1]] == [1, 1, 9, 0]


def test_nothing_of_it_is_kept(program: tuple[PersistentExecutor, Shared]) -> None:
    executor, shared = program
    assert executor.draw((1, 1, 5))
    assert (shared.counts.runs, shared.count("paths")) == (0, 0)
    assert not executor.draw((0,) * 70_000)
    executor.run(b"", keeps=True)
    executor.run(b"", keeps=True)
    executor.run(b"")
    assert shared.count("paths") == 2
