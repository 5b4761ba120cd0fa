"""A variable of static duration gets values in a harness; its members that are const keep theirs.

veer_h_make((void *)&level, &veer_t_4, "level");

{ unsigned char veer_kept[12]; __builtin_memcpy(veer_kept, (void *)&now, 12);
  veer_h_make((void *)&now, &veer_t_7, "now");
  __builtin_memcpy((char *)&now + 0, veer_kept + 0, 4); }
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from veer.frontends.c.calltext import escape
from veer.model.literal import leaves
from veer.model.types import Type


def set_static(name: str, row: Type, types: Sequence[Type]) -> str:
    """The statement that makes a variable of this type an input."""
    made = f'veer_h_make((void *)&{name}, &veer_t_{row.id}, "{escape(name)}");'
    if not row.is_partial:
        return made
    back = " ".join(
        f"__builtin_memcpy((char *)&{name} + {each.start}, veer_kept + {each.start}, {len(each)});"
        for each in kept(row, types)
    )
    room = f"unsigned char veer_kept[{row.size}]; __builtin_memcpy(veer_kept, (void *)&{name}, {row.size});"
    return f"{{ {room} {made} {back} }}"


def kept(row: Type, types: Sequence[Type]) -> Iterator[range]:
    """The bytes of a type that are no part of its inputs."""
    taken = {byte for leaf in leaves(types, row) for byte in range(leaf.offset, leaf.offset + leaf.type.size)}
    left = (byte for byte in range(row.size) if byte not in taken)
    for _, run in groupby(enumerate(left), key=lambda each: each[1] - each[0]):
        found = [byte for _, byte in run]
        yield range(found[0], found[-1] + 1)
