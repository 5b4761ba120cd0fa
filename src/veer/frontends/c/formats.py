"""Formats that are no literals: `printf(text)` takes arguments that nobody gave, where the text has a conversion.

printf(text);               is a bug with "%d" in the text
printf(text, number);       with two conversions
printf("%s", text);         is none, whatever the text is

The library's functions cannot count what they are given. So a call of veer's own library comes before each such call
(runtime/libc/checked_calls.h), which counts the conversions. Whether an argument has the type that its conversion takes
is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from veer.frontends.c.librarycalls import defined_function, library_call

CHECK = "veer_format_takes"
FORMAT_PLACES: Mapping[str, int] = {
    **dict.fromkeys(("printf", "warn", "warnx"), 0),
    **dict.fromkeys(("fprintf", "dprintf", "sprintf", "asprintf", "syslog", "err", "errx"), 1),
    **dict.fromkeys(("snprintf",), 2),
}
"""Function of the library → the place of its format, behind which its arguments come."""
_LIST_PLACES: Mapping[str, int] = {
    "vprintf": 0,
    **dict.fromkeys(("vfprintf", "vdprintf", "vsprintf", "vasprintf", "vsyslog"), 1),
    "vsnprintf": 2,
}
"""The same, of those that are given a list of arguments: nobody knows here how many it has."""
_PLACES = {**FORMAT_PLACES, **_LIST_PLACES}
_VARIABLE = re.compile(r"ptr (?:\w+(?:\(\d+\))? )*(%[\w.$-]+)")


def with_formats(ir: str, defined: Collection[str], unchecked: Collection[str]) -> str:
    """The text with a check before each call whose format is no literal.

    `defined`: functions of the program, which are not the library's. `unchecked`: those in which nothing is checked.
    """
    names = _PLACES.keys() - {*defined, *unchecked}
    if not any(f"@{name}(" in ir for name in names):
        return ir
    lines, is_checked, is_declared = [], True, False
    for line in ir.split("\n"):
        if begun := defined_function(line):
            is_checked = begun not in unchecked
        elif is_checked and (check := _check(line, names)):
            lines.append(check)
            is_declared = True
        lines.append(line)
    if is_declared:
        lines.append(f"declare void @{CHECK}(ptr, i64)\n")
    return "\n".join(lines)


def _check(line: str, names: Collection[str]) -> str:
    """The call that comes before this one; "" for none."""
    called = library_call(line, names)
    if called is None:
        return ""
    place = _PLACES[called.function]
    text = _VARIABLE.fullmatch(called.arguments[place]) if place < len(called.arguments) else None
    given = -1 if called.function in _LIST_PLACES else len(called.arguments) - place - 1
    return f"  call void @{CHECK}(ptr {text[1]}, i64 {given}){called.location}" if text is not None else ""
