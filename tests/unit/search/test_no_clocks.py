"""What a search decides hangs on no clock: the modules that read one, and what for (docs/decisions/0445)."""

from __future__ import annotations

import re
from pathlib import Path

import veer.search

READS = re.compile(r"\b(monotonic|monotonic_ns|perf_counter|perf_counter_ns|process_time|thread_time|time\.time)\b")
THE_BUDGET = {
    "budget.py", "explorer.py", "growing.py", "memory.py", "plain.py", "scene.py", "parallel/coordinator.py",
    "auto/search.py", "auto/trial.py",
    "partitioned/division.py", "partitioned/search.py", "compositional/search.py", "queries.py", "division.py",
}  # fmt: skip
"""When a search ends, how long it took; who of several workers does what, which changes nothing of what is found."""
TELLS = {"progress.py", "settings.py", "parallel/hands.py"}
"""When something was told, or seen first."""
FAR_AWAY = "cluster/"
"""Whether a node is silent, and when it commits."""


def test_a_search_reads_clocks_for_its_budget_alone() -> None:
    root = Path(veer.search.__file__).parent
    readers = {str(path.relative_to(root)) for path in root.rglob("*.py") if READS.search(path.read_text())}
    known = THE_BUDGET | TELLS
    assert {each for each in readers if not each.startswith(FAR_AWAY)} == known
    assert not READS.search((root / "hybrid.py").read_text() + (root / "batching.py").read_text())
