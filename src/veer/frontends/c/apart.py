"""A harness's module without the source that it includes, so that the source is a unit of its own.

    #include "cJSON.c"          ─►   declare ptr @cJSON_Parse(ptr)       the harness: small, made for each entry
    void veer_main(void) {...}       define void @veer_main() {...}      cJSON.c: made once for all entries

It works on the text of modules. What is static has a second name in its source's module, a handle, by which the harness
has it: for other code nothing changes.

    @count = internal global i32 0      ─►   the same, and   @veer.static.1f0c….count = hidden alias i32, ptr @count
    define internal i32 @f(i32 %0) {    ─►   the same, and   @veer.static.1f0c….f = hidden alias void (), ptr @f
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from veer.instrument.convention import HANDLE
from veer.instrument.definitions import definitions
from veer.instrument.lexer import global_name, type_end, unquoted
from veer.toolchain.cache import digest

_NAME = r'@("[^"]+"|[\w.$-]+)'
_GLOBAL = re.compile(rf"^{_NAME} = ")
_DEFINE = re.compile(rf"^define ([^@\n]*?){_NAME}\(")
_REFERENCE = re.compile(rf"{_NAME}")
_HIDDEN = re.compile(r"\b(private|weak|weak_odr|linkonce|linkonce_odr|available_externally|comdat|hidden)\b")
_PARAMETER_NAME = re.compile(r" %[\w.]+(?=[,)])")
_CONSTANT = re.compile(r" = (private|internal)\b[^\n]*\bconstant\b")
_VARIABLE = re.compile(
    rf"^{_NAME} = ((?:(?:internal|common|dso_local|unnamed_addr|local_unnamed_addr) )*)(global|constant) "
)
_IDENTIFIER = re.compile(r"\w+")


def with_handles(text: str, source: Path) -> str:
    """The module of a source with a handle for each static function and variable of the user's."""
    _, functions, variables = _parts(text)
    lines = [
        f"{global_name(handle(name, source))} = hidden alias void (), ptr {global_name(name)}"
        for name, body in functions.items()
        if _is_internal(body) and _IDENTIFIER.fullmatch(name)
    ]
    for name, line in variables.items():
        found = _VARIABLE.match(line)
        if found and found[3] == "global" and _is_internal(line) and _IDENTIFIER.fullmatch(name):
            shape = line[found.end() : type_end(line, found.end())]
            lines.append(f"{global_name(handle(name, source))} = hidden alias {shape}, ptr {global_name(name)}")
    return "\n".join([text.rstrip("\n"), *lines]) + "\n"


def apart(
    text: str, own: Collection[str], source: Path, shared: Collection[str], *, copies: bool = False
) -> str | None:
    """The module with the functions of `own` and what they refer to, what is the source's declared.

    `shared`: what the source's module defines; a static that only the harness refers to is not in it. None when `own`
    refers to something else of the source, or to something that other units cannot name. `copies`: what the source's
    module does not define stays in this one, where nobody else has it.
    """
    kept, functions, variables = _parts(text)
    wanted, waiting = set(own) & set(functions), [*own]
    declared: dict[str, str] = {}
    while waiting:
        body = functions.get(name := waiting.pop()) or variables.get(name, "")
        for used in map(unquoted, _REFERENCE.findall(body)):
            if used in wanted or used in declared:
                continue
            is_own = copies and used not in shared and (used in functions or used in variables)
            is_own |= used in variables and used.partition(".")[0] in own  # a static variable within a function
            if is_own or (used in variables and _CONSTANT.search(variables[used])):
                wanted.add(used)
                waiting.append(used)
            elif used in functions or used in variables:
                if used not in shared:
                    return None
                line = _declared(functions[used]) if used in functions else _external(variables[used])
                if line is None:
                    return None
                declared[used] = line
    handles = {
        name: global_name(handle(name, source))
        for name in declared
        if _is_internal(functions.get(name) or variables[name])
    }
    lines = [variables[name] for name in variables if name in wanted]
    lines += [functions[name] for name in functions if name in wanted]
    return "\n".join([*kept, *_renamed([*lines, *declared.values()], handles)]) + "\n"


def handle(name: str, source: Path) -> str:
    """The symbol of a static function or variable of that source."""
    return f"{HANDLE}{digest(str(source))[:8]}.{name}"


def _renamed(lines: list[str], handles: Mapping[str, str]) -> Iterator[str]:
    for line in lines:
        yield _REFERENCE.sub(lambda found: handles.get(unquoted(found[1]), found[0]), line)


def _is_internal(text: str) -> bool:
    """Of a function's or a variable's text."""
    head = _before_body(text)
    return head.startswith("define internal ") or " = internal " in head[: head.find(" global ") + 1]


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


def _external(line: str) -> str | None:
    """`@x = internal global i32 5, align 4` → `@x = external global i32, align 4`; None where that is not all of it."""
    found = _VARIABLE.match(line)
    if found is None:
        return None
    alignment = re.search(r", align \d+", line)
    shape = line[found.end() : type_end(line, found.end())]
    return f"@{found[1]} = external {found[3]} {shape}{alignment[0] if alignment else ''}"


def _declared(function: str) -> str | None:
    """`define internal i32 @f(ptr noundef %0) #0 !dbg !7 {` → `declare i32 @f(ptr noundef)`; None: it is hidden."""
    head = _before_body(function)
    start = head.index("(", head.index("@"))
    if _HIDDEN.search(head[:start]):
        return None
    depth = 0
    for position in range(start, len(head)):
        depth += {"(": 1, ")": -1}.get(head[position], 0)
        if depth == 0:
            break
    linkage = re.compile(r"^define (?:internal )?(?:dso_local )?")
    return _PARAMETER_NAME.sub("", linkage.sub("declare ", head[: position + 1]))
