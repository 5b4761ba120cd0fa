"""The C library on the emulator's memory, for replays: functions of this file alone, which share nothing with veer's C.

Each block of the heap, and each object of the inputs, ends at the end of a page of its own, and its pages go when it is
freed: an access behind it or after that is a fault, and so is a second `free`.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from veer.frontends.machine.emulated_arithmetic import CALCULATIONS, ZeroDivisionOfProgramError
from veer.frontends.machine.emulated_numbers import number

_HEAP, _PAGE, _ALIGNED = 0x60000000, 0x1000, 16
_MOST_TEXT, _LARGEST = 1 << 20, 1 << 28
_PRINTED = 1
_NO_BOUND = 1 << 64
_ORDERS = {"htonl": 4, "ntohl": 4, "htons": 2, "ntohs": 2}
_NUMBERS = ("strtol", "strtoll", "strtoul", "strtoull")
_TOKENS = ("strtok_r", "strsep")
_FROM_TEXT = {"atoi": "strtol", "atol": "strtol", "atoll": "strtoll"}
ANSWERED = ("fflush", "ferror", *(f"pthread_mutex_{each}" for each in ("init", "destroy", "lock", "unlock")))
"""Functions that do nothing and return 0."""
CHECKED = frozenset(
    f"__{name}_chk" for name in ("memcpy", "memmove", "mempcpy", "memset", "strcpy", "stpcpy", "strcat", "strncpy")
)
"""Functions that end the program where there is too little room."""


class LibraryError(Exception):
    """How a call ends the program: (ending, why)."""


class Memory:
    """The emulator's memory, and its heap."""

    def __init__(self, uc: Any, order: str, objects: Iterable[Sequence[int]] = ()) -> None:
        """`objects`: addresses and sizes of the inputs, which are blocks of the heap, too: a caller has made them."""
        self._uc = uc
        self._order = order
        self._top = _HEAP
        self._blocks: dict[int, tuple[int, int, int]] = {}  # address: first page, bytes of pages, size
        self._errno = 0
        self._token = 0
        for address, size in objects:
            first = address & -_PAGE
            self._blocks[address] = (first, -(-(address + max(size, 1) - first) // _PAGE) * _PAGE, size)

    def read(self, address: int, size: int) -> bytes:
        """Raises the emulator's error where there is none."""
        return bytes(self._uc.mem_read(address, size)) if size else b""

    def write(self, address: int, data: bytes) -> None:
        """Byte by byte of pages that are there; constant memory is a fault."""
        for begin, end, rights in self._uc.mem_regions():
            if address <= end and begin < address + len(data) and not rights & 2:
                raise LibraryError("fault", f"a write to constant memory at {address:#x}")
        self._uc.mem_write(address, data)

    def text(self, address: int, most: int = _MOST_TEXT) -> bytes:
        """The bytes up to a zero, without it, at most so many."""
        found = bytearray()
        while len(found) < most:
            byte = self.read(address + len(found), 1)
            if byte == b"\0":
                break
            found += byte
        return bytes(found)

    def allocate(self, size: int) -> int:
        """A new block of zeros; 0 where it is too large."""
        if size > _LARGEST:
            self.fail(errno.ENOMEM)
            return 0
        pages = (max(size, 1) + _PAGE - 1) // _PAGE * _PAGE
        first, self._top = self._top, self._top + pages + _PAGE
        self._uc.mem_map(first, pages)
        address = first + (pages - max(size, 1)) // _ALIGNED * _ALIGNED
        self._blocks[address] = (first, pages, size)
        return address

    def errno(self) -> int:
        """Where `errno` lies; it is 0 at first."""
        self._errno = self._errno or self.allocate(4)
        return self._errno

    def fail(self, number: int) -> None:
        """Sets `errno`."""
        self.write(self.errno(), number.to_bytes(4, self._order))  # type: ignore[arg-type]

    def token(self, s: int, chosen: int) -> int:
        """`strtok`, which keeps where it is."""
        found, self._token = _token(self, s or self._token, chosen)
        return found

    def size(self, address: int) -> int:
        """Of a block. Raises LibraryError for what is none."""
        if address not in self._blocks:
            raise LibraryError("fault", f"free() of {address:#x}, which malloc did not return or which was freed")
        return self._blocks[address][2]

    def free(self, address: int) -> None:
        """Raises LibraryError for what is no block."""
        self.size(address)
        first, pages, _ = self._blocks.pop(address)
        self._uc.mem_unmap(first, pages)


def call(name: str, memory: Memory, given: list[int], word: int, order: str) -> int | None:
    """What the function returns. `given`: its arguments, numbers of C's types with their signs; `word`: bytes of a
    pointer. Raises LibraryError, and the emulator's error at an access outside of its memory."""
    if name in _ORDERS:
        return int.from_bytes(given[0].to_bytes(_ORDERS[name], order), "big")  # type: ignore[arg-type]
    if name in _NUMBERS:
        return number(name, memory, given, word, order)
    if name in _FROM_TEXT:
        return number(_FROM_TEXT[name], memory, [*given, 0, 10], word, order)
    if name in _TOKENS:
        return _part_of_text(name, memory, given, word, order)
    if name in CHECKED:
        return _checked(name.removeprefix("__").removesuffix("_chk"), memory, given, word, order)
    if name in CALCULATIONS:
        try:
            return CALCULATIONS[name](*given)
        except ZeroDivisionOfProgramError as error:
            raise LibraryError("fault", "division by zero") from error
    return _FUNCTIONS[name](memory, *given)


def print_to(name: str, memory: Memory, given: dict[str, int], made: bytes) -> int:
    """What `sprintf` and its kin leave in memory and return. `given`: their named arguments; `made`: the whole text.

    Raises LibraryError where there is too little room.
    """
    room, size = given.get("room", _NO_BOUND), given.get("size", len(made) + 1)
    if size > room or ("size" not in given and len(made) >= room):
        raise LibraryError("fault", f"{name}: there is too little room")
    if size:
        memory.write(given["to"], made[: size - 1] + b"\0")
    return len(made)


def _checked(name: str, m: Memory, given: list[int], word: int, order: str) -> int | None:
    """glibc's functions that are told how much room there is."""
    *rest, room = given
    size = rest[2] if len(rest) == 3 else len(m.text(rest[1])) + 1 + (len(m.text(rest[0])) if name == "strcat" else 0)
    if size > room:
        raise LibraryError("fault", f"__{name}_chk: there is too little room")
    return call(name, m, rest, word, order)


def _sign(a: bytes, b: bytes) -> int:
    for x, y in zip(a, b, strict=False):
        if x != y:
            return x - y
    return 0


def _copy(m: Memory, to: int, source: int, size: int) -> int:
    if size:
        m.write(to, m.read(source, size))
    return to


def _set(m: Memory, to: int, value: int, size: int) -> int:
    if size:
        m.write(to, bytes([value & 255]) * size)
    return to


def _compare(m: Memory, a: int, b: int, most: int, fold: Callable[[bytes], bytes] = bytes) -> int:
    """As strncmp does: it reads no byte behind the first difference."""
    for k in range(most):
        x, y = fold(m.read(a + k, 1)), fold(m.read(b + k, 1))
        if x != y or x == b"\0":
            return x[0] - y[0]
    return 0


def _store_text(m: Memory, to: int, text: bytes) -> int:
    m.write(to, text + b"\0")
    return to


def _padded(m: Memory, to: int, source: int, most: int) -> int:
    text = m.text(source, most)
    if most:
        m.write(to, text.ljust(most, b"\0"))
    return to


def _find(m: Memory, s: int, c: int, *, is_last: bool = False, else_end: bool = False) -> int:
    text = m.text(s) + b"\0"
    place = text.rfind(c & 255) if is_last else text.find(c & 255)
    return s + place if place >= 0 else s + len(text) - 1 if else_end else 0


def _first_byte(m: Memory, s: int, c: int, size: int) -> int:
    for k in range(size):
        if m.read(s + k, 1)[0] == c & 255:
            return s + k
    return 0


def _last_byte(m: Memory, s: int, c: int, size: int) -> int:
    place = m.read(s, size).rfind(c & 255)
    return s + place if place >= 0 else 0


def _raw_byte(m: Memory, s: int, c: int) -> int:
    while m.read(s, 1)[0] != c & 255:
        s += 1
    return s


def _copy_to_byte(m: Memory, to: int, source: int, c: int, size: int) -> int:
    for k in range(size):
        m.write(to + k, m.read(source + k, 1))
        if m.read(to + k, 1)[0] == c & 255:
            return to + k + 1
    return 0


def _part(m: Memory, s: int, size: int, what: int, length: int) -> int:
    place = m.read(s, size).find(m.read(what, length))
    return s + place if place >= 0 else 0


def _cut(m: Memory, to: int, source: int, room: int) -> int:
    text = m.text(source)
    if room:
        m.write(to, text[: room - 1] + b"\0")
    return len(text)


def _cut_behind(m: Memory, to: int, source: int, room: int) -> int:
    length = len(m.text(to, room))
    return length + _cut(m, to + length, source, room - length)


def _within(m: Memory, s: int, what: int, fold: Callable[[bytes], bytes] = bytes) -> int:
    place = fold(m.text(s)).find(fold(m.text(what)))
    return s + place if place >= 0 else 0


def _span(m: Memory, s: int, chosen: int, *, is_in: bool) -> int:
    text, set_ = m.text(s), m.text(chosen)
    return next((k for k, byte in enumerate(text) if (byte in set_) != is_in), len(text))


def _break(m: Memory, s: int, chosen: int) -> int:
    text, set_ = m.text(s), m.text(chosen)
    return next((s + k for k, byte in enumerate(text) if byte in set_), 0)


def _token(m: Memory, s: int, chosen: int) -> tuple[int, int]:
    """The next part of a text between characters of a set, where a zero is put behind it, and where the rest begins; 0
    where there is none."""
    if not s:
        return 0, 0
    s += _span(m, s, chosen, is_in=True)
    return (s, _cut_off(m, s, chosen)) if m.text(s) else (0, 0)


def _cut_off(m: Memory, s: int, chosen: int) -> int:
    end = s + _span(m, s, chosen, is_in=False)
    if not m.read(end, 1)[0]:
        return 0
    m.write(end, b"\0")
    return end + 1


def _part_of_text(name: str, m: Memory, given: list[int], word: int, order: str) -> int:
    """`strtok_r` and `strsep`, which keep where they are in the program's memory."""
    kept = given[0] if name == "strsep" else given[2]
    s = int.from_bytes(m.read(kept, word), order)  # type: ignore[arg-type]
    if name == "strtok_r":
        found, rest = _token(m, given[0] or s, given[1])
    elif not s:
        return 0
    else:
        found, rest = s, _cut_off(m, s, given[1])
    m.write(kept, rest.to_bytes(word, order))  # type: ignore[arg-type]
    return found


def _duplicate(m: Memory, text: bytes) -> int:
    return _store_text(m, m.allocate(len(text) + 1), text)


def _again(m: Memory, old: int, size: int) -> int:
    if not old:
        return m.allocate(size)
    kept = m.read(old, min(size, m.size(old)))
    new = m.allocate(size)
    if not new:
        return 0
    if kept:
        m.write(new, kept)
    m.free(old)
    return new


def _free(m: Memory, old: int) -> None:
    if old:
        m.free(old)


def _end(ending: str, why: str) -> Callable[..., int | None]:
    def ended(_: Memory, *__: int) -> int | None:
        raise LibraryError(ending, why)

    return ended


def _shown(m: Memory, text: int) -> int:
    m.text(text)
    return _PRINTED


def _is(bit: int, test: Callable[[str], bool]) -> Callable[..., int]:
    """As glibc on a little-endian machine: a bit of its table of kinds."""
    return lambda m, c: int(0 <= c < 128 and test(chr(c))) << bit


def _unsigned(c: int) -> int:
    """As in glibc's tables: of a negative character the byte; -1 is the end of a file."""
    return c + 256 if -128 <= c < -1 else c


_FUNCTIONS: dict[str, Callable[..., int | None]] = {
    "memcpy": _copy,
    "memmove": _copy,
    "memset": _set,
    "__aeabi_memset": lambda m, to, size, value: _set(m, to, value, size),
    "__aeabi_memclr": lambda m, to, size: _set(m, to, 0, size),
    "mempcpy": lambda m, to, source, size: _copy(m, to, source, size) + size,
    "memcmp": lambda m, a, b, size: _sign(m.read(a, size), m.read(b, size)),
    "bcmp": lambda m, a, b, size: _sign(m.read(a, size), m.read(b, size)),
    "memchr": _first_byte,
    "memrchr": _last_byte,
    "rawmemchr": _raw_byte,
    "memmem": _part,
    "memccpy": _copy_to_byte,
    "bzero": lambda m, to, size: _set(m, to, 0, size) and None,
    "bcopy": lambda m, source, to, size: _copy(m, to, source, size) and None,
    "strlen": lambda m, s: len(m.text(s)),
    "strnlen": lambda m, s, most: len(m.text(s, most)),
    "strcmp": lambda m, a, b: _compare(m, a, b, _MOST_TEXT),
    "strncmp": _compare,
    "strcasecmp": lambda m, a, b: _compare(m, a, b, _MOST_TEXT, bytes.lower),
    "strncasecmp": lambda m, a, b, most: _compare(m, a, b, most, bytes.lower),
    "strcpy": lambda m, to, source: _store_text(m, to, m.text(source)),
    "strncpy": _padded,
    "stpcpy": lambda m, to, source: _store_text(m, to, m.text(source)) + len(m.text(source)),
    "stpncpy": lambda m, to, source, most: _padded(m, to, source, most) + len(m.text(source, most)),
    "strlcpy": _cut,
    "strlcat": _cut_behind,
    "strcat": lambda m, to, source: _store_text(m, to + len(m.text(to)), m.text(source)) and to,
    "strncat": lambda m, to, source, most: _store_text(m, to + len(m.text(to)), m.text(source, most)) and to,
    "strchr": _find,
    "strrchr": lambda m, s, c: _find(m, s, c, is_last=True),
    "strchrnul": lambda m, s, c: _find(m, s, c, else_end=True),
    "strstr": _within,
    "strcasestr": lambda m, s, what: _within(m, s, what, bytes.lower),
    "strpbrk": _break,
    "strspn": lambda m, s, chosen: _span(m, s, chosen, is_in=True),
    "strcspn": lambda m, s, chosen: _span(m, s, chosen, is_in=False),
    "strdup": lambda m, s: _duplicate(m, m.text(s)),
    "strndup": lambda m, s, most: _duplicate(m, m.text(s, most)),
    "strtok": lambda m, s, chosen: m.token(s, chosen),
    "getenv": lambda m, name: _shown(m, name) and 0,
    **dict.fromkeys(ANSWERED, lambda m, *given: 0),
    "__errno_location": lambda m: m.errno(),
    "malloc": lambda m, size: m.allocate(size),
    "calloc": lambda m, count, size: m.allocate(count * size),
    "realloc": _again,
    "reallocarray": lambda m, old, count, size: _again(m, old, count * size),
    "free": _free,
    "abs": lambda m, a: abs(a),
    "labs": lambda m, a: abs(a),
    "llabs": lambda m, a: abs(a),
    "isdigit": _is(11, str.isdigit),
    "isalpha": _is(10, str.isalpha),
    "isalnum": _is(3, str.isalnum),
    "isspace": _is(13, lambda c: c in " \t\n\v\f\r"),
    "isupper": _is(8, str.isupper),
    "islower": _is(9, str.islower),
    "isxdigit": _is(12, lambda c: c in "0123456789abcdefABCDEF"),
    "isprint": _is(14, lambda c: " " <= c <= "~"),
    "ispunct": _is(2, lambda c: "!" <= c <= "~" and not c.isalnum()),
    "iscntrl": _is(1, lambda c: c < " " or c == "\x7f"),
    "isgraph": _is(15, lambda c: "!" <= c <= "~"),
    "isblank": _is(0, lambda c: c in " \t"),
    "isascii": lambda m, c: int(0 <= c < 128),
    "toascii": lambda m, c: c & 127,
    "ffs": lambda m, a: (a & -a).bit_length(),
    "tolower": lambda m, c: c + 32 if 65 <= c <= 90 else _unsigned(c),
    "toupper": lambda m, c: c - 32 if 97 <= c <= 122 else _unsigned(c),
    "abort": _end("fault", "abort() was called"),
    "__stack_chk_fail": _end("fault", "the stack was smashed"),
    "__assert_fail": _end("fault", "an assertion failed"),
    "__assert_func": _end("fault", "an assertion failed"),
    "exit": _end("exited", "exit() was called"),
    "_exit": _end("exited", "exit() was called"),
    "puts": _shown,
    "putchar": lambda m, c: c,
    "fputs": lambda m, s, stream: _shown(m, s),
    "fputc": lambda m, c, stream: c,
    "putc": lambda m, c, stream: c,
    "fwrite": lambda m, data, size, count, stream: count,
    "printf": _shown,
    "vprintf": _shown,
    "fprintf": lambda m, stream, text: _shown(m, text),
    "vfprintf": lambda m, stream, text: _shown(m, text),
    "perror": lambda m, s: _shown(m, s) and None,
    "__printf_chk": lambda m, flag, text: _shown(m, text),
    "__fprintf_chk": lambda m, stream, flag, text: _shown(m, text),
    "__vprintf_chk": lambda m, flag, text: _shown(m, text),
    "__vfprintf_chk": lambda m, stream, flag, text: _shown(m, text),
}
NAMES = frozenset((*_FUNCTIONS, *CALCULATIONS, *CHECKED, *_NUMBERS, *_FROM_TEXT, *_TOKENS))
"""The functions that there are."""
