"""Writes `keywords.py`, the keywords of `veer.test`, from the options: `python -m veer.campaign.write_keywords > …`.

They are written down because a type checker reads them: `veer.test(..., bugdet=5)` is told while it is typed.
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.model.option import Kind, Option
from veer.model.options import BUILD, SEARCH

_TYPES = {
    Kind.SWITCH: "bool",
    Kind.NUMBER: "int",
    Kind.TIME: "str | float",
    Kind.TEXT: "str",
    Kind.FILE: "str | Path",
    Kind.TEXTS: "str | Sequence[str]",
    Kind.NAMES: "str | Sequence[str]",
    Kind.BOUND: "int | str | Sequence[int | str]",
}


def text() -> str:
    """The text of keywords.py."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield '"""Generated from src/veer/model/options.py by `python -m veer.campaign.write_keywords`; do not edit."""'
    yield "\nfrom __future__ import annotations\n"
    yield "from collections.abc import Sequence\nfrom pathlib import Path\nfrom typing import TypedDict\n\n"
    yield "class Options(TypedDict, total=False):"
    yield '    """The options of `veer test`, as `veer test --help` explains them; `-I` is include, `-D` define.\n'
    yield '    Times are seconds, or texts like "500ms", "60s", "2m". What may be given again is a sequence.\n    """\n'
    for option in (*SEARCH, *BUILD):
        yield f"    {option.name}: {_type(option)}"


def _type(option: Option) -> str:
    return _TYPES[option.kind] + (
        " | None" if option.default is None and option.kind in (Kind.NUMBER, Kind.TEXT) else ""
    )


if __name__ == "__main__":
    print(text(), end="")
