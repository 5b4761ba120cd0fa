"""Indices that hang on a condition, in the text of LLVM IR before SROA.

SROA makes a select of two addresses, or of two loads, of an index that is an extended i1 or a select itself; and each
select is a branch of the source to whoever comes later. What has one step more is left alone:

    %9 = zext i1 %8 to i64                       %veer.index.0 = zext i1 %8 to i8
    %10 = getelementptr ..., i64 %9       ->     %9 = zext i8 %veer.index.0 to i64

    %9 = select i1 %8, i64 1, i64 2       ->     %veer.index.0 = select i1 %8, i64 1, i64 2
    %10 = getelementptr ..., i64 %9              %9 = add i64 %veer.index.0, 0
"""

from __future__ import annotations

import re

_FUNCTION = re.compile(r"(?m)^(?=define )")
_ADDRESS = re.compile(r" = getelementptr .*")
_INDEX = re.compile(r"\bi\d+ (%[-\w.$]+)")
_CONDITIONAL = re.compile(
    r"^  (?P<name>%[-\w.$]+) = (?:(?P<extend>zext|sext) (?:nneg )?i1 (?P<bit>\S+) to (?P<to>i(?:16|32|64))"
    r"|select i1 (?P<choice>[^,]+, (?P<type>i\d+) [^,]+, i\d+ [^,\s]+))(?P<rest>.*)$",
    re.MULTILINE,
)


def with_plain_indices(ir: str) -> str:
    """The text with one step more between such a value and the addresses that it is an index of."""
    return "".join(_rewritten(part) for part in _FUNCTION.split(ir))


def _rewritten(function: str) -> str:
    found = [*_CONDITIONAL.finditer(function)]
    indices = {name for address in _ADDRESS.findall(function) for name in _INDEX.findall(address)} if found else set()
    text, end = [], 0
    for number, each in enumerate(value for value in found if value["name"] in indices):
        text += [function[end : each.start()], _in_steps(each, f"%veer.index.{number}")]
        end = each.end()
    return "".join([*text, function[end:]])


def _in_steps(value: re.Match[str], first: str) -> str:
    name, rest = value["name"], value["rest"]
    if value["extend"]:
        extend = value["extend"]
        return (
            f"  {first} = {extend} i1 {value['bit']} to i8{rest}\n  {name} = {extend} i8 {first} to {value['to']}{rest}"
        )
    return f"  {first} = select i1 {value['choice']}{rest}\n  {name} = add {value['type']} {first}, 0{rest}"
