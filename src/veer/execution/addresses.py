"""Words of memory that may be addresses of a run: in another build, or process, they are other numbers."""

from __future__ import annotations

from collections.abc import Iterator

from veer.model.written import POINTER_SIZE
from veer.wire.layout import HEAP_BASE, HEAP_SIZE, PLAIN_BEGIN, PLAIN_END, STACK_BASE, STACK_SIZE


def words(data: bytes) -> Iterator[tuple[int, int]]:
    """The aligned words of memory: offset in bytes, number."""
    last = len(data) - POINTER_SIZE
    return ((at, int.from_bytes(data[at : at + POINTER_SIZE], "little")) for at in range(0, last + 1, POINTER_SIZE))


def is_of_unit(word: int) -> bool:
    """Whether it may be an address in the campaign's heap or stack."""
    return HEAP_BASE <= word < HEAP_BASE + HEAP_SIZE or STACK_BASE <= word < STACK_BASE + STACK_SIZE


def is_of_image(word: int) -> bool:
    """Whether it may be the address of a function or of static data, or of what the plain build's malloc gives."""
    return PLAIN_BEGIN <= word < PLAIN_END
