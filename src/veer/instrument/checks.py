"""The compiler's checks in the text of LLVM IR: branches to blocks that do nothing but trap.

%4 = icmp ule i32 %3, 31, !nosanitize !9                     before
br i1 %4, label %6, label %5, !prof !8, !nosanitize !9

br label %6                                                  without the check
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

_TRAP = "@llvm.ubsantrap("
_TRAP_BLOCK = re.compile(r"^([\w.$-]+):[^\n]*\n  call void @llvm\.ubsantrap\(i8 (\d+)\)", re.MULTILINE)
_CHECK = re.compile(r"  br i1 (\S+), label %(\S+), label %(\S+?),.* !nosanitize ")
_NAME = re.compile(r"define [^@\n]*@\"?([\w.$]+)")
_DIVISION = 3
"""UBSan's number of its checks of divisors, those of floating-point numbers included."""
_ARRAY_LENGTH = 24
"""UBSan's number of its checks of the lengths of arrays."""
_WIDE_PRODUCT = re.compile(
    r"  (%\S+) = call \{ i128, i1 \} @llvm\.smul\.with\.overflow\.i128\(i128 (\S+), i128 (\S+)\).* !nosanitize .*\n"
    r"  %\S+ = extractvalue \{ i128, i1 \} \1, 0.*\n"
    r"  %\S+ = extractvalue \{ i128, i1 \} \1, 1.*"
)
_SUM = re.compile(
    r"  (?P<pair>%\S+) = call (?P<type>\{ i\d+, i1 \}) @llvm\.s(?P<sum>add|sub|mul)\.with\.overflow\.\w+"
    r"\((?P<left>[^,]+), i\d+ (?P<right>[^)]+)\).* !nosanitize .*\n"
    r"  (?P<value>%\S+) = extractvalue (?P=type) (?P=pair), 0.*"
)
_ENDS_OF_BLOCKS = ("  br ", "  unreachable")
_CONSTANTS = ("true", "false", "poison", "undef")


def without_checks(ir: str, functions: Collection[str] | None = None) -> str:
    """The text, or these functions of it, as the compiler would have written them without checks."""
    if _TRAP not in ir or (functions is not None and not functions):
        return ir
    return _without(ir, lambda kind, condition, before, line: True, functions)


def to_be_read(ir: str) -> str:
    """The text for whoever asks what the source does: sums are sums, and what only checks compute is left out.

    %4 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %3, i32 1), !nosanitize !9     ->     %5 = add i32 %3, 1
    %5 = extractvalue { i32, i1 } %4, 0, !nosanitize !9
    """
    if _TRAP not in ir:
        return ir
    sums = _SUM.sub(r"  \g<value> = \g<sum> \g<left>, \g<right>", without_checks(ir))
    return "\n".join(line for line in sums.split("\n") if "!nosanitize" not in line or line.startswith(_ENDS_OF_BLOCKS))


def without_other_means(ir: str) -> str:
    """The text without checks that veer makes otherwise, or not at all.

    Integer divisors are its own oracle's, which tells a zero from a quotient that overflows; where the check fails
    whenever it is met, it stays, for the compiler has folded its division away. Overflow of 128-bit products has no
    symbolic meaning: the product is computed without. The brackets of a parameter, `int a[n]`, are evaluated before the
    first line: `n` is 0 in many a call, no array is made, and gcc checks nothing there.
    """
    if _TRAP not in ir:
        return ir
    return _without_wide_products(_without(ir, _is_other))


def _without_wide_products(ir: str) -> str:
    """As many instructions as before: values without names are numbered by the parser."""
    for product in reversed([*_WIDE_PRODUCT.finditer(ir)]):
        name, left, right = product.groups()
        parts = product[0].split("\n")
        plain = [
            f"  {name} = mul i128 {left}, {right}{_metadata(parts[0])}",
            f"  {parts[1].split()[0]} = add i128 {name}, 0{_metadata(parts[1])}",
            f"  {parts[2].split()[0]} = and i1 false, false{_metadata(parts[2])}",
        ]
        ir = ir[: product.start()] + "\n".join(plain) + ir[product.end() :]
    return ir


def _metadata(line: str) -> str:
    return line[line.find(", !") :] if ", !" in line else ""


def _is_other(kind: int, condition: str, before: str, line: str) -> bool:
    if kind == _ARRAY_LENGTH:
        return "!dbg" not in line
    return kind == _DIVISION and condition not in _CONSTANTS and " = fcmp " not in before


_Drops = Callable[[int, str, str, str], bool]
"""Of a check: its kind, its condition, the line before it, its own line."""


def _without(ir: str, drops: _Drops, functions: Collection[str] | None = None) -> str:
    """The text with a plain branch in the place of each check that never fails, or that is dropped."""
    texts = []
    for text in re.split(r"(?m)^(?=define )", ir):
        name = _NAME.match(text)
        is_meant = functions is None or (name is not None and name[1] in functions)
        traps = {found[1]: int(found[2]) for found in _TRAP_BLOCK.finditer(text)} if is_meant and _TRAP in text else {}
        texts.append(_rewritten(text, traps, drops) if traps else text)
    return "".join(texts)


def _rewritten(function: str, traps: dict[str, int], drops: _Drops) -> str:
    lines = function.split("\n")
    for number, line in enumerate(lines):
        check = _CHECK.match(line)
        if check is None:
            continue
        first, second = check[2], check[3]
        bad, good, never = (first, second, "false") if first in traps else (second, first, "true")
        if bad in traps and (check[1] == never or drops(traps[bad], check[1], lines[number - 1], line)):
            lines[number] = f"  br label %{good}{line[check.end(3) :].partition(', !prof')[0]}"
    return "\n".join(lines)
