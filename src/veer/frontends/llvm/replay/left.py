"""The blocks that the plain build makes, too, with the same contents: nothing else is expected by tests.

What is not the same there is not settled: a number that was made of an address, what nobody has written, what depends
on the build. Where pointers lead is compared, never their values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from veer.frontends.llvm.replay.data import Memory, Ran
from veer.model.made import Left, Link, Made
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.result import Test
from veer.model.values import replace
from veer.model.written import POINTER_SIZE

_GONE = Made(b"", 0)


def confirmed_left(program: Program, test: Test, ran: Ran) -> Left | None:
    """What the recorded run left, as far as this one left it, too."""
    if test.outcome is not Outcome.RETURNED:
        return None
    run = _Run(ran, {variable.name: place for place, variable in enumerate(program.outputs)})
    left = test.left
    return Left(
        tuple(run.block(number, block) for number, block in enumerate(left.made, 1)),
        tuple(run.kept(left.result, ran.result)),
        tuple((number, tuple(run.kept(links, run.object(number)))) for number, links in left.objects),
        tuple((name, tuple(run.kept(links, run.variable(name)))) for name, links in left.variables),
        tuple((number, site) for number, site in left.freed if number in ran.freed),
        tuple(each for each in left.pools if any(run.kept((each.link,), run.pool_object(each.key)))),
        left.allocated,
        left.released,
        is_confirmed=True,
    )


class _Run(Struct, frozen=True):
    """The replayed run; `places`: of variables among the program's."""

    ran: Ran
    places: dict[str, int]

    def object(self, number: int) -> bytes:
        memory = self.ran.objects.get(number)
        return memory.data if memory is not None else b""

    def pool_object(self, key: int) -> bytes:
        """The pointer to an object of a call sequence."""
        memory = self.ran.pools.get(key)
        return memory.address.to_bytes(POINTER_SIZE, "little") if memory is not None else b""

    def variable(self, name: str) -> bytes:
        memory = self._variable(name)
        return memory.data if memory is not None else b""

    def kept(self, links: Sequence[Link], data: bytes) -> Iterator[Link]:
        """The pointers that lead to the same places."""
        for link in links:
            word = _word(data, link)
            if word and (not link.is_named or word == self._address(link)):
                yield link

    def block(self, number: int, block: Made) -> Made:
        """A block, in which bytes that differ are as good as unwritten. No word that is the same in both builds is an
        address."""
        memory = self.ran.made.get(number)
        if memory is None:
            return _GONE
        addresses = [link for link in block.links if _word(block.data, link) != _word(memory.data, link)]
        links = tuple(self.kept(addresses, memory.data))
        known = {byte for link in links for byte in range(link.at, link.at + POINTER_SIZE)}
        lost = {byte for link in addresses if link not in links for byte in range(link.at, link.at + POINTER_SIZE)}
        pairs, bits = enumerate(zip(block.data, memory.data, strict=False)), dict(block.partly)
        differ = {at for at, (one, other) in pairs if (one ^ other) & ~bits.get(at, 0) and at not in known}
        return replace(block, links=links, unwritten=tuple(sorted({*block.unwritten, *differ, *lost})))

    def _variable(self, name: str) -> Memory | None:
        return self.ran.variables.get(self.places.get(name, -1))

    def _address(self, link: Link) -> int:
        """Where the pointer should lead; -1: what it leads to is not there."""
        if link.variable:
            found = self._variable(link.variable)
        else:
            found = self.ran.objects.get(link.to) if link.to > 0 else self.ran.made.get(-link.to)
        return found.address + link.offset if found is not None else -1


def _word(data: bytes, link: Link) -> int:
    return int.from_bytes(data[link.at : link.at + POINTER_SIZE], "little")
