"""The decision records: each has a number of its own and stands in the index, and what is superseded says by what."""

from __future__ import annotations

import re
from pathlib import Path

DECISIONS = Path(__file__).resolve().parents[3] / "docs" / "decisions"
RECORDS = sorted(DECISIONS.glob("[0-9]*.md"))
ROW = re.compile(r"\| \[(\d{4})\]\(([^)]+)\) \| (.+) \| (.*) \|")


def rows() -> dict[str, tuple[str, str, str]]:
    """Number → file, title, status, as the index has them."""
    found = [ROW.fullmatch(line.strip()) for line in (DECISIONS / "README.md").read_text().splitlines()]
    return {row[1]: (row[2], row[3], row[4].strip()) for row in found if row is not None}


def test_every_record_stands_in_the_index_with_its_title() -> None:
    titles = {path.name[:4]: (path.name, path.read_text().splitlines()[0]) for path in RECORDS}
    assert len(titles) == len(RECORDS), "two records have one number"
    assert {number: (file, f"# {number} {title}") for number, (file, title, _) in rows().items()} == titles


def test_what_is_superseded_says_so_in_its_first_lines() -> None:
    for number, (file, _, status) in rows().items():
        head = "\n".join((DECISIONS / file).read_text().splitlines()[:6])
        assert bool(status) == ("uperseded" in head), number
        if status:
            by = status.split()[-1]
            assert by in head, f"{number} does not name {by}"


def test_sources_refer_to_files_of_the_repository_alone() -> None:
    root = DECISIONS.parents[1]
    files = [
        path
        for part in ("src", "docs")
        for path in (root / part).rglob("*")
        if path.suffix in {".py", ".c", ".h", ".md"}
    ]
    for path in files:
        for line in path.read_text().splitlines():
            named = re.search(r"house\.md|\bfacts/|shared/(?:cases|papers)|(?<!docs/)\bdesign\.md", line)
            assert named is None or "docs/design.md" in line, f"{path.relative_to(root)}: {line}"
