"""Specifications in reports: what became of each, the events that led to a violation, and its automaton as SVG.

  ┌──2──┐
  ▼     │
( 0 )─1►( 1 )─3►( violated )      states that some run had are drawn in full, others dashed
"""

from __future__ import annotations

from html import escape

from msgspec import Struct

from veer.model.outcome import Outcome
from veer.model.result import Bug, Result
from veer.model.specification import Drawn, Seen, Specification

_MOST_EVENTS = 12
_MOST_STATES = 12
_MOST_STEPS = 48
_STEP, _RADIUS, _TOP, _BELOW, _MARGIN = 110, 19, 58, 44, 40
_VIOLATED = -1


class StepRow(Struct, frozen=True):
    """A line of the table below a drawing."""

    number: int
    source: str
    when: str
    target: str


class WatchedView(Struct, frozen=True):
    """A specification as the HTML report shows it."""

    name: str
    text: str
    where: str
    verdict: str
    is_bad: bool
    drawing: str
    steps: tuple[StepRow, ...]
    left_out: str


def events_sentence(result: Result, bug: Bug) -> str:
    """What led to the violation of a specification; "" for other bugs."""
    test = next((each for each in result.tests if each.name == bug.test), None)
    if bug.outcome is not Outcome.VIOLATED or test is None or not test.events:
        return ""
    last = test.events[-_MOST_EVENTS:]
    before = "..., " if len(test.events) > len(last) else ""
    return f"events: {before}{', '.join(last)}"


def watched_sentences(result: Result) -> list[str]:
    """A sentence for each specification."""
    return [f"{each.name}: {_verdict(result, each, seen)}" for each, seen in _pairs(result)]


def watched_views(result: Result) -> list[WatchedView]:
    """All specifications, with their automata where these are small."""
    return [_view(result, each, seen) for each, seen in _pairs(result)]


def _pairs(result: Result) -> list[tuple[Specification, Seen]]:
    watching = result.program.watching
    return list(zip(watching.specifications if watching is not None else (), result.watched, strict=False))


def _bugs(result: Result, specification: Specification) -> list[Bug]:
    suffix = f": {specification.name}"
    return [bug for bug in result.bugs if bug.outcome is Outcome.VIOLATED and bug.message.endswith(suffix)]


def _verdict(result: Result, specification: Specification, seen: Seen) -> str:
    bugs = _bugs(result, specification)
    if bugs:
        return f"violated ({', '.join(f'bug {bug.id}' for bug in bugs)})"
    if not seen.is_seen:
        return "not violated, but no event of any test fitted a pattern of it"
    return f"no run violated it{_reached(specification, seen)}"


def _reached(specification: Specification, seen: Seen) -> str:
    if specification.drawn is None:
        return ""
    states = specification.drawn.registers
    reached = {0, *(states.index(each) for each in seen.registers if each in states)}
    return f"; {len(reached)} of {len(states)} states of its automaton were reached" if len(states) > 1 else ""


def _view(result: Result, specification: Specification, seen: Seen) -> WatchedView:
    drawn = specification.drawn
    is_bad = bool(_bugs(result, specification))
    steps: tuple[StepRow, ...] = ()
    drawing = left_out = ""
    if drawn is None:
        left_out = "Its automaton has too many states to be drawn."
    else:
        steps = tuple(
            StepRow(number, str(each.source), each.when, "violated" if each.target < 0 else str(each.target))
            for number, each in enumerate(drawn.steps[:_MOST_STEPS], 1)
        )
        if len(drawn.steps) > _MOST_STEPS:
            left_out = f"{len(drawn.steps) - _MOST_STEPS} more steps are left out."
        if len(drawn.registers) <= _MOST_STATES:
            drawing = automaton_svg(drawn, seen, specification.name, is_violated=is_bad)
    where = f"{specification.file}:{specification.line}"
    verdict = _verdict(result, specification, seen)
    return WatchedView(specification.name, specification.text, where, verdict, is_bad, drawing, steps, left_out)


def automaton_svg(drawn: Drawn, seen: Seen, label: str, *, is_violated: bool) -> str:
    """The states in a row, in the order in which steps first lead to them; arrows carry the numbers of their steps."""
    reached = {0, *(drawn.registers.index(each) for each in seen.registers if each in drawn.registers)}
    places = [*range(len(drawn.registers)), _VIOLATED]
    at = {state: _MARGIN + _STEP * column for column, state in enumerate(places)}
    between: dict[tuple[int, int], list[int]] = {}
    for number, step in enumerate(drawn.steps[:_MOST_STEPS], 1):
        between.setdefault((step.source, step.target), []).append(number)
    reach = [at[target] - at[source] for source, target in between]
    middle = _TOP + max((each for each in reach if each > 0), default=0) // 12
    height = middle + _BELOW + max((-each for each in reach if each < 0), default=0) // 12
    parts = [_arrow(at[source], at[target], middle, numbers) for (source, target), numbers in between.items()]
    for state in places:
        is_there = is_violated if state == _VIOLATED else state in reached
        parts.append(_state(at[state], middle, "✗" if state == _VIOLATED else str(state), is_there=is_there))
    width = 2 * _MARGIN + _STEP * (len(places) - 1)
    return (
        f'<svg class="graph automaton" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(label)}: its automaton">{"".join(parts)}</svg>'
    )


def _state(x: int, y: int, text: str, *, is_there: bool) -> str:
    kind = "" if is_there else ' class="root"'
    return (
        f'<rect{kind} x="{x - _RADIUS}" y="{y - _RADIUS}" width="{2 * _RADIUS}" height="{2 * _RADIUS}" rx="{_RADIUS}"/>'
        f'<text x="{x}" y="{y + 4}" text-anchor="middle">{text}</text>'
    )


def _arrow(source: int, target: int, y: int, numbers: list[int]) -> str:
    """Forward above, back below, a loop over its state."""
    shown = ", ".join(map(str, numbers[:4])) + (", ..." if len(numbers) > 4 else "")
    if source == target:
        top = y - _RADIUS
        path = f"M{source - 8},{top} C{source - 22},{top - 34} {source + 22},{top - 34} {source + 8},{top}"
        tip, label = (source + 8, top, 1, 3), (source, top - 28)
    else:
        way = 1 if target > source else -1
        bend = y - way * (18 + abs(target - source) // 6)
        begin, end = source + way * _RADIUS, target - way * _RADIUS
        path = f"M{begin},{y - way * 5} Q{(source + target) // 2},{bend - way * 14} {end},{y - way * 5}"
        top = (y - way * 5 + bend - way * 14) // 2  # of the curve: halfway to the point that it bends to
        tip, label = (end, y - way * 5, way * 3, way), ((source + target) // 2, top - 4 if way > 0 else top + 12)
    x, end_y, across, down = tip
    wing = f"M{x},{end_y} l{-3 * across - 2},{-3 * down - 3} M{x},{end_y} l{-2 * across},{3 if down else 4}"
    return (
        f'<path class="arrow" d="{path}"/><path class="arrow" d="{wing}"/>'
        f'<text x="{label[0]}" y="{label[1]}" text-anchor="middle">{shown}</text>'
    )
