"""What a run allocated, or reached of static data, and left: blocks that are no inputs, and pointers that lead there.

    result ──Link(0, -1)──► Made 1 ──Link(8, -2)──► Made 2        a struct node and its next
                                   └─Link(16, 3)──► input object 3

Numbers of blocks are below 0: the first of Test.made is -1.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Link(Struct, frozen=True):
    """A pointer that a run left: where it lies, in bytes from the start of its owner, and where it leads.

    `to`: an input object's number, or one of a block below 0; 0: the variable of this name, or another address of the
    run where there is no name. `offset`: how many bytes behind the start of that it leads.
    """

    at: int
    to: int
    offset: int = 0
    variable: str = ""

    @property
    def is_named(self) -> bool:
        """Whether a test can say where it leads."""
        return bool(self.to or self.variable)


class Made(Struct, frozen=True):
    """A block that a run allocated, or static data that it left a pointer to.

    `data`: its first bytes; `size`: how many it has; `unwritten`: the offsets of bytes that nobody has written, or that
    are others in the plain build; `partly`: of bytes with bit-fields the bits that nobody has written.
    """

    data: bytes
    size: int
    links: tuple[Link, ...] = ()
    unwritten: tuple[int, ...] = ()
    partly: tuple[tuple[int, int], ...] = ()
    is_static: bool = False


class PoolObject(Struct, frozen=True):
    """Where an object of a call sequence is, by its pool and its number there."""

    pool: int
    number: int
    link: Link

    @property
    def key(self) -> int:
        """Both in one number."""
        return self.pool << 16 | self.number


class Left(Struct, frozen=True):
    """All blocks that a run made, and the pointers that it left in its result, its input objects and variables.

    `result`: of a call sequence those in its log; `freed`: the input objects that it freed, each with the number of the
    site that did; `allocated`, `released`: how many blocks it allocated and freed, by site; None: that is not known.
    `is_confirmed`: the plain build left the same; what it has otherwise is not settled any more.
    """

    made: tuple[Made, ...] = ()
    result: tuple[Link, ...] = ()
    objects: tuple[tuple[int, tuple[Link, ...]], ...] = ()  # by their numbers
    variables: tuple[tuple[str, tuple[Link, ...]], ...] = ()  # by their names
    freed: tuple[tuple[int, int], ...] = ()
    pools: tuple[PoolObject, ...] = ()
    allocated: tuple[tuple[int, int], ...] | None = None
    released: tuple[tuple[int, int], ...] | None = None
    is_confirmed: bool = False

    def block(self, number: int) -> Made | None:
        """The block of a number below 0."""
        return self.made[-number - 1] if -len(self.made) <= number < 0 else None


NOTHING_LEFT = Left()


def link_at(links: Sequence[Link], at: int) -> Link | None:
    """The pointer that lies there."""
    return next((link for link in links if link.at == at), None)
