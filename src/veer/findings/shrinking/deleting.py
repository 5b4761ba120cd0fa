"""Passes that make an input shorter: fewer calls, characters, elements, objects.

What is behind the choices that are left out moves forward: without the three choices of a call the next call takes its
place, without those of a node its successor does. A number that counts what is left out goes down with it.
"""

from __future__ import annotations

from veer.findings.shrinking.shrinker import Shrinking

_LONGEST = 8
"""Choices that are left out together at every place; longer parts are halves of the whole, their halves, and so on."""
_LONG = 64
_MOST_COUNTED = 64
_LONGEST_COUNTED = 4


def cut(shrinking: Shrinking) -> None:
    """Ends long texts earlier, each as early as halving finds."""
    tried: set[int] = set()
    while not shrinking.is_spent:
        texts = [(first, end) for first, end in _texts(shrinking) if first not in tried]
        if not texts:
            return
        tried.add(texts[0][0])
        _cut(shrinking, *texts[0])


def _texts(shrinking: Shrinking) -> list[tuple[int, int]]:
    """Where the long texts begin and end: neighbouring choices that are characters, and no NUL."""
    found, first = [], 0
    for place, choice in enumerate((*shrinking.best.choices, None)):
        if choice is None or not choice.is_text or choice.bits == 0:
            if place - first > _LONG:
                found.append((first, place))
            first = place + 1
    return found


def _cut(shrinking: Shrinking, first: int, end: int) -> None:
    """What is cut off is left out, or is NUL, where the run asks for it all the same."""
    fewest, length = 0, end - first
    while length - fewest > 1 and not shrinking.is_spent:
        middle = (fewest + length) // 2
        values = shrinking.best.values
        kept, behind = values[: first + middle], values[first + length :]
        without = kept + (behind if behind[:1] == (0,) else (0, *behind))
        if shrinking.accepts(without) or shrinking.accepts((*kept, *(0,) * (length - middle), *behind)):
            length = middle
        else:
            fewest = middle


def delete(shrinking: Shrinking) -> None:
    """Leaves out parts, the longest first, from the end on."""
    length = len(shrinking.best.choices)
    while length > _LONGEST:
        _delete_all(shrinking, length, step=length)
        length //= 2
    for length in range(_LONGEST, 0, -1):
        _delete_all(shrinking, length, step=1)


def _delete_all(shrinking: Shrinking, length: int, *, step: int) -> None:
    at = len(shrinking.best.choices) - length
    while at >= 0 and not shrinking.is_spent:
        values = shrinking.best.values
        if not shrinking.accepts(values[:at] + values[at + length :]):
            at -= step
        at = min(at, len(shrinking.best.choices) - length)


def lower_and_delete(shrinking: Shrinking) -> None:
    """Takes 1 from a number, and leaves out what it may have counted."""
    place = 0
    while place < len(shrinking.best.choices) and not shrinking.is_spent:
        choice = shrinking.best.choices[place]
        counts = 0 < choice.bits <= _MOST_COUNTED and choice.allows(choice.number - 1) and not choice.is_text
        if not (counts and _lowers(shrinking, place)):
            place += 1


def _lowers(shrinking: Shrinking, place: int) -> bool:
    values = shrinking.best.values
    lower = (*values[:place], values[place] - 1)
    for length in range(_LONGEST_COUNTED + 1):
        for at in range(place + 1, len(values) - length + 1 if length else place + 2):
            if shrinking.accepts(lower + values[place + 1 : at] + values[at + length :]):
                return True
    # What is counted may come before its number, and always have as many places: they stay, the last of them is 0.
    return any(
        shrinking.accepts((*values[:at], *values[at + 1 : place], 0, lower[place], *values[place + 1 :]))
        for at in range(place)
    )


def separate(shrinking: Shrinking) -> None:
    """Gives a pointer that leads to an earlier object an object of its own: a copy of what comes behind some other one,
    or of plain values."""
    for place in range(len(shrinking.best.choices)):
        if place >= len(shrinking.best.choices):
            break
        choice = shrinking.best.choices[place]
        if choice.is_pointer and choice.bits >= 2:
            _separates(shrinking, place)


def _separates(shrinking: Shrinking, place: int) -> bool:
    choices, values = shrinking.best.choices, shrinking.best.values
    before, behind = (*values[:place], 1), values[place + 1 :]
    copies = [at + 1 for at in range(place) if choices[at].is_pointer and choices[at].bits == 1]
    for length in range(_LONGEST):
        for at in copies:
            if shrinking.accepts(before + values[at : at + length] + behind):
                return True
        if shrinking.accepts(before + (0,) * length + behind):
            return True
    return False
