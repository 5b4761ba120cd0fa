"""What a test expects of blocks that the run made: behind pointers of the result, of its objects and variables.

    struct node *result = push(head, 3);
    veer_expect_block("result", result);                         the first pointer that leads there
    veer_expect_signed("result->value", result->value, 3);
    veer_expect_same("result->next", result->next, head, "head");

Only bytes that somebody wrote are compared, and only where the plain build has the same (llvm/replay/left.py). Of
pointers it is compared where they lead: to an object of the test, to a place that was met before, or to a new block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct, field

from veer.model.bitfields import Bits, bit_fields
from veer.model.describe import type_at
from veer.model.literal import Leaf, string
from veer.model.made import Left, Link, Made, link_at
from veer.model.program import Program
from veer.model.types import SCALAR_KINDS, Type, TypeKind
from veer.model.values import replace
from veer.model.written import POINTER_SIZE
from veer.suite.c.declarators import element_name
from veer.suite.c.expectations import Expectation, Kind, expected_bits, expected_value
from veer.suite.c.layout import assignable, place
from veer.suite.c.rows import Row, rows

_MOST = 48
"""Comparisons of a test behind pointers to new blocks."""
_INTEGERS = (TypeKind.SIGNED, TypeKind.UNSIGNED, TypeKind.CHAR)
"""What is compared of a union: any bytes are a number of theirs, whichever member was written."""
_MOST_OF_STATIC = 16
"""Numbers of an array in static data: who returns a pointer to one may mean that one alone."""


class MadeBlocks(Struct):
    """The blocks of one test. `variable`: what an input object is called, by its number."""

    program: Program
    left: Left
    variable: Callable[[int], str]
    told: int = 0
    is_cut: bool = False
    _places: dict[int, tuple[str, int]] = field(default_factory=dict)  # of blocks that were met: place, offset

    def pointer(self, target: str, type_: Type, link: Link | None) -> tuple[Expectation, ...]:
        """What is expected of a pointer at this place, and behind it; nothing where only NULL or not can be said."""
        if link is None or not link.is_named or not self.left.is_confirmed:
            return ()
        if (same := self._known(link)) is not None:
            return (Expectation(Kind.SAME, target, same),)
        block = self.left.block(link.to)
        if block is None:
            return ()
        self._places[link.to] = (target, link.offset)
        return self._behind(target, type_, block, link)

    def _behind(self, target: str, type_: Type, block: Made, link: Link) -> tuple[Expectation, ...]:
        if not self.left.is_confirmed:
            return ()
        if self.told >= _MOST:
            self.is_cut = True
            return ()
        found = tuple(self._contents(target, type_at(self.program, type_.target), block, link.offset))
        behind = (replace(each, is_behind=True) for each in found)
        return (Expectation(Kind.BLOCK, target, ""), *behind) if found else ()

    def name(self, target: str, link: Link | None) -> None:
        """What a block is called that has a name of its own, whatever else leads to it."""
        if link is not None and link.to < 0:
            self._places.setdefault(link.to, (target, link.offset))

    def named(self, target: str, type_: Type, link: Link | None) -> tuple[Expectation, ...]:
        """What is expected behind a pointer whose block has this name; of another one, where it leads."""
        block = self.left.block(link.to) if link is not None else None
        if link is None or block is None or self._places.get(link.to) != (target, link.offset):
            return self.pointer(target, type_, link)
        return self._behind(target, type_, block, link)

    def of_object(self, number: int) -> Sequence[Link]:
        """The pointers in an input object."""
        return dict(self.left.objects).get(number, ())

    def of_variable(self, name: str) -> Sequence[Link]:
        """The pointers in a variable."""
        return dict(self.left.variables).get(name, ())

    def _known(self, link: Link) -> str | None:
        """Where a pointer leads in words of C, where that has a name by now."""
        if link.variable:
            return _within(self.program, link.variable, link.offset)
        if link.to > 0:
            return _moved(self.variable(link.to), link.offset)
        if link.to in self._places:
            name, offset = self._places[link.to]
            return _moved(name, link.offset - offset)
        return None

    def _contents(self, name: str, type_: Type | None, block: Made, offset: int) -> Iterator[Expectation]:
        data = block.data[offset:]
        written = _written(block, offset)
        if type_ is None or element_name(type_) == "void" or type_.size == 0:
            yield from self._counted(_bytes(name, data[:written], block, offset))
        elif type_.size == 1 and type_.kind in SCALAR_KINDS:
            end = data[:written].find(b"\0") if type_.kind == TypeKind.CHAR else -1
            if end >= 0:
                cast = "(const char *)" if "volatile" in type_.name else ""
                yield from self._counted([Expectation(Kind.TEXT, f"{cast}{name}", string(data[:end]))])
            else:
                yield from self._counted(_bytes(name, data[:written], block, offset))
        else:
            yield from self._elements(_operand(name), type_, block, offset)

    def _elements(self, name: str, type_: Type, block: Made, offset: int) -> Iterator[Expectation]:
        """Elements of a type, as far as they lie in the block's known bytes."""
        room = len(block.data) - offset
        count = max(1, room // type_.size)
        if block.is_static:
            count = min(count, _MOST_OF_STATIC) if type_.kind in SCALAR_KINDS else 1
        self.is_cut |= block.size > len(block.data) and not block.is_static
        leaves = assignable(self.program, type_, count, room if count == 1 else 0)
        told: set[int] = set()
        for row in rows(leaves):
            if row.size <= room and self._is_settled(block, offset + row.leaves[0].offset, row.size):
                told |= {leaf.offset for leaf in row.leaves}
                yield from self._counted(
                    [_row(place(name, row.path, is_block=True, is_single=count == 1), row, block, offset)]
                )
        for leaf in leaves:
            if leaf.offset not in told and (not leaf.in_union or leaf.type.kind in _INTEGERS):
                target = place(name, leaf.path, is_block=True, is_single=count == 1)
                yield from self._leaf(target, leaf, block, offset)
        for bits in bit_fields(self.program.types, type_, count):
            if all(_are_settled(block, offset, bits, byte) for byte in bits.held_by):
                target = place(name, bits.path, is_block=True, is_single=count == 1)
                yield from self._counted([expected_bits(target, bits, block.data[offset:])])

    def _leaf(self, target: str, leaf: Leaf, block: Made, offset: int) -> Iterator[Expectation]:
        at = offset + leaf.offset
        is_pointer = leaf.type.kind == TypeKind.POINTER
        if is_pointer and (behind := self._pointer_within(target, leaf.type, link_at(block.links, at))):
            yield from behind
        elif self._is_settled(block, at, leaf.type.size, is_pointer=is_pointer):
            value = expected_value(target, leaf.type, block.data[at:])
            yield from self._counted([value] if value is not None else [])

    def _pointer_within(self, target: str, type_: Type, link: Link | None) -> tuple[Expectation, ...]:
        if self.told >= _MOST:
            self.is_cut |= link is not None
            return ()
        self.told += 1
        return self.pointer(target, type_, link)

    def _counted(self, found: Sequence[Expectation]) -> Iterator[Expectation]:
        for each in found:
            if self.told >= _MOST:
                self.is_cut = True
                return
            self.told += 1
            yield each

    def _is_settled(self, block: Made, at: int, size: int, *, is_pointer: bool = False) -> bool:
        """Whether somebody has written all of these bytes, which are no address of the run."""
        where = range(at, at + size)
        unknown = (*block.unwritten, *(each for each, _ in block.partly))
        is_known = at + size <= len(block.data) and not any(each in where for each in unknown)
        return is_known and (is_pointer or not any(_overlaps(link, where) for link in block.links))


def kept_blocks(program: Program, left: Left, type_: Type, result: str) -> tuple[str, ...]:
    """Statements by which blocks stay reachable that the result alone leads to: no leak of the test's."""
    if not left.is_confirmed:
        return ()
    own = {link.at for link in left.result if (block := left.block(link.to)) is not None and not block.is_static}
    return tuple(
        f"veer_keep_block((void *){result}{leaf.path});"
        for leaf in assignable(program, type_, 1)
        if leaf.type.kind == TypeKind.POINTER and leaf.offset in own
    )


def _written(block: Made, offset: int) -> int:
    """How many bytes from there on somebody has written, up to the first address."""
    ends = [at for at in (*block.unwritten, *(at for at, _ in block.partly)) if at >= offset]
    ends += [link.at for link in block.links if link.at + POINTER_SIZE > offset]
    return max(0, min([len(block.data), *ends]) - offset)


def _bytes(name: str, data: bytes, block: Made, offset: int) -> list[Expectation]:
    """Bytes of no known meaning, but the zeros at their end."""
    shown = data.rstrip(b"\0") or data[:1]
    return [Expectation(Kind.BYTES, name, string(shown), len(shown))] if shown and offset < block.size else []


def _row(target: str, row: Row, block: Made, offset: int) -> Expectation:
    values = [expected_value(target, leaf.type, block.data[offset + leaf.offset :]) for leaf in row.leaves]
    numbers = ", ".join(each.value for each in values if each is not None)
    return Expectation(Kind.BYTES, target, f"((const {element_name(row.leaves[0].type)}[]){{{numbers}}})", row.size)


def _are_settled(block: Made, offset: int, bits: Bits, byte: int) -> bool:
    """Whether somebody has written those bits of a bit-field that lie in this byte."""
    own = bits.mask << bits.position >> 8 * byte & 0xFF
    at = offset + byte
    return at < len(block.data) and at not in block.unwritten and not own & dict(block.partly).get(at, 0)


def _overlaps(link: Link, where: range) -> bool:
    return link.at < where.stop and where.start < link.at + POINTER_SIZE


def _operand(name: str) -> str:
    """As it may stand ahead of `->` and `[`."""
    return f"({name})" if name.startswith(("*", "&")) else name


def _within(program: Program, name: str, offset: int) -> str:
    """A part of a variable by its address: `&pool[3]`."""
    type_ = next((type_at(program, each.type) for each in program.outputs if each.name == name), None)
    path, left = "", offset
    while type_ is not None and left and type_.kind in (TypeKind.ARRAY, TypeKind.STRUCT):
        if type_.kind == TypeKind.ARRAY:
            type_ = type_at(program, type_.target)
            index, left = divmod(left, max(1, type_.size)) if type_ is not None else (0, left)
            path += f"[{index}]"
        else:
            member = next((each for each in reversed(type_.fields) if each.name and each.offset <= left), None)
            path, left = (f"{path}.{member.name}", left - member.offset) if member is not None else (path, left)
            type_ = type_at(program, member.type) if member is not None else None
    return f"&{name}{path}" if not left else _moved(f"&{name}", offset)


def _moved(name: str, offset: int) -> str:
    """So many bytes behind the start of what a name leads to."""
    if not offset:
        return name
    return f"(char *){_operand(name)} {'+' if offset > 0 else '-'} {abs(offset)}"
