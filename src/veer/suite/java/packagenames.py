"""Classes of the suite's own package, by their simple names.

units.Stack self = new units.Stack(2);        Stack self = new Stack(2);
field(self, "units.Stack", "size")            stays: a name within a text is asked for at run time
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

_OWN = frozenset(("Call",))
"""Types that suites declare themselves."""
_TEXT = r'"(?:\\.|[^"\\])*"' + r"|'(?:\\u[0-9a-fA-F]{4}|\\[0-7]{1,3}|\\.|[^'\\])'"
"""A string, or a character, which may be a quotation mark."""


def within_package(text: str, package: str, imported: Iterable[str] = ()) -> str:
    """The code, as a class of the package has it. `imported`: what the suite imports, by full names."""
    if not package or f"{package}." not in text:
        return text
    others = _OWN | {each.rpartition(".")[2] for each in imported}
    return _pattern(package).sub(lambda found: _simple(found, others), text)


@cache
def _pattern(package: str) -> re.Pattern[str]:
    return re.compile(rf"{_TEXT}|(?<![\w.]){re.escape(package)}\.([A-Za-z_$][\w$]*)(?![\w$])")


def _simple(found: re.Match[str], others: frozenset[str]) -> str:
    name = found[1]
    return name if name and name[:1].isupper() and name not in others else found[0]
