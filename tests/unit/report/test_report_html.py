"""report.html: every section, nothing from the network, nothing of the user's text taken for HTML; `veer report`."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from output_samples import result
from report_samples import FILE, HOSTILE, full

from veer.campaign.deliver import report_format, report_names
from veer.cli.app import main
from veer.model.coverage import Sample
from veer.model.graph import GraphField, GraphNode, memory_graph
from veer.model.tree import TreeNode
from veer.report import html
from veer.report.drawing import coverage_svg, memory_graph_svg
from veer.report.templating import prose
from veer.report.unfolding import unfolding_tree
from veer.store import writer

VOID = frozenset(["meta", "link", "br", "hr", "img", "input"])
SECTIONS = ("bugs", "coverage", "source", "tests", "course", "tree", "ledger")


class Outline(HTMLParser):
    """Ids, links, and whether tags are balanced."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.scripts = 0
        self._open: list[str] = []
        self.feed(text)
        assert not self._open, self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.links += [value for key, value in attrs if key in ("href", "src") and value]
        self.scripts += tag == "script"
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Elements of SVG that are closed at once."""

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, self.getpos()


def test_everything_is_there_and_every_link_leads_somewhere() -> None:
    text = html.render(full())
    outline = Outline(text)
    assert set(SECTIONS) <= set(outline.ids)
    assert len(outline.ids) == len(set(outline.ids))
    assert {link[1:] for link in outline.links if link.startswith("#")} <= set(outline.ids)
    assert [link for link in outline.links if not link.startswith("#")] == ["data:,"]
    assert not re.search(r"https?://", text)
    for wanted in ("6 paths", "every feasible path was run", "symbolic data went into hash()", "abort() was called"):
        assert wanted in text
    assert text.count('class="graph"') == 4  # of test 3, 4, 5 and of the bug
    assert "not run: no test enters twice_plus_one" in text


def test_text_of_the_user_stays_text() -> None:
    text = html.render(full())
    assert Outline(text).scripts == 1
    assert HOSTILE not in text and "&lt;/script&gt;&lt;b&gt;&amp;" in text


def test_a_result_without_measurements() -> None:
    sample = result(bugs=(), tests=(), branches=())
    text = html.render(sample)
    Outline(text)
    for said in ("None was found.", "It was over too soon to draw.", "It was not kept.", "Nowhere."):
        assert said in text


def test_a_deep_tree_is_cut_and_a_wide_one_is_not() -> None:
    deep = [TreeNode(-1, "root", "taken", "f", "", below=1998)]
    deep += [TreeNode(index, "branch", "taken", "x", "true", below=1997 - index) for index in range(1998)]
    assert unfolding_tree(deep).count("<details") == 80
    Outline(unfolding_tree(deep))
    wide = [
        TreeNode(-1, "root", "taken", "f", "", below=3),
        *(TreeNode(0, "branch", "open", "x", "true") for _ in "abc"),
    ]
    assert unfolding_tree(wide).count("<li>") == 4 and "3 nodes below" in unfolding_tree(wide)
    assert unfolding_tree(()) == ""


def test_graphs_with_cycles_and_what_nothing_points_to() -> None:
    nodes = (
        GraphNode("p", "struct cell *", True, (GraphField("", "&a", "a"),)),
        GraphNode("a", "struct cell", False, (GraphField(".next", "&b", "b"), GraphField(".self", "&a", "a"))),
        GraphNode("b", "struct cell", False, (GraphField(".next", "&a", "a"), GraphField(".gone", "&c", "c"))),
        GraphNode("lonely", "", False, (GraphField("", '"x"'),)),
    )
    drawn = memory_graph_svg(nodes, 'a "label"')
    assert drawn.count("<rect") == 4 and drawn.count('class="arrow"') == 4
    Outline(drawn)
    assert memory_graph_svg((), "") == ""


def test_a_graph_follows_the_inputs() -> None:
    sample = result()
    shown = memory_graph(sample.program, sample.tests[4].inputs)
    assert [(node.name, node.is_root) for node in shown] == [("p", True), ("cell_1", False)]
    assert shown[1].fields == (GraphField(".v", "3"), GraphField(".next", "&cell_1", "cell_1"))


def test_the_ticks_of_a_short_search_differ() -> None:
    samples = (Sample(0.43, 1, 2), Sample(0.4312, 9, 10))
    ticks = re.findall(r">([\d.]+) s</text>", coverage_svg(samples, 10))
    assert ticks == ["0.000", "0.216", "0.431"]


def test_a_plot_stays_within_its_frame() -> None:
    drawn = coverage_svg((Sample(1.0, 1, 0), Sample(1.0, 2, 3), Sample(9.0, 3, 8)), 8)
    numbers = [float(number) for number in re.findall(r"[HV](-?[\d.]+)", drawn)]
    assert numbers and all(0 <= number <= 640 for number in numbers)
    assert coverage_svg((Sample(1.0, 1, 0),), 8) == "" and coverage_svg((), 0) == ""


def test_reports_are_made_again_from_the_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = full()
    writer.write(sample, tmp_path)
    arguments = [part for name in report_names() for part in ("--format", name)]
    assert main(["report", str(tmp_path), *arguments]) == 0
    for name in report_names():
        made = report_format(name)
        assert (tmp_path / made.file).read_text() == made.render(sample), name
    said = capsys.readouterr().out
    assert "::notice title=veer%3A testme::" in said and f"html: {tmp_path}/report.html" in said
    assert FILE in (tmp_path / "report.html").read_text()


def test_wrong_calls_of_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(tmp_path)]) == 2
    assert "holds no result.json" in capsys.readouterr().err
    assert main(["report", str(tmp_path), "--format", "pdf"]) == 2
    assert "there is no such format; known are baseline, cobertura, dot, flow, github, html" in capsys.readouterr().err


def test_what_stands_between_backticks_is_code_and_still_escaped() -> None:
    assert prose("it needs `p->next` < 3") == "it needs <code>p-&gt;next</code> &lt; 3"
    assert prose("`<b>` and a ` alone") == "<code>&lt;b&gt;</code> and a ` alone"
