"""What the product of a whole project says, so that those of two runs can be compared."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

_TIMES = frozenset(("seconds", "samples", "id", "covers", "path", "run", "started"))
"""Fields that differ from run to run: times, and the numbers that a result gives branches, runs and paths."""
_OWN = frozenset(("result.json", "last.json", ".veer"))


def shown(out: Path) -> dict[str, object]:
    """What the product says, without times and the numbers that results give branches, runs and sites."""
    found: dict[str, object] = {}
    for file in sorted(out.rglob("*")):
        name = str(file.relative_to(out))
        if not file.is_file() or file.name in _OWN or "campaign" in name:
            continue
        text = file.read_text().replace(out.name, "product")
        found[name] = without_times(json.loads(text)) if file.suffix == ".json" else plain(text)
    return found


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if key not in _TIMES}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def plain(text: str) -> str:
    """A report without times."""
    text = re.sub(r'<svg class="plot".*?</svg>', "", text)
    return re.sub(r'\b\d+(\.\d+)? ?(s|ms|seconds)\b|\b(time|timestamp|started)="[^"]*"', "TIME", text)
