"""Lengths by C's customs: which parameter, by its name and place, says how many elements a pointer leads to.

char *buffer, size_t length          beside it
int *a, const int *b, int n          of both
int n, int a[]                       before it, if it has brackets
dst, src, compressedSize, dstCapacity    by its name, or in rows (frontends/llvm/lengths.py)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from veer.frontends.c.extents import is_character
from veer.frontends.c.flexible import LENGTH_NAME
from veer.frontends.c.parameterkinds import (
    comes_in_numbers,
    has_extent,
    is_bytes,
    is_integer,
    leads_to_strings,
    target,
)
from veer.frontends.llvm.debuginfo import DebugFunction, DebugInfo, DebugParameter
from veer.frontends.llvm.lengths import BUFFER, BYTES, LENGTH, OTHER, is_size, lengths

ARGUMENT_COUNT = "argc"
"""A length of this name that has `char **` beside it is main's: argv[argc] is NULL (C11 5.1.2.2.1)."""
_GENERIC_NAME = re.compile(r"n|len|length|size|sz|cnt|count|num|nb|nelems?|nmemb|bytes|nbytes", re.IGNORECASE)
_MANY = re.compile(r"s$|^\w$|arr|vec|tab|list|buf|items?$", re.IGNORECASE)
"""What an array of structs is called, where nothing but the names speak."""
_ONE_SIZE = re.compile(r"\w*(size|len|length|count|capacity|consumed|written)s?(_?(p|ptr|out))?", re.IGNORECASE)
_COUNT = re.compile(r"\w*(size|sz|siz|cap|capacity|bytes|len|length|count|cnt|nelems?|nmemb|elements)\d?", re.I)
_ROOM = re.compile(r"\w*(size|sz|siz|cap|capacity|bytes)\d?", re.IGNORECASE)


def says_how_many(length: str, *, with_nul: bool = False) -> bool:
    """Whether a length is called the number of elements: `n` and `num` may as well say which one is meant.

    `with_nul`: and that of all there is room for: of a text `len` counts what is before its NUL.
    """
    return bool((_ROOM if with_nul else _COUNT).fullmatch(length))


def named_lengths(debug: DebugInfo, function: DebugFunction, brackets: Mapping[str, str]) -> dict[str, str]:
    """Pointer parameter → the parameter that is its length. `brackets`: what stands in those that are written so."""
    names = [each.name for each in function.parameters]
    kinds = "".join(_kind(debug, each) for each in function.parameters)
    by_stem = {names[buffer]: names[length] for buffer, length in lengths(names, kinds).items()}
    return by_stem | {
        buffer: length
        for buffer, length in _beside(debug, function, brackets, by_stem).items()
        if buffer not in by_stem
    }


def _kind(debug: DebugInfo, parameter: DebugParameter) -> str:
    if _is_length(debug, parameter, anywhere=True):
        return LENGTH
    if not _is_buffer(debug, parameter):
        return OTHER
    return BYTES if is_bytes(debug, parameter.type) else BUFFER


def _is_buffer(debug: DebugInfo, parameter: DebugParameter) -> bool:
    """Whether this can come in numbers: `int *srcSizePtr` is one number, `heap_t *heap, size_t size` has one heap."""
    if not comes_in_numbers(debug, parameter):
        return False
    node = debug.node(debug.strip(target(debug, parameter.type)))
    if node.tag in ("DW_TAG_structure_type", "DW_TAG_union_type") and not _MANY.search(parameter.name):
        return False
    is_number = is_integer(debug, target(debug, parameter.type)) and not is_bytes(debug, parameter.type)
    return not (is_number and _ONE_SIZE.fullmatch(parameter.name))


def _beside(
    debug: DebugInfo, function: DebugFunction, brackets: Mapping[str, str], taken: Mapping[str, str]
) -> dict[str, str]:
    """Lengths beside what they are of."""
    found: dict[str, str] = {}
    parameters = function.parameters
    sized = {name for name, size in brackets.items() if size}
    for position, parameter in enumerate(parameters):
        if not _is_length(debug, parameter) or parameter.name in taken.values():
            continue
        before = position - 1
        behind = parameters[position + 1] if position + 1 < len(parameters) else None
        if parameter.name == ARGUMENT_COUNT and behind is not None and leads_to_strings(debug, behind.type):
            found.setdefault(behind.name, parameter.name)
            continue
        if before >= 0 and _is_buffer(debug, parameters[before]) and parameters[before].name not in sized:
            found.setdefault(parameters[before].name, parameter.name)
            # `int *a, int *b, int n`: n counts both; strings keep their NUL (`const char *from, char *to, size_t n`).
            while before > 0 and _GENERIC_NAME.fullmatch(parameter.name) and _shares(debug, parameters, before):
                before -= 1
                found.setdefault(parameters[before].name, parameter.name)
            continue
        if behind is not None and comes_in_numbers(debug, behind) and brackets.get(behind.name) == "":
            found.setdefault(behind.name, parameter.name)
    return found


def _shares(debug: DebugInfo, parameters: Sequence[DebugParameter], position: int) -> bool:
    """Whether the pointer before `position` has the same kind of elements, which are neither characters nor structs."""
    first, second = parameters[position - 1], parameters[position]
    if not has_extent(debug, first):
        return False
    targets = [debug.strip(target(debug, each.type)) for each in (first, second)]
    return (
        targets[0] == targets[1]
        and debug.node(targets[0]).kind == "DIBasicType"
        and not is_character(debug, targets[0])
    )


def _is_length(debug: DebugInfo, parameter: DebugParameter, *, anywhere: bool = False) -> bool:
    """Whether an integer has the name of a length. `anywhere`: of one that need not stand beside its buffer."""
    node = debug.node(debug.strip(parameter.type))
    is_plain = node.kind == "DIBasicType" and not is_character(debug, parameter.type)
    name = LENGTH_NAME.fullmatch(parameter.name) or (anywhere and is_size(parameter.name))
    is_of_the_result = parameter.name.lower().startswith("new")  # realloc(p, newsize)
    return is_plain and is_integer(debug, parameter.type) and bool(name) and not is_of_the_result
