"""One search of one program, by however many workers: what it found, to be compared."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from veer.campaign.session import searched
from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Ending
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.ending import ending
from veer.search.node_counts import NodeCounts
from veer.search.parallel.findings import new_paths
from veer.search.progress import Report, silent
from veer.search.settings import configure
from veer.search.tools import local_scene
from veer.toolchain import compiler
from veer.wire.forgotten import Forgotten
from veer.wire.layout import State
from veer.wire.shared import Shared

SOURCE = """
struct node { int value; struct node *next; };
int walk(const char *s, struct node *list, int a, int b)
{
    int n = 0;
    for (int i = 0; s[i]; i++) {
        if (s[i] == 'a')
            n++;
        else if (s[i] == 'b')
            n += 2;
    }
    if (list && list->next && list->next->value == n)
        n += 3;
    if (n == 7)
        return 1 / (n - 7);
    return a - b == 1001 && a > n ? n : -n;
}
"""


@dataclass(frozen=True)
class Searched:
    """What a search found, and how."""

    ending: Ending
    paths: frozenset[int]
    count: int
    edges: bytes
    bugs: frozenset[tuple[int, int]]
    runs: int
    left: int
    states: bytes
    forgotten: int


def built(tmp_path: Path) -> tuple[Program, BuildOptions]:
    """The program of all these searches."""
    source = tmp_path / "walk.c"
    source.write_text(SOURCE)
    asked = BuildOptions((source,), "walk", max_length=4, graph_depth=2)
    return front_end.build(asked, compiler.find(None)), asked


def search(tmp_path: Path, options: SearchOptions, on_progress: Report = silent) -> Searched:
    """One search; several workers take over as soon as there are four open branches for each."""
    program, asked = built(tmp_path)
    with Shared() as shared:
        configure(shared, program, asked, options)
        one = searched(replace(local_scene(shared, program, options), report=on_progress, alone_cost=0.0))
        reports = shared.published("reports")
        counts = one.counts or NodeCounts.of(shared, 2 * len(program.sites))
        return Searched(
            ending(one.kind, shared, program, options, one.counts),
            frozenset(new_paths(shared).tolist()),
            one.paths,
            shared.published("edge_seen").tobytes(),
            frozenset(zip(reports["outcome"].tolist(), reports["site"].tolist(), strict=True)),
            shared.counts.runs,
            counts.open_branches,
            counts.table[:, : State.ELSEWHERE].tobytes(),
            shared.control(Forgotten).forgotten_paths,
        )
