"""The monitors as a suite has them: plain C behind the unit, and what the unit's calls are to tell them.

    #pragma veer_watch define lock veer_watch_call_lock - 1 void         for veer_watch.c, which puts the calls in
    void veer_watch_call_lock(int);                                      the handlers, in types that every file knows

(`suite/c/watched.py` makes the files of it.)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from veer.frontends.c.specifications.conditions import Signature, Use
from veer.frontends.c.specifications.monitor import (
    END,
    handler,
    monitor_text,
    plain,
    values_of,
)
from veer.model.specification import InSuite
from veer.specs.language import Moment
from veer.specs.watched import Watched, events_of

MOST_VALUES = 16
"""Arguments that veer_watch.c hands on."""
FOUND = "veer_watched_"


def in_suite(
    watched: Sequence[Watched], signatures: Mapping[str, Signature], defined: Collection[str], *, has_end: bool
) -> InSuite:
    """What a suite checks, and the sentences about what it does not. `defined`: what some source defines."""
    left_out = {each.specification.name: why for each in watched if (why := _why_not(each, signatures, defined))}
    kept = [each for each in watched if each.specification.name not in left_out]
    events = events_of(kept)
    names = tuple(dict.fromkeys(name for _, name in events))
    declared = [*_declarations(events, signatures)]
    told = [_told(name, events, signatures[name], is_defined=name in defined) for name in names]
    if has_end:
        declared.append(f"extern void {END}(void);")
        told.append(f"#pragma veer_watch end exit {END} - 1 void int;")
    text = monitor_text(kept, signatures, Use.SUITE) if kept else ""
    return InSuite(
        events="\n".join([*declared, *told]) + "\n",
        monitor=text + "\n".join(_unseen(names, defined)) + "\n",
        left_out=tuple(f"{name}: {why}" for name, why in left_out.items()),
        is_any=bool(kept),
    )


def _why_not(watched: Watched, signatures: Mapping[str, Signature], defined: Collection[str]) -> str:
    for _, name in watched.specification.events:
        if name in defined and signatures[name].is_variadic:
            return f"{name} takes any number of arguments, and no wrapper in C can hand them on"
        if len(signatures[name].parameters) > MOST_VALUES:
            return f"{name} has more than {MOST_VALUES} parameters"
    return ""


def _declarations(events: Sequence[tuple[Moment, str]], signatures: Mapping[str, Signature]) -> Iterator[str]:
    for event in events:
        types = ", ".join(map(plain, values_of(event, signatures[event[1]]))) or "void"
        yield f"extern void {handler(event)}({types});"


def _told(name: str, events: Sequence[tuple[Moment, str]], signature: Signature, *, is_defined: bool) -> str:
    """The line for veer_watch.c."""
    at = [handler((moment, name)) if (moment, name) in events else "-" for moment in (Moment.CALL, Moment.RETURN)]
    result = "value" if signature.returns else "other" if signature.has_value else "void"
    kind = "define" if is_defined else "call"
    types = "".join(f" {'pointer' if '*' in each else each};" for each in signature.parameters)
    return f"#pragma veer_watch {kind} {name} {at[0]} {at[1]} {len(signature.parameters)} {result}{types}"


def _unseen(names: Sequence[str], defined: Collection[str]) -> Iterator[str]:
    """What the runner asks: the first function whose definition veer_watch.c did not find, or NULL."""
    own = [name for name in names if name in defined]
    yield from (f"extern const char {FOUND}{name} __attribute__((weak));" for name in own)
    yield "const char *veer_watch_unseen(void) {"
    yield from (f'    if (!&{FOUND}{name}) return "{name}";' for name in own)
    yield "    return 0;"
    yield "}"
