"""What LLVM's passes write otherwise than the instrumenter likes it, in the text of a module.

or disjoint   is a sum: an address that is a sum tells which object it starts from
select        is arithmetic on flags here, no decision of the machine's: a branch of it would be nobody's
sext (a + b)  as an address of 32 bits becomes sext a + sext b, for the same reason
"""

from __future__ import annotations

import re

_VALUE = r"(?:%[\w.]+|-?\d+|true|false|ptrtoint \(ptr @[\w.]+ to i\d+\))"
_DISJOINT = re.compile(r"= or disjoint ")
_SELECT = re.compile(
    rf"^  (%[\w.]+) = select i1 (%[\w.]+), (i\d+) ({_VALUE}), i\d+ ({_VALUE})(, !dbg !\d+)?(?:, !\S+ !\d+)*$",
    re.MULTILINE,
)
_WIDENED = re.compile(r"^  (%[\w.]+) = (?:sext|zext nneg) i32 (%[\w.]+) to i64(, !dbg !\d+)?$", re.MULTILINE)
_SUM = re.compile(
    r"^  (%[\w.]+) = add(?: nuw| nsw)* i32 (%[\w.]+|-?\d+), (%[\w.]+|-?\d+)(?:, !dbg !\d+)?$",
    re.MULTILINE,
)
_ADDRESS = re.compile(r"inttoptr i64 (%[\w.]+) to ptr")
_FUNCTION = re.compile(r"(?m)^(?=define )")
_MOST_ADDENDS = 8


def rewritten(text: str) -> str:
    """The module's text with all three."""
    text = _SELECT.sub(_arithmetic, _DISJOINT.sub("= add ", text))
    return "".join(_widened(part) for part in _FUNCTION.split(text))


def _arithmetic(matched: re.Match[str]) -> str:
    """select c, a, b  is  ((a ^ b) & sext c) ^ b."""
    name, condition, type_, one, other, place = matched.groups()
    place = place or ""
    numbers = {"true": "1", "false": "0"}
    one, other = numbers.get(one, one), numbers.get(other, other)
    lines, mask = [], condition
    if type_ != "i1":
        mask = f"{name}.mask"
        lines.append(f"  {mask} = sext i1 {condition} to {type_}{place}")
    lines += [
        f"  {name}.both = xor {type_} {one}, {other}{place}",
        f"  {name}.kept = and {type_} {name}.both, {mask}{place}",
        f"  {name} = xor {type_} {name}.kept, {other}{place}",
    ]
    return "\n".join(lines)


def _widened(function: str) -> str:
    """Addresses of 32 bits as sums of 64 bits:

        %a = add i32 %p, %i             %p.w = sext i32 %p to i64
        %w = sext i32 %a to i64    ─►   %w = add i64 %p.w, %i.w

    They differ only where the sum leaves the 32 bits: no object of the machine lies at either address (body.py).
    """
    sums = {matched[1]: (matched[2], matched[3]) for matched in _SUM.finditer(function)}
    addresses = set(_ADDRESS.findall(function))

    def wide(matched: re.Match[str]) -> str:
        name, narrow, place = matched[1], matched[2], matched[3] or ""
        if name not in addresses or narrow not in sums:
            return matched[0]
        return "\n".join(_wide_sum(name, _addends(narrow, sums), place))

    return _WIDENED.sub(wide, function)


def _addends(value: str, sums: dict[str, tuple[str, str]]) -> list[str]:
    found: list[str] = []
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if each in sums and len(waiting) + len(found) < _MOST_ADDENDS:
            waiting += reversed(sums[each])
        else:
            found.append(each)
    return found


def _wide_sum(name: str, addends: list[str], place: str) -> list[str]:
    """The sum of values of 32 bits as one of 64 bits, in lines."""
    lines, total = [], ""
    for number, each in enumerate(addends):
        value = each
        if each.startswith("%"):
            value = f"{name}.w{number}"
            lines.append(f"  {value} = sext i32 {each} to i64{place}")
        if not total:
            total = value
            continue
        result = name if number == len(addends) - 1 else f"{name}.s{number}"
        lines.append(f"  {result} = add i64 {total}, {value}{place}")
        total = result
    return lines
