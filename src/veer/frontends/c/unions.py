"""How a union becomes an input: one member stands for all, and the bytes that it leaves out are made one by one.

    union { char c; int i; }                        .i: all values of .c are among those of .i
    union { char c[5]; int i[2]; }                  .i, all eight bytes
    union { struct { char a; int b; } s; int i; }   .s, and the bytes 1 to 3
    union { int i; char *s; }                       .i, and .s if a pointer is loaded before .i is read

All values of the bytes are all values of the members, so nothing is lost as long as no member holds a pointer. Where
one does, what is read first says which member the union holds (docs/decisions/0172).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from veer.model.literal import all_offered, leaves, offered
from veer.model.types import ExtentKind, Field, Type, TypeKind

_TAKES_ALL_BITS = (TypeKind.UNSIGNED, TypeKind.SIGNED, TypeKind.CHAR, TypeKind.FLOAT)


def union_members(types: Sequence[Type], members: Sequence[Field], byte: Callable[[], int]) -> tuple[list[Field], int]:
    """The members with those of which inputs are made first, and how many these are.

    These are the one that covers most bytes, the first of equals, and nameless bytes for what only others cover;
    `byte` gives the id of the type of such a byte.
    """
    if not members:
        return [], 0
    free = [_bytes(types, member, _TAKES_ALL_BITS) for member in members]
    chosen = max(range(len(members)), key=lambda place: (len(free[place]), -place))
    taken = free[chosen] | _bytes(types, members[chosen], (TypeKind.POINTER, TypeKind.BOOL))
    made = [members[chosen], *(Field("", place, byte()) for place in sorted(set().union(*free) - taken))]
    return [*made, *members[:chosen], *members[chosen + 1 :]], len(made)


def leaves_pointers_out(types: Sequence[Type], union: Type) -> bool:
    """Whether a member that is not made holds a pointer that is not offered either, whose targets nobody tries then."""
    others = [
        leaf for member in union.fields[union.count :] for leaf in leaves(types, types[member.type], member.offset)
    ]
    inner = any(True for member in union.fields[union.count :] for _ in all_offered(types, types[member.type]))
    return inner or len(offered(types, union)) < sum(
        leaf.type.kind == TypeKind.POINTER and leaf.type.extent != ExtentKind.NULL for leaf in others
    )


def _bytes(types: Sequence[Type], member: Field, kinds: Sequence[TypeKind]) -> set[int]:
    """The bytes of a member that lie in leaves of these kinds; no input is made of a long double's."""
    return {
        place
        for leaf in leaves(types, types[member.type], member.offset)
        if leaf.type.kind in kinds and leaf.type.size <= 8
        for place in range(leaf.offset, leaf.offset + leaf.type.size)
    }
