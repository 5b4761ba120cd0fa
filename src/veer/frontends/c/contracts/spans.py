"""Which pointers are the two ends of one buffer, and which lead into it: from what a user says, the code, the names.

(p, end)            p has end - p elements
(buf, p, end)       p leads into buf, which has end - buf elements
(p, q, end)         of two with one end the first has the elements, and the other one leads into it
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from veer.frontends.c.contracts.attributes import KnownParameter
from veer.frontends.c.contracts.clauses import Clause, Elements, End, Length, Origin, Source, Text, Within
from veer.frontends.c.contracts.code import CodeFacts
from veer.frontends.c.contracts.ends import Ends
from veer.model.errors import UsageError


def as_ends(given: Sequence[Clause], known: Mapping[str, KnownParameter]) -> list[Clause]:
    """The user's clauses, of which a length that is a pointer is an end: `--size-of p=end`."""
    return [
        End(each.parameter, each.length, each.origin)
        if isinstance(each, Length) and each.length != each.parameter and _is_pointer(each.length, known)
        else each
        for each in given
    ]


def _is_pointer(name: str, known: Mapping[str, KnownParameter]) -> bool:
    return name in known and known[name].is_pointer


def check_end(clause: End | Within, function: str, known: Mapping[str, KnownParameter]) -> None:
    """Raises UsageError for ends of two kinds of elements."""
    one, other = clause.parameter, clause.end if isinstance(clause, End) else clause.buffer
    if "." in one and not other:
        return
    for name in (one.removeprefix("*"), *([other] if other else [])):
        if name not in known:
            listed = ", ".join(known) or "none"
            raise UsageError(f"{clause.origin}: {function} has no parameter {name!r} (it has {listed})")
    if other and (not _kind(one, known) or _kind(one, known) != _kind(other, known)):
        raise UsageError(f"{clause.origin}: {one} and {other} of {function} are no pointers to one kind of elements")


def _kind(name: str, known: Mapping[str, KnownParameter]) -> str:
    parameter = known[name.removeprefix("*")]
    return parameter.kind_behind if name.startswith("*") else parameter.kind


def spans(
    known: Mapping[str, KnownParameter], given: Sequence[Clause], written: Sequence[Clause], code: CodeFacts
) -> dict[str, End | Within]:
    """By parameter, or what one leads to: where it ends, or what it leads into."""
    found: dict[str, End | Within] = {}
    for clause in given:
        if isinstance(clause, End | Within):
            other = found.setdefault(clause.parameter, clause)
            if str(other) != str(clause):
                raise UsageError(f"{clause.origin}: {clause}, but {other} ({other.origin}); keep one of the two")
    sized = [each for each in (*given, *written) if isinstance(each, Length | Elements | Text)]
    for clause in found.values():
        leads = clause.end if isinstance(clause, End) else clause.parameter
        of_both = (leads, clause.parameter)
        clash = [each for each in sized if each.parameter == leads or (each in given and each.parameter in of_both)]
        if clash and leads:
            raise UsageError(f"{clause.origin}: {clause}, but {clash[0]} ({clash[0].origin}); keep one of the two")
    said = {each.parameter for each in sized}
    free = set(known) - said - {each.parameter.removeprefix("*") for each in found.values()}
    free -= {each.end for each in found.values() if isinstance(each, End)}
    for ends, source in ((code.ends, Source.CODE), (code.named_ends, Source.NAME)):
        for clause in _inferred(ends, Origin(source), known, free, code):
            found[clause.parameter] = clause
            free -= {clause.parameter.removeprefix("*"), *([clause.end] if isinstance(clause, End) else [])}
    return found


def _inferred(
    ends: Ends, origin: Origin, known: Mapping[str, KnownParameter], free: Collection[str], code: CodeFacts
) -> Iterator[End | Within]:
    """What nobody wrote down. A buffer that has a length has no end, and by name a text of the library's has none."""
    pairs = {
        buffer: end
        for buffer, end in ends.ends.items()
        if buffer.removeprefix("*") in free and end in free and not code.lengths.get(buffer)
        if origin.source is Source.CODE or buffer not in code.texts
    }
    within = {cursor: buffer for cursor, buffer in ends.within.items() if cursor in free and buffer in free}
    for cursor, buffer in within.items():
        if cursor in pairs and buffer not in pairs:
            pairs[buffer] = pairs[cursor]
    order = list(known)
    for end in dict.fromkeys(pairs.values()):
        buffers = [each for each, its in pairs.items() if its == end]
        own = [each for each in buffers if each in order]
        direct = sorted(own, key=lambda each: (each in within, order.index(each)))
        first = direct[0] if direct else buffers[0]
        yield End(first, end, origin)
        cursors = [*direct[1:], *(each for each, buffer in within.items() if buffer == first and each not in direct)]
        yield from (Within(each, first, origin) for each in cursors if each != end)
