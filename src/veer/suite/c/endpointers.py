"""Arguments that lead into what another one leads to: `parse(text, text + 5)`.

In the inputs such an argument is a number of elements. Where the other one has a type without a size, or is written
with a cast, the elements are told by the argument's own type: `(const int *)block + 5`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veer.model.endpointers import leads_from
from veer.model.program import Parameter
from veer.model.types import Type

_NUMBER = re.compile(r"0[uUlL]*")
_VARIABLE = re.compile(r"[A-Za-z_]\w*")
_VOID = re.compile(r"(const )?void \*")


def with_ends(types: Sequence[Type], parameters: Sequence[Parameter], given: Sequence[str]) -> Iterator[str]:
    """The arguments of a call, as C has them."""
    for place, argument in enumerate(given):
        at = leads_from(parameters, types, place) if parameters else None
        if at is None:
            yield argument
            continue
        first = f"{'*' * at.is_behind}{given[at.buffer]}"
        if _NUMBER.fullmatch(argument):
            yield first
            continue
        own = types[parameters[place].type].name
        is_plain = _VARIABLE.fullmatch(given[at.buffer]) and not _VOID.fullmatch(own)
        wanted = "const char *" if _VOID.fullmatch(own) else own
        yield f"{first} + {argument}" if is_plain else f"({wanted}){first} + {argument}"
