"""How far the bounds of the inputs grew in a campaign, and a program whose bounds have grown.

Bounds are doubled, so that each is known by how often: {max-length: 2} says 32 where it was 8.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct

from veer.model.program import STANDARD_INPUT, InputFiles, Interrupt, Program, SymbolicFile
from veer.model.state import StateBefore
from veer.model.types import BoundKind, Type, TypeKind
from veer.model.values import replace

ARGUMENT_DOUBLINGS = 2
"""Of argc at most: 3 becomes 12. A harness has a place for each argument."""
Doublings = Mapping[BoundKind, int]
NOT_GROWN: Doublings = MappingProxyType({})
CLOCKS_OF_THEIR_OWN = "clocks that begin in 2001 and go on as they are looked at"
CLOCKS_OF_ANY_TIME = "clocks from 1970 to 9999"
_GUESSED = re.compile(r"has (\S+)(?: - \S+)? elements \(the (code|names)\)")
"""The end of a bound in words that says how long a buffer is, where nobody wrote it down."""


class GrowthEnd(StrEnum):
    """Why bounds grew no further; the value is what the user reads."""

    NOTHING_NEW = "larger inputs showed nothing new"
    NOT_MET = "no run came to them"
    UNFINISHED = "the next search was not finished"
    LARGEST = "veer tries no larger ones"


class Growth(Struct, frozen=True):
    """The growth of a campaign's bounds, in words like "max-length 32".

    `finished`: the bounds that grew, as they were in the last search that was finished; empty: none but the first was.
    `begun`: those of the one that was not, or empty. `searches`: how many there were, with the first. `end`: why there
    were no more.
    """

    finished: tuple[str, ...]
    begun: tuple[str, ...]
    searches: int
    end: GrowthEnd


def grown(program: Program, doublings: Doublings) -> Program:
    """The program as it is with larger bounds. Its executable is the same: it is told of the doublings."""
    return replace(
        program,
        types=tuple(_grown_type(row, doublings) for row in program.types),
        bounds=tuple(
            dict.fromkeys(
                _grown_bound(program, words, doublings)
                for words in (*program.bounds, *_bounds_of_state(program.state, doublings))
            )
        ),
        files=tuple(_grown_file(file, doublings) for file in program.files),
        input_files=program.input_files and _grown_files(program.input_files, doublings),
        interrupt=program.interrupt and _grown_interrupt(program.interrupt, doublings),
    )


def _grown_bound(program: Program, words: str, doublings: Doublings) -> str:
    """One of the program's bounds in words after all doublings."""
    if words == CLOCKS_OF_THEIR_OWN and doublings.get(BoundKind.CLOCKS):
        return CLOCKS_OF_ANY_TIME
    if is_of_state(program, words):
        return state_words(program.state, doublings)
    if program.interrupt is not None and words == program.interrupt.words:
        return _grown_interrupt(program.interrupt, doublings).words
    if doublings.get(BoundKind.LONGER) and (guess := _GUESSED.search(words)):
        return _longer_words(program, words, guess[1], doublings)
    return grown_words(words, doublings)


def _longer_words(program: Program, words: str, length: str, doublings: Doublings) -> str:
    """A bound on the elements of a buffer where there may be more than its length says."""
    rows = [_grown_type(row, doublings) for row in program.types if row.is_guess and row.length == length]
    return f"{words} and up to {rows[0].maximum} more" if rows else words


def _grown_interrupt(interrupt: Interrupt, doublings: Doublings) -> Interrupt:
    return replace(interrupt, most=interrupt.most << doublings.get(BoundKind.INTERRUPTS, 0))


def grown_words(words: str, doublings: Doublings) -> str:
    """A bound in words after its doublings; one of a single parameter, or of another kind, stays."""
    parts = words.split()
    if len(parts) != 2 or parts[0] not in doublings:
        return words
    return f"{parts[0]} {int(parts[1]) << doublings[BoundKind(parts[0])]}"


def is_of_state(program: Program, words: str) -> bool:
    """Whether a bound is the one on static data that a search within larger bounds may find otherwise."""
    return program.state is not None and words == program.state.begins


def _bounds_of_state(state: StateBefore | None, doublings: Doublings) -> tuple[str, ...]:
    """The bounds of what changes static data in a search within these bounds."""
    if state is None:
        return ()
    calls = state.of_calls if most_calls(doublings) else ()
    return (*calls, *(state.of_free if doublings.get(BoundKind.STATE) else ()))


def most_calls(doublings: Doublings) -> int:
    """Calls before the entry: none, then 1, 2, 4, ..."""
    return 1 << doublings.get(BoundKind.CALLS, 0) >> 1


def state_words(state: StateBefore | None, doublings: Doublings) -> str:
    """The bound on static data, in words."""
    if state is None:
        return ""
    words, calls = state.begins, most_calls(doublings)
    if calls:
        names = ", ".join(".".join(name.split(".")[-2:]) for name in state.functions)  # without a package
        words += f", or as {calls} call{'s' if calls > 1 else ''} of {names} may leave it"
    if doublings.get(BoundKind.STATE):
        words += f", or with any values in {', '.join(state.free)}"
    return words


def growth_words(program: Program, doublings: Doublings) -> tuple[str, ...]:
    """The bounds that grew, in words."""
    grew = [larger for words in program.bounds if (larger := grown_words(words, doublings)) != words]
    if program.interrupt is not None and doublings.get(BoundKind.INTERRUPTS):
        grew.append(f"{BoundKind.INTERRUPTS} {_grown_interrupt(program.interrupt, doublings).most}")
    if calls := most_calls(doublings):
        grew.append(f"{BoundKind.CALLS} {calls}")
    grew += ["clocks of any time"] if doublings.get(BoundKind.CLOCKS) else []
    grew += ["buffers that are longer than the code says"] if doublings.get(BoundKind.LONGER) else []
    return (*grew, *([BoundKind.STATE.value] if doublings.get(BoundKind.STATE) else []))


def _grown_file(file: SymbolicFile, doublings: Doublings) -> SymbolicFile:
    times = doublings.get(BoundKind.INPUT, 0) if file.name == STANDARD_INPUT else 0
    return replace(file, size=file.size << times)


def _grown_files(files: InputFiles, doublings: Doublings) -> InputFiles:
    most, size = doublings.get(BoundKind.FILES, 0), doublings.get(BoundKind.FILE, 0)
    return InputFiles(files.most << most, files.size << size)


def _grown_type(row: Type, doublings: Doublings) -> Type:
    times = doublings.get(row.bound, 0) if row.bound is not None else 0
    if not times:
        return row
    most = row.maximum << times
    return replace(row, maximum=most if row.kind is TypeKind.POINTER else min(most, (1 << 8 * row.size - 1) - 1))
