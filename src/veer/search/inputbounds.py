"""The bounds of the inputs that the runs of a campaign came to: what is claimed depends on these, and on no others."""

from __future__ import annotations

from veer.model.growth import CLOCKS_OF_THEIR_OWN
from veer.model.program import Program
from veer.model.types import BoundKind
from veer.wire.bounds import Bounds
from veer.wire.constants import MET_PLACES
from veer.wire.layout import Bound
from veer.wire.shared import Shared


def met(shared: Shared) -> frozenset[BoundKind]:
    """The bounds that a run came to: with another one it, or one that goes on from it, might have gone another way."""
    bits = shared.control(Bounds).met_bounds
    return frozenset(kind for kind in BoundKind if bits >> Bound[kind.name] & 1)


def meet_all(shared: Shared) -> None:
    """Takes every bound for one that was met: paths are put together from parts, or left out."""
    shared.control(Bounds).met_bounds = sum(1 << bound for bound in Bound)


def words_met(program: Program, shared: Shared) -> tuple[str, ...]:
    """What restricts the inputs of the program, in words, without the bounds that no run came to.

    A bound of a single parameter ("max-length 3 of s") restricts them in any case.
    """
    kinds = met(shared)
    idle = {kind.value for kind in BoundKind if kind not in kinds}
    if BoundKind.CLOCKS not in kinds:
        idle.add(CLOCKS_OF_THEIR_OWN)
    return tuple(words for words in program.bounds if (words.split()[0] if _is_general(words) else words) not in idle)


def places_met(shared: Shared) -> tuple[str, ...]:
    """The words of a claim for it, if a run asked how objects lie in memory, which C leaves open."""
    met_places = shared.control(Bounds).met_bounds >> MET_PLACES & 1
    return ("objects lie where veer places them",) if met_places else ()


def _is_general(words: str) -> bool:
    return len(words.split()) == 2
