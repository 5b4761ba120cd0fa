"""Strings in arrays within objects: what the library's string functions write and read ends within the array.

struct user { char name[4]; int id; };      strcpy(u.name, "long"), which writes to `id`, is a bug

No bound of an object tells, and the compiler checks indices alone. Where an argument of such a function is a member's
array, a call of veer's own library follows (runtime/libc/checked_calls.h), which looks for the end of the string. That
is what glibc does with _FORTIFY_SOURCE=2 for what is written. memcpy and memset may cross members on purpose there, and
here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from veer.frontends.c.librarycalls import LibraryCall, defined_function, library_call

CHECKS = _TEXT, _COUNT = "veer_text_within", "veer_count_within"
_TEXTS: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("strcpy", "stpcpy", "strcat"), (0, 1)),
    **dict.fromkeys(("strncat", "sprintf", "vsprintf", "strlen", "strdup"), (0,)),
}
"""Which arguments are strings once the function has returned."""
_COUNTS: Mapping[str, tuple[int, int]] = {"strncpy": (0, 2), "stpncpy": (0, 2)}
"""Which argument is filled with exactly as many characters as another one says."""
_FUNCTION = re.compile(r"(?m)^(?=define )")
_STRUCT = re.compile(r'(?m)^(%(?:"[^"\n]+"|[\w.$-]+)) = type <?\{ (.*) \}>?$')
_FIELD = re.compile(
    r'getelementptr inbounds(?: nuw)? \(?(%(?:"[^"\n]+"|[\w.$-]+)), ptr (?:[^,\n]+), i32 0, i32 (\d+)\)?'
)
_MEMBER = re.compile(rf"  (%[\w.$-]+) = {_FIELD.pattern}(?:,|$)")
_ELEMENT = re.compile(
    r"  (%[\w.$-]+) = getelementptr inbounds(?: nuw)? \[(\d+) x i8\], ptr (%[\w.$-]+), i64 0, i64 (\d+)(?:,|$)"
)
_ARRAY = re.compile(r"\[(\d+) x i8\]")


def with_member_arrays(ir: str, defined: Collection[str], unchecked: Collection[str]) -> str:
    """The text with a call behind each call of a string function that is given a member's array.

    `defined`: functions of the program, which are not the library's. `unchecked`: those in which nothing is checked.
    """
    names = {*_TEXTS, *_COUNTS} - {*defined, *unchecked}
    if not any(f"@{name}(" in ir for name in names):
        return ir
    structs = {name: _fields(text) for name, text in _STRUCT.findall(ir)}
    parts = [
        _checked(text, structs, names) if defined_function(text) not in unchecked else text
        for text in _FUNCTION.split(ir)
    ]
    declared = "".join(
        f"\ndeclare void @{name}({types})\n"
        for name, types in ((_TEXT, "ptr, i64"), (_COUNT, "i64, i64"))
        if any(f"@{name}(" in part for part in parts)
    )
    return "".join(parts) + declared


def _checked(function: str, structs: Mapping[str, list[str]], names: Collection[str]) -> str:
    rooms: dict[str, int] = {}
    lines = []
    for line in function.split("\n"):
        lines.append(line)
        if (member := _MEMBER.match(line)) is not None:
            rooms[member[1]] = _room(structs, member[2], int(member[3]))
        elif (element := _ELEMENT.match(line)) is not None and rooms.get(element[3]) == int(element[2]):
            rooms[element[1]] = int(element[2]) - int(element[4])
        elif (called := library_call(line, names)) is not None:
            lines += _checks(called, structs, rooms)
    return "\n".join(lines)


def _checks(called: LibraryCall, structs: Mapping[str, list[str]], rooms: Mapping[str, int]) -> Iterator[str]:
    """The calls that follow."""
    arguments = called.arguments
    for number in _TEXTS.get(called.function, ()):
        if (room := _room_of(arguments[number], structs, rooms)) > 0:
            yield f"  call void @{_TEXT}(ptr {_value(arguments[number])}, i64 {room}){called.location}"
    if called.function in _COUNTS:
        to, count = _COUNTS[called.function]
        if (room := _room_of(arguments[to], structs, rooms)) > 0:
            yield f"  call void @{_COUNT}(i64 {_value(arguments[count])}, i64 {room}){called.location}"


def _value(argument: str) -> str:
    """`ptr noundef %5` → `%5`; a constant expression has its spaces."""
    field = _FIELD.search(argument)
    return argument[field.start() :] if field is not None else argument.rpartition(" ")[2]


def _room_of(argument: str, structs: Mapping[str, list[str]], rooms: Mapping[str, int]) -> int:
    field = _FIELD.search(argument)
    if field is not None:
        return _room(structs, field[1], int(field[2]))
    return rooms.get(argument.rpartition(" ")[2], 0)


def _room(structs: Mapping[str, list[str]], struct: str, field: int) -> int:
    """How many characters a member holds; 0 if it is no array of them, or one that goes on behind the struct's end."""
    fields = structs.get(struct, [])
    array = _ARRAY.fullmatch(fields[field]) if field < len(fields) else None
    size = int(array[1]) if array is not None else 0
    return 0 if field == len(fields) - 1 and size <= 1 else size


def _fields(text: str) -> list[str]:
    """The types of a struct's members."""
    found, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "[{(<") - (letter in "]})>")
        if letter == "," and not depth:
            found.append(text[start:place].strip())
            start = place + 1
    return [*found, text[start:].strip()]
