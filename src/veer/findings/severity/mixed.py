"""Objects of two classes where a call has one: `<T extends Comparable<T>> T most(T[] all)` of a text and a number.

The type is a variable's bound: inputs of it may be of any class that fits, but all of a call are of the same. Who mixes
them has had a warning of the compiler.
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Witness
from veer.model.describe import type_at
from veer.model.inputs import Scalar
from veer.model.severity import Broken
from veer.model.types import CLASS_MEMBER


def broken(witness: Witness) -> Iterator[Broken]:
    """Each such type of which the run looked at objects of several classes, where a cast failed."""
    if not witness.is_of_a_cast:
        return
    seen: dict[str, dict[str, None]] = {}
    for item in witness.inputs.objects:
        type_ = type_at(witness.program, item.type)
        if type_ is None or type_.name not in witness.facts.alike:
            continue
        member = next((each for each in type_.fields if each.name == CLASS_MEMBER), None)
        if member is None:
            continue
        chosen = next((each.value for each in item.cells if each.offset == member.offset), None)
        classes = {number: name for name, number in witness.program.types[member.type].enumerators}
        if isinstance(chosen, Scalar) and chosen.used and chosen.bits in classes:
            seen.setdefault(type_.name, {})[classes[chosen.bits]] = None
    for name, chosen_ones in seen.items():
        if len(chosen_ones) > 1:
            listed = " and ".join(each.rpartition(".")[2] for each in chosen_ones)
            shown = name.rpartition(".")[2]
            yield Broken(f"all {shown} are of one class", f"it needs {listed} for one type of {shown}")
