"""All that is known of a function's arguments → one contract.

A user's word comes first, then what is written in the source, then what the code shows, then the names. Where the
names and the code disagree on a length (`copy(dst, dst_size, src, src_len)` with `i < src_len` as the bound of
`dst[i]`) the names win: the code is what is tested, and such a disagreement is what an overflow looks like.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from veer.frontends.c.contracts.attributes import KnownParameter
from veer.frontends.c.contracts.clauses import (
    Clause,
    Constructor,
    Contract,
    Elements,
    End,
    Fact,
    Length,
    MayBeNull,
    NotNull,
    Origin,
    Precondition,
    Range,
    Source,
    Text,
    Within,
)
from veer.frontends.c.contracts.code import CodeFacts
from veer.frontends.c.contracts.spans import as_ends, check_end, spans
from veer.model.errors import UsageError
from veer.model.values import replace


class Evidence(Struct, frozen=True):
    """What each source says of one function."""

    given: Sequence[Clause] = ()  # by the user
    written: Sequence[Clause] = ()  # in the source
    code: CodeFacts = field(default_factory=CodeFacts)
    names: Mapping[str, str] | None = None  # buffer → length


def combined(function: str, parameters: Sequence[KnownParameter], evidence: Evidence) -> Contract:
    """The contract of a function. Raises UsageError for what the user's clauses contradict, with the place."""
    known = {each.name: each for each in parameters}
    evidence = replace(evidence, given=as_ends(evidence.given, known))
    for clause in evidence.given:
        _check(clause, function, known)
    found = spans(known, evidence.given, evidence.written, evidence.code)
    extents = _extents(known, evidence, found)
    nulls = _nulls(known, evidence, {**extents, **found})
    ranges = _ranges(function, known, evidence)
    whole = [
        each for each in (*evidence.given, *evidence.written) if isinstance(each, Precondition | Constructor | Fact)
    ]
    clauses: list[Clause] = [each for each in found.values() if "." in each.parameter]
    for name in known:
        places = (name, f"*{name}")
        clauses += [each[place] for place in places for each in (nulls, extents, found, ranges) if place in each]
    return Contract(function, (*clauses, *dict.fromkeys(whole)))


def _check(clause: Clause, function: str, known: Mapping[str, KnownParameter]) -> None:
    """Raises UsageError when a user's clause does not fit the function."""
    if isinstance(clause, Precondition | Constructor | Fact):
        return
    if isinstance(clause, End | Within):
        check_end(clause, function, known)
        return
    names = [clause.parameter, *([clause.length] if isinstance(clause, Length) and clause.length else [])]
    for name in names:
        if name not in known:
            listed = ", ".join(known) or "none"
            raise UsageError(f"{clause.origin}: {function} has no parameter {name!r} (it has {listed})")
    parameter = known[clause.parameter]
    what = f"the parameter {parameter.name} of {function}"
    if isinstance(clause, Range):
        if not parameter.is_ranged:
            raise UsageError(f"{clause.origin}: {what} is no integer, and a range is of one; take it away")
        least, most = parameter.values
        for end in (clause.low, clause.high):
            if end is not None and not least <= end <= most:
                raise UsageError(f"{clause.origin}: {what} is never {end}, its type has {least}..{most}")
    elif isinstance(clause, NotNull | MayBeNull):
        if not (parameter.is_pointer or parameter.is_callback):
            raise UsageError(f"{clause.origin}: {what} is no pointer; take it away")
    elif not parameter.is_pointer:
        raise UsageError(f"{clause.origin}: {what} is no pointer to data; take it away")
    if isinstance(clause, Length) and clause.length and not known[clause.length].is_integer:
        raise UsageError(f"{clause.origin}: the parameter {clause.length} of {function} is no integer")


def _extents(
    known: Mapping[str, KnownParameter], evidence: Evidence, ends: Mapping[str, End | Within]
) -> dict[str, Clause]:
    """How much each pointer leads to; `ends`: what is known of those that have an end, or are one."""
    found: dict[str, Clause] = {}
    has_end = {each.holder if isinstance(each, End) else each.parameter for each in ends.values() if _says_one(each)}
    has_end |= {each.end for each in ends.values() if isinstance(each, End)}
    for clause in evidence.given:
        if isinstance(clause, Length | Elements | Text):
            other = found.setdefault(clause.parameter, clause)
            if _disagree(other, clause):
                raise UsageError(f"{clause.origin}: {clause}, but {other} ({other.origin}); keep one of the two")
    for clause in evidence.written:
        if isinstance(clause, Length | Elements | Text):
            found.setdefault(clause.parameter, clause)
    names = evidence.names or {}
    for name, parameter in known.items():
        if name in found or name in has_end or not parameter.is_pointer:
            continue
        used = evidence.code.lengths.get(name, ())
        is_value = (name, names.get(name)) in evidence.code.written and names.get(name) not in used
        is_text = name in evidence.code.texts and name not in evidence.code.lengths
        is_none = is_value or is_text or name in evidence.code.single or name in evidence.code.otherwise
        if name in names and not is_none:
            found[name] = Length(name, names[name], Origin(Source.CODE if names[name] in used else Source.NAME))
        elif len(used) == 1:
            found[name] = Length(name, used[0], Origin(Source.CODE))
    return found


def _says_one(clause: End | Within) -> bool:
    """Whether there is an end."""
    return not isinstance(clause, End) or bool(clause.end)


def _disagree(one: Clause, other: Clause) -> bool:
    if isinstance(one, Length) and isinstance(other, Length):
        return one.length != other.length
    if isinstance(one, Elements) and isinstance(other, Elements):
        return one.count != other.count
    return type(one) is not type(other)


def _nulls(
    known: Mapping[str, KnownParameter], evidence: Evidence, extents: Mapping[str, Clause]
) -> dict[str, NotNull | MayBeNull]:
    """Which pointers are not NULL. One that is not tested for it has what its length or its brackets say."""
    found: dict[str, NotNull | MayBeNull] = {}
    for clause in evidence.given:
        if isinstance(clause, NotNull | MayBeNull):
            other = found.setdefault(clause.parameter, clause)
            if type(other) is not type(clause):
                raise UsageError(f"{clause.origin}: {clause}, but {other} ({other.origin}); keep one of the two")
    optional = {each.parameter for each in evidence.written if isinstance(each, MayBeNull)}
    for clause in evidence.written:
        if isinstance(clause, MayBeNull) or (isinstance(clause, NotNull) and clause.parameter not in optional):
            found.setdefault(clause.parameter, clause)
    for name, extent in extents.items():
        for place in dict.fromkeys((name.removeprefix("*"), name)):
            is_known = place in found or place in evidence.code.tested
            if not is_known and _has_size(extent) and known[name.removeprefix("*")].is_pointer:
                found[place] = NotNull(place, Origin(Source.CODE, "never tests it"))
    return found


def _has_size(extent: Clause) -> bool:
    """Whether a clause says how many elements there are."""
    if isinstance(extent, Length):
        return bool(extent.length)
    return isinstance(extent, Elements) or (isinstance(extent, End) and bool(extent.end))


def _ranges(function: str, known: Mapping[str, KnownParameter], evidence: Evidence) -> dict[str, Range]:
    """The values of integers: what all ranges have in common, and the type."""
    found: dict[str, Range] = {}
    for name, parameter in known.items():
        if not parameter.is_ranged:
            continue
        given = [each for each in evidence.given if isinstance(each, Range) and each.parameter == name]
        written = [each for each in evidence.written if isinstance(each, Range) and each.parameter == name]
        own = _common(written, *parameter.values)
        if own is None and not given:
            continue  # such an assertion always fails, which is what a test should show
        least, most = parameter.values
        every = [*given, *written]
        both = _common(every, least, most)
        if both is None:
            said = " and ".join(f"{each} ({each.origin})" for each in every)
            raise UsageError(f"{given[0].origin}: no value of {name} of {function} is left by {said}")
        if every:
            origin = (given or written)[0].origin
            found[name] = Range(name, *both, origin)
    return found


def _common(ranges: Iterable[Range], least: int, most: int) -> tuple[int, int] | None:
    for each in ranges:
        least = max(least, each.low) if each.low is not None else least
        most = min(most, each.high) if each.high is not None else most
    return (least, most) if least <= most else None
