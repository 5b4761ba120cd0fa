"""A harness's module without the source that it includes, so that the source is a unit of its own.

    #include "cJSON.c"          ─►   declare ptr @cJSON_Parse(ptr)       the harness: small, made for each entry
    void veer_main(void) {...}       define void @veer_main() {...}      cJSON.c: made once for all entries

It works on the text of the module. Only an entry that other units can call can be apart: a static one needs its source.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from veer.instrument.definitions import definitions
from veer.instrument.lexer import unquoted

_NAME = r'@("[^"]+"|[\w.$-]+)'
_GLOBAL = re.compile(rf"^{_NAME} = ")
_DEFINE = re.compile(rf"^define ([^@\n]*?){_NAME}\(")
_REFERENCE = re.compile(rf"{_NAME}")
_HIDDEN = re.compile(r"\b(internal|private|weak|weak_odr|linkonce|linkonce_odr|available_externally|comdat|hidden)\b")
_PARAMETER_NAME = re.compile(r" %[\w.]+(?=[,)])")
_CONSTANT = re.compile(r" = (private|internal)\b[^\n]*\bconstant\b")


def apart(text: str, own: Collection[str], entry: str) -> str | None:
    """The module with the functions of `own` and what they refer to, the entry declared.

    None when that is impossible: `own` refers to something of the source but the entry, or the entry is not visible.
    """
    kept, functions, variables = _parts(text)
    if entry not in functions or _HIDDEN.search(_before_body(functions[entry]).partition("(")[0]):
        return None
    wanted, waiting = set(own) & set(functions), [*own]
    while waiting:
        body = functions.get(name := waiting.pop()) or variables.get(name, "")
        for found in _REFERENCE.findall(body):
            used = unquoted(found)
            if used in wanted or used == entry:
                continue
            if used in functions or (used in variables and not _CONSTANT.search(variables[used])):
                return None
            if used in variables:
                wanted.add(used)
                waiting.append(used)
    lines = [variables[name] for name in variables if name in wanted]
    lines += [functions[name] for name in functions if name in wanted]
    return "\n".join([*kept, *lines, _declared(functions[entry])]) + "\n"


def _parts(text: str) -> tuple[list[str], dict[str, str], dict[str, str]]:
    """Everything else, functions with a body by name, variables by name (LLVM's own lists and aliases are left out)."""
    kept: list[str] = []
    functions: dict[str, str] = {}
    variables: dict[str, str] = {}
    for defined, piece in definitions(text.splitlines(), _DEFINE):
        if defined is not None:
            functions[unquoted(defined[2])] = "\n".join(piece)
        elif found := _GLOBAL.match(piece[0]):
            variables[unquoted(found[1])] = piece[0]
        else:
            kept += piece
    return kept, functions, {name: line for name, line in variables.items() if not name.startswith("llvm.")}


def _before_body(function: str) -> str:
    return function.partition("\n")[0]


def _declared(function: str) -> str:
    """`define dso_local i32 @f(ptr noundef %0) #0 !dbg !7 {` → `declare i32 @f(ptr noundef)`."""
    head = _before_body(function)
    depth = 0
    for position in range(head.index("(", head.index("@")), len(head)):
        depth += {"(": 1, ")": -1}.get(head[position], 0)
        if depth == 0:
            break
    signature = head[: position + 1].replace("define dso_local ", "define ", 1).replace("define ", "declare ", 1)
    return _PARAMETER_NAME.sub("", signature)
