"""What a module declares: the functions that its code calls and the variables that it names, and does not define."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAME = re.compile(r"@([\w.$-]+)")
_DEFINED = re.compile(r"^(?:define [^@]*)?@([\w.$-]+)(?: =|\()")
_CALLED = re.compile(r"\bcall ([\w]+) @([\w.$-]+)\(([^()]*)\)")
_TRAP = "llvm.ubsantrap"


def declared(lines: Iterable[str]) -> list[str]:
    """The declarations that these lines need. Calls have one signature for each function."""
    defined: set[str] = set()
    named: dict[str, None] = {}
    called: dict[str, str] = {}
    for line in lines:
        if (found := _DEFINED.match(line)) is not None:
            defined.add(found[1])
        for result, name, given in _CALLED.findall(line):
            types = ", ".join(each.split()[0] for each in given.split(", ") if each)
            called[name] = f"declare {result} @{name}({types})"
        named.update(dict.fromkeys(_NAME.findall(line)))
    called[_TRAP] = f"declare void @{_TRAP}(i8 immarg)"
    return [called.get(name, f"@{name} = external global i8") for name in named if name not in defined]
