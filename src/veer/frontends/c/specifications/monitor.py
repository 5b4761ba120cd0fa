"""The monitors of specifications as C: what a unit calls at its events (docs/specifications.md).

    void veer_watch_call_lock(int x0) {                      at the entry of lock(int)
        { /* locking */
            int m = x0; ...
            veer_bit p0 = (veer_bit)(_Bool)(m > 3);          the patterns and conditions
            veer_bit n0 = ...;                               functions of bits: nothing branches
            veer_specification_check(VEER_1 ^ ..., 0u, "locking");
            r[0] = ...;
        }
    }

What a pattern asks of values is the program's own C, in front of which a `#line` leads the compiler's messages into the
specification. A name that several patterns share has a state for each of its values: those that were seen have one
each, all others have one together (Chen, Rosu: Parametric trace slicing and monitoring, 2009).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

from veer.frontends.c.specifications.conditions import BIT, BITS, Signature, Use, bits, evaluated, fits, line
from veer.specs.automaton import FAR
from veer.specs.language import Condition, Moment, Pattern, Specification
from veer.specs.machine import FALSE, TRUE, Function, inverse
from veer.specs.moves import NONE, Moves, at_end, at_state, moves
from veer.specs.watched import Watched, events_of

PREFIX = "veer_watch_"
END = PREFIX + "end"
KNOWN_NAME = "veer_known_name"
"""Stands in what the compiler says of a name that cannot be given to a value."""
MOST_VALUES = 32
"""Values of a shared name that one run may have."""
MOST_TOLD = 4
"""Arguments of an event that are told of."""
MOST_STATES = 16
"""States of a machine for which a step of their own is written,"""
MOST_STEPS = 16
"""and such steps of one event."""
IDLE, TELLS = 0xFFFD, 1 << 16
"""What veer_specification_at answers beside a state (runtime/include/veer_harness.h)."""
IF_MOVED = -1
"""What stands for whether an event was seen, where the registers tell it."""
MOST_MEASURED = 10
"""Registers of a machine for which there is a table of distances."""
MOST_IN_PART = 4
"""Registers of a machine of which it is told which are symbolic (IN_PART in tracer/specifications.h)."""
DECLARATIONS = """\
extern void veer_specification_event(unsigned, unsigned, long, long, long, long);
extern void veer_specification_state(unsigned, int, const unsigned char *, unsigned, const unsigned char *);
extern void veer_specification_check(int, unsigned, const char *);
extern void veer_specification_full(void);
struct veer_heed { const unsigned char *idle, *distances; unsigned short number, initial, always; };
extern unsigned veer_specification_at(const struct veer_heed *);
"""


def handler(event: tuple[Moment, str]) -> str:
    """The function that is called at this event."""
    return f"{PREFIX}{event[0].value}_{event[1]}"


def monitor_text(watched: Sequence[Watched], signatures: Mapping[str, Signature], use: Use = Use.CAMPAIGN) -> str:
    """The C text of all monitors, to stand behind the program's own source."""
    lines = [DECLARATIONS.rstrip(), *_free_names(watched)] if use is Use.CAMPAIGN else []
    lines.append(BITS[use].rstrip())
    for number, each in enumerate(watched):
        lines += _state(number, each, signatures, use)
    for number, event in enumerate(events_of(watched)):
        if use is Use.CAMPAIGN:
            lines += _heeds(number, event, watched)
        lines += _handler(number, event, watched, signatures[event[1]], use)
    lines += _end(watched, use)
    return "\n".join(lines) + "\n"


def _free_names(watched: Sequence[Watched]) -> Iterator[str]:
    """Declarations that do not compile where the source knows a name that a pattern gives: it would mean that."""
    patterns = [pattern for each in watched for pattern in each.specification.patterns]
    for name, place in {name: pattern.place for pattern in patterns for name in pattern.names}.items():
        yield from (f"#ifdef {name}", line(place), f"#error {KNOWN_NAME} '{name}'", "#endif")
        yield from (line(place), " " * (place.column - 1) + f"extern struct {KNOWN_NAME} {name};")
    yield '#line 1 "veer\'s monitor"'


# -- state ---------------------------------------------------------------------------------------------------------


def _state(number: int, watched: Watched, signatures: Mapping[str, Signature], use: Use) -> Iterator[str]:
    machine = watched.machine
    count = max(len(machine.initial), 1)
    first = ", ".join(str(int(bit)) for bit in machine.initial) or "0"
    if not watched.specification.shared:
        yield f"static __attribute__((unused)) {BIT} veer_m{number}_r[{count}] = {{{first}}};"
    else:
        # The last state is that of all values that no event has had yet.
        yield f"static {BIT} veer_m{number}_r[{MOST_VALUES + 1}][{count}] = {{[{MOST_VALUES}] = {{{first}}}}};"
        yield f"static {_shared_type(watched.specification, signatures)} veer_m{number}_v[{MOST_VALUES}];"
        yield f"static unsigned veer_m{number}_n;"
    if use is Use.CAMPAIGN and _is_measured(watched):
        yield f"static const unsigned char veer_m{number}_d[{1 << count}] = {{{', '.join(map(str, _table(watched)))}}};"


def _is_measured(watched: Watched) -> bool:
    return watched.automaton is not None and 0 < len(watched.machine.initial) <= MOST_MEASURED


def _table(watched: Watched) -> list[int]:
    """The distance of each content of the registers, the first one in the lowest bit."""
    assert watched.automaton is not None
    table = [FAR] * (1 << len(watched.machine.initial))
    for state, distance in zip(watched.automaton.states, watched.automaton.distances, strict=True):
        table[_number(state)] = distance
    return table


def _shared_type(specification: Specification, signatures: Mapping[str, Signature]) -> str:
    pattern = next(each for each in specification.patterns if specification.shared in each.names)
    signature = signatures[pattern.function]
    return _type_of(pattern, specification.shared, signature)


def _type_of(pattern: Pattern, name: str, signature: Signature) -> str:
    if pattern.result == name:
        return signature.returns
    return signature.parameters[[each.name for each in pattern.arguments].index(name)]


# -- handlers ------------------------------------------------------------------------------------------------------


def _handler(
    number: int, event: tuple[Moment, str], watched: Sequence[Watched], signature: Signature, use: Use
) -> Iterator[str]:
    types = values_of(event, signature)
    if use is Use.CAMPAIGN:
        given_ = ", ".join(_declared(type_, f"veer_x{place}") for place, type_ in enumerate(types)) or "void"
        yield f"void {handler(event)}({given_});"
    else:
        given_ = ", ".join(f"{plain(type_)} veer_p{place}" for place, type_ in enumerate(types)) or "void"
    yield f"void {handler(event)}({given_}) {{"
    if use is Use.SUITE:
        for place, type_ in enumerate(types):
            yield f"    {_declared(type_, f'veer_x{place}')} = ({type_})veer_p{place}; (void)veer_x{place};"
    told = [place for place in range(len(types)) if _is_told(signature, place)][:MOST_TOLD]
    values = [f"(long)veer_x{place}" for place in told] + ["0"] * (MOST_TOLD - len(told))
    name = f"{number}u" if use is Use.CAMPAIGN else json.dumps(f"{event[0]} {event[1]}")
    said = f"veer_specification_event({name}"
    heeding = [index for index, each in enumerate(watched) if event in each.specification.events]
    telling = f"{said}, {len(told)}u, {', '.join(values)});"
    if use is Use.SUITE:
        yield f"    {telling}"
    for place, index in enumerate(heeding):
        if use is Use.CAMPAIGN:
            yield f"    unsigned veer_s{place} = veer_specification_at(&veer_h{number}[{place}]);"
            if place == 0:
                yield f"    if (veer_s0 & {TELLS}u) {telling}"
        yield f"    {{ /* {watched[index].specification.name} */"
        at = f"veer_s{place} & {TELLS - 1}u"
        yield from (
            f"        {line}" if not line.startswith("#") else line
            for line in _watch(index, watched[index], event, signature, use, at)
        )
        yield "    }"
    yield "}"


def _heeds(number: int, event: tuple[Moment, str], watched: Sequence[Watched]) -> Iterator[str]:
    """Which specifications an event may matter to, and the contents of their registers for which it never does."""
    rows = []
    for index, each in enumerate(watched):
        if event not in each.specification.events:
            continue
        idle = _idle(each, event)
        tables = (f"veer_m{index}_e{number}" if idle else "0", f"veer_m{index}_d" if _has_one_state(each) else "0")
        first = _number(each.machine.initial) if _has_one_state(each) else 0
        whole = moves(each.specification, each.machine, event, with_shared=False)
        rows.append(f"{{{', '.join(tables)}, {index}, {first}, {int(whole.seen == TRUE)}}}")
        if idle:
            yield f"static const unsigned char veer_m{index}_e{number}[{len(idle)}] = {{{', '.join(map(str, idle))}}};"
    yield f"static const struct veer_heed veer_h{number}[{len(rows)}] = {{{', '.join(rows)}}};"


def _has_one_state(watched: Watched) -> bool:
    return _is_measured(watched) and not watched.specification.shared


def _idle(watched: Watched, event: tuple[Moment, str]) -> list[int]:
    """By the registers, whether the event leaves them as they are and violates nothing, whatever holds of it; empty
    where it always may."""
    if not _has_one_state(watched):
        return []
    assert watched.automaton is not None
    of = watched.specification.events.index(event)
    moved = {step.source for step in watched.automaton.steps if step.event == of and step.target != step.source}
    count = len(watched.machine.initial)
    table = [0] * (1 << (2 * count if count <= MOST_IN_PART else count))
    for number, state in enumerate(watched.automaton.states):
        table[_number(state)] = int(number not in moved)
    step = moves(watched.specification, watched.machine, event, with_shared=False)
    for part in _states_in_part(watched):
        table[_number(part)] = int(at_state(step, part).is_idle)
    return table if any(table) else []


def _number(state: Sequence[bool | None]) -> int:
    """A state as a number, as the runtime has it: the bits that are known, and above them those that are not."""
    known = sum(int(bit or False) << place for place, bit in enumerate(state))
    return known + sum(int(bit is None) << len(state) + place for place, bit in enumerate(state))


def _states_in_part(watched: Watched) -> list[tuple[bool | None, ...]]:
    """States with bits that are not known, some of which the machine can come to."""
    count = len(watched.machine.initial)
    if watched.automaton is None or count > MOST_IN_PART:
        return []
    all_states = (each for each in product((False, True, None), repeat=count) if None in each)
    return [
        part
        for part in all_states
        if any(
            all(bit is None or bit == own for bit, own in zip(part, state, strict=True))
            for state in watched.automaton.states
        )
    ]


def values_of(event: tuple[Moment, str], signature: Signature) -> list[str]:
    """The types of what a handler is given: of the arguments, and behind a return of the result."""
    return [*signature.parameters, *_result(event, signature)]


def plain(type_: str) -> str:
    """A type that every file knows, to which values of the other one are converted without a word."""
    return "const volatile void *" if "*" in type_ else type_


def _result(event: tuple[Moment, str], signature: Signature) -> list[str]:
    return [signature.returns] if event[0] is Moment.RETURN and signature.returns else []


def _is_told(signature: Signature, place: int) -> bool:
    return place < len(signature.numbers) and signature.numbers[place]


def _declared(type_: str, name: str) -> str:
    return type_.replace("(*)", f"(*{name})") if "(*)" in type_ else f"{type_} {name}"


def _watch(
    index: int, watched: Watched, event: tuple[Moment, str], signature: Signature, use: Use, at: str
) -> Iterator[str]:
    """One specification at one event. `at`: for a campaign, the number of what its registers hold."""
    specification, shared = watched.specification, watched.specification.shared
    other = moves(specification, watched.machine, event, with_shared=False)
    if not shared:
        whole = [*_atoms(other.atoms, specification, signature, use)]
        whole += _step(index, watched, other, f"veer_m{index}_r", use)
        yield from _by_state(index, watched, other, signature, at, whole) if use is Use.CAMPAIGN else whole
        return
    about = next((each for each in specification.patterns if each.event == event and shared in each.names), None)
    own = moves(specification, watched.machine, event, with_shared=True) if about is not None else NONE
    yield from _atoms(other.atoms | own.atoms, specification, signature, use)
    if about is not None:  # before any state changes: a new value begins as all others are
        yield from _found(index, watched, about, signature)
    if other.seen != FALSE:
        yield "{"
        yield from _step(index, watched, other, f"veer_m{index}_r[{MOST_VALUES}]", use)
        yield "}"
        but = "" if about is None else " if (i != k)"
        yield f"for (unsigned i = 0; i < veer_m{index}_n; i++){but} {{"
        yield from _step(index, watched, other, f"veer_m{index}_r[i]", use)
        yield "}"
    if about is not None:  # last: what the runtime knows of the monitor is about this value
        yield "{"
        yield from _step(index, watched, own, f"veer_m{index}_r[k]", use)
        yield "}"


def _by_state(
    index: int, watched: Watched, step: Moves, signature: Signature, at: str, whole: Sequence[str]
) -> Iterator[str]:
    """The step, shorter where the registers are known to hold one of a few states, and nothing where they stay."""
    states = watched.automaton.states[:MOST_STATES] if watched.automaton and _has_one_state(watched) else ()
    parts = _states_in_part(watched) if _has_one_state(watched) else ()
    groups: dict[Moves, list[int]] = {}
    for state in (*states, *parts):
        moved = at_state(step, state)
        if moved in groups or len(groups) < MOST_STEPS:
            groups.setdefault(moved, []).append(_number(state))
    yield f"switch ({at}) {{"
    yield f"case {IDLE}u: break;"
    for moved, numbers in groups.items():
        if moved.is_idle:
            continue
        yield f"{' '.join(f'case {number}u:' for number in numbers)} {{"
        yield from _atoms(moved.atoms, watched.specification, signature, Use.CAMPAIGN)
        seen = "1" if moved.seen == TRUE else f"{IF_MOVED}"
        yield from _step(index, watched, moved, f"veer_m{index}_r", Use.CAMPAIGN, seen)
        yield "} break;"
    yield "default: {"
    yield from whole
    yield "} }"


def _atoms(numbers: Collection[int], specification: Specification, signature: Signature, use: Use) -> Iterator[str]:
    for number in sorted(numbers):
        atom = specification.atoms[number]
        if isinstance(atom, Condition):
            yield from evaluated(f"veer_a{number}", atom, use)
        else:
            yield from fits(f"veer_a{number}", atom, signature, use)


def _found(index: int, watched: Watched, about: Pattern, signature: Signature) -> Iterator[str]:
    """The state of the value that this event is about, in `k`: a new one begins as all others are."""
    place = _place(about, watched.specification.shared, signature)
    count = max(len(watched.machine.initial), 1)
    yield "unsigned k = 0;"
    yield f"while (k < veer_m{index}_n && !(veer_m{index}_v[k] == veer_x{place})) k++;"
    yield f"if (k == veer_m{index}_n) {{"
    yield f"    if (k == {MOST_VALUES}u) veer_specification_full();"
    yield f"    veer_m{index}_v[k] = veer_x{place}; veer_m{index}_n++;"
    yield f"    for (unsigned j = 0; j < {count}u; j++) veer_m{index}_r[k][j] = veer_m{index}_r[{MOST_VALUES}][j];"
    yield "}"


def _place(pattern: Pattern, name: str, signature: Signature) -> int:
    if pattern.result == name:
        return len(signature.parameters)
    return [each.name for each in pattern.arguments].index(name)


def _step(index: int, watched: Watched, step: Moves, state: str, use: Use, seen: str = "") -> Iterator[str]:
    """The machine's step on the registers `state`. `seen`: whether it sees the event, if that is not to be computed."""
    if step.seen == FALSE and not seen:
        return
    if step.broken != FALSE:
        yield _check(inverse(step.broken), state, index, watched, use)
    for number, each in step.following:
        yield f"{BIT} veer_n{number} = {bits(each, state)};"
    for number, _ in step.following:
        yield f"{state}[{number}] = veer_n{number};"
    if use is Use.CAMPAIGN:
        count = len(watched.machine.initial)
        table = f"veer_m{index}_d" if _is_measured(watched) else "0"
        told = seen or bits(step.seen, state)
        registers = f"(const unsigned char *){state}"
        yield f"veer_specification_state({index}u, {told}, {registers}, {count}u, {table});"


def _check(holds: Function, state: str, index: int, watched: Watched, use: Use) -> str:
    specification = watched.specification
    if use is Use.CAMPAIGN:
        return f"veer_specification_check({bits(holds, state)}, {index}u, {json.dumps(specification.name)});"
    place = f"{Path(specification.place.file).name}:{specification.place.line}: {specification.name}"
    return f"veer_specification_check({bits(holds, state)}, {json.dumps(place)});"


# -- the end -------------------------------------------------------------------------------------------------------


def _end(watched: Sequence[Watched], use: Use) -> Iterator[str]:
    """What is asked when the entry has returned."""
    if use is Use.CAMPAIGN:
        yield f"void {END}(void);"
    yield f"void {END}(void) {{"
    for index, each in enumerate(watched):
        broken = at_end(each.specification, each.machine)
        if broken == FALSE:
            continue
        yield f"    {{ /* {each.specification.name} */"
        for number, atom in enumerate(each.specification.atoms):
            if isinstance(atom, Condition):
                yield from evaluated(f"veer_a{number}", atom, use)
        if each.specification.shared:
            yield f"    for (unsigned i = 0; i < veer_m{index}_n; i++)"
            states = [f"veer_m{index}_r[i]", f"veer_m{index}_r[{MOST_VALUES}]"]
            for state in states:  # the first one is the loop's
                yield f"    {_check(inverse(broken), state, index, each, use)}"
        else:
            yield f"    {_check(inverse(broken), f'veer_m{index}_r', index, each, use)}"
        yield "    }"
    yield "}"
