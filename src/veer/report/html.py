"""report.html: one file that holds everything, opens without a network, and is made again from DIR at any time."""

from __future__ import annotations

from markupsafe import Markup

from veer import __version__
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.report.blocks import merge_sentence, names, partition_sentence
from veer.report.drawing import coverage_svg
from veer.report.page import bars, bug_sections, bug_views, files, test_views
from veer.report.pathtree import path_tree_svg
from veer.report.protocol import Format
from veer.report.severities import counted
from veer.report.templating import template
from veer.report.unfolding import unfolding_tree
from veer.report.watched import events_sentence, watched_views
from veer.report.words import claim_sentence, ending_sentence, losses, number, operations_sentence

_MOST_BLOCKS = 1000
_MOST_NAMES = 64


def _blocks(result: Result) -> dict[str, object] | None:
    found = result.partition
    if found is None:
        return None
    return {
        "sentence": partition_sentence(found),
        "blocks": [(names(block.inputs, _MOST_NAMES), block.paths) for block in found.blocks[:_MOST_BLOCKS]],
        "left_out": max(0, len(found.blocks) - _MOST_BLOCKS),
        "merges": [merge_sentence(merge) for merge in found.merges[:_MOST_BLOCKS]],
        "is_checked": found.is_checked,
        "reruns": number(found.reruns, "run"),
    }


def render(result: Result) -> str:
    """The text of report.html."""
    total = result.coverage.branches.total if result.coverage.branches is not None else len(result.branches)
    return template("report.html").render(
        version=__version__,
        result=result,
        title=result.program.entry,
        entry=result.program.entry,
        ending=ending_sentence(result.ending),
        claim=claim_sentence(result),
        heading=", ".join(
            (
                number(result.paths, "path"),
                number(result.runs, "run"),
                counted(result.bugs),
            )
        ),
        bars=bars(result),
        files=files(result),
        bugs=bug_views(result),
        sections=bug_sections(result),
        tests=test_views(result),
        watched=watched_views(result),
        events={bug.id: events_sentence(result, bug) for bug in result.bugs},
        losses=losses(result.ledger),
        operations=operations_sentence(result.operations),
        blocks=_blocks(result),
        plot=Markup(coverage_svg(result.samples, total)),
        tree=Markup(unfolding_tree(result.tree)),
        drawn=Markup(path_tree_svg(result.tree, frozenset(each.key for each in Outcome if each.is_bug))),
        shown_nodes=len(result.tree),
        all_nodes=result.tree[0].below + 1 if result.tree else 0,
    )


REPORT = Format("report.html", render)
