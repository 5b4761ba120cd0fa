"""Local variables that are read before they are written, made visible before SROA makes them `undef`.

%r = alloca i32                    %r = alloca i32
                           ->      %veer.unwritten.0 = load i32, ptr @veer_unwritten_memory
                                   store i32 %veer.unwritten.0, ptr %r

%p = alloca %struct.pair   ->      %p = alloca %struct.pair
                                   call void @llvm.memcpy(ptr %p, ptr @veer_unwritten_memory, i64 8, i1 false)

SROA makes values of the variables, and of a copy a load for each part: what was not written on some path is that load
there. That memory is 0, and its words say that nobody has written it (runtime/tracer/uninitialised.c). Variables that
stay in memory need none of this: their frame says so, and their copies are dropped.
"""

from __future__ import annotations

import re
from collections import Counter

from veer.instrument.typelayout import Layout, UnknownTypeError

SYMBOL = "veer_unwritten_memory"
MOST_BYTES = 256
"""Of that memory; variables that are larger are seen when they stay in memory."""
_DECLARATION = f"@{SYMBOL} = external dso_local global [{MOST_BYTES} x i8], align 16"
_COPY = "@llvm.memcpy.p0.p0.i64"
_COPY_DECLARATION = f"declare void {_COPY}(ptr, ptr, i64, i1)"
_FUNCTION = re.compile(r"^define .*?^}", re.MULTILINE | re.DOTALL)
_TYPE = re.compile(r'^(%(?:[-\w.$]+|"[^"]*")) = type (.*)', re.MULTILINE)
_SCALAR = re.compile(r"^  (%[-\w.$]+) = alloca (i1|i8|i16|i32|i64|ptr|float|double), align \d+", re.MULTILINE)
_AGGREGATE = re.compile(r'^  (%[-\w.$]+) = alloca ([%\[{<](?:"[^"]*"|[^"\n])*?), align \d+', re.MULTILINE)
_NAME = re.compile(r"%[-\w.$]+")
_LOAD = re.compile(r"  %[-\w.$]+ = load [^,]+, ptr (%[-\w.$]+),")
_STORE = re.compile(r"  store (?:volatile )?\S+ (\S+), ptr (%[-\w.$]+),")
_PASSED_OVER = re.compile(r"\S|\s*#dbg|  %[-\w.$]+ = alloca |\s*$")
_ENDS_BLOCK = re.compile(r"  (?:%[-\w.$]+ = )?(?:br|switch|indirectbr|ret|unreachable|invoke)\b")
_COPIED = re.compile(rf"^  call void {re.escape(_COPY)}\([^\n]*@{SYMBOL}[,) ][^\n]*\n", re.MULTILINE)
_DEFINED = re.compile(r"  (%[-\w.$]+) = (\w+) ")
_PURE = frozenset(("trunc", "lshr", "shl", "and", "or", "zext", "bitcast", "inttoptr"))


def show_unwritten(text: str) -> str:
    """The module with a first value for each variable that SROA will promote and that may be read before it is set."""
    layout = Layout({found[1]: found[2] for found in _TYPE.finditer(text)})
    shown = _FUNCTION.sub(lambda found: _shown_aggregates(_shown_scalars(found[0]), layout), text)
    if shown == text:
        return text
    declarations = [_DECLARATION] if _COPY in text else [_DECLARATION, _COPY_DECLARATION]
    return "\n".join([shown, *declarations, ""])


def drop_unused(text: str) -> str:
    """The module, after SROA, without the first values that nobody looks at."""
    return _FUNCTION.sub(lambda found: _without_unused(found[0]), text)


def _shown_scalars(function: str) -> str:
    variables = list(_SCALAR.finditer(function))
    wanted = _read_before_set(function, {found[1] for found in variables})
    pieces, at = [], 0
    for number, found in enumerate(variables):
        name, type_ = found[1], found[2]
        if name not in wanted:
            continue
        end = function.index("\n", found.end()) + 1
        value = f"%veer.unwritten.{number}"
        pieces += [
            function[at:end],
            f"  {value} = load {type_}, ptr @{SYMBOL}, align 1\n",
            f"  store {type_} {value}, ptr {name}, align 1\n",
        ]
        at = end
    return "".join([*pieces, function[at:]])


def _shown_aggregates(function: str, layout: Layout) -> str:
    def with_copy(found: re.Match[str]) -> str:
        size = _size(layout, found[2])
        target, source = f"ptr align 1 {found[1]}", f"ptr align 1 @{SYMBOL}"
        end = f"\n  call void {_COPY}({target}, {source}, i64 {size}, i1 false)"
        return found[0] + (end if 0 < size <= MOST_BYTES else "")

    return _AGGREGATE.sub(with_copy, function)


def _size(layout: Layout, type_: str) -> int:
    """In bytes, 0 where it is not known (of `T, i64 %count`, too)."""
    try:
        return layout.size(type_)
    except (UnknownTypeError, ValueError):
        return 0


def _read_before_set(function: str, variables: set[str]) -> set[str]:
    """The variables that SROA may promote (they are loaded, stored to, or another variable gets their address), but for
    those that the first block stores to before anything else, and for the result of a function that returns none:
    K&R's `f(n) { ... }`, of which no caller uses what it returns."""
    declared = {name for line in function.splitlines() if "#dbg_declare(" in line for name in _NAME.findall(line)}
    wanted: set[str] = set()
    stored: set[str] = set()
    settled: set[str] = set()
    in_first_block = True
    for line in function.splitlines()[1:]:
        if _PASSED_OVER.match(line):
            continue
        store, load = _STORE.match(line), _LOAD.match(line)
        used = variables.intersection(_NAME.findall(line))
        if store is not None and in_first_block and store[2] not in wanted:
            settled.add(store[2])
        allowed = set(store.groups()) if store is not None else {load[1]} if load is not None else set()
        if store is not None and store[2] not in variables:
            allowed.discard(store[1])
        variables = variables - (used - allowed)
        wanted |= (used & allowed) - settled
        if store is not None:
            stored.add(store[2])
        in_first_block = in_first_block and not _ENDS_BLOCK.match(line)
    return wanted & variables & (declared | stored)


def _without_unused(function: str) -> str:
    """Without the copies to variables that stayed in memory, and without what was made of first values for nobody."""
    if SYMBOL not in function:
        return function
    lines = _COPIED.sub("", function).split("\n")
    uses = Counter(name for line in lines if not line.startswith("    #dbg_") for name in _NAME.findall(line))
    made = _made_of_first_values(lines)
    gone: set[str] = set()
    while unused := {name: line for name, line in made.items() if uses[name] == 1}:
        uses.subtract(name for line in unused.values() for name in _NAME.findall(line))
        gone.update(unused)
        made = {name: line for name, line in made.items() if name not in unused}
    return "\n".join(line for line in lines if not _is_about(line, gone))


def _made_of_first_values(lines: list[str]) -> dict[str, str]:
    """What may go when nobody uses it, with its line: first values, what is computed with them, room for variables."""
    made: dict[str, str] = {}
    for line in lines:
        found = _DEFINED.match(line)
        if found is None:
            continue
        is_first = found[2] == "load" and f"@{SYMBOL}" in line
        is_computed = found[2] in _PURE and not made.keys().isdisjoint(_NAME.findall(line))
        if is_first or is_computed or found[2] == "alloca":
            made[found[1]] = line
    return made


def _is_about(line: str, gone: set[str]) -> bool:
    """Whether the line makes one of these values, or tells the debugger of one."""
    found = _DEFINED.match(line)
    is_told = line.startswith("    #dbg_") and not gone.isdisjoint(_NAME.findall(line))
    return is_told or (found is not None and found[1] in gone)
