"""Whether an entry may read standard input, by the text of its unit: then that is one of its inputs."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from veer.frontends.llvm.compiled import Module

_READERS = frozenset(
    ("getchar", "getchar_unlocked", "gets", "getwchar", "scanf", "vscanf", "wscanf", "vwscanf", "stdin")
)
_OF_ANY_NUMBER = frozenset(("read", "readv", "__read_chk", "dup", "dup2", "dup3", "fcntl", "fdopen", "lseek", "fstat"))
"""Those that may be given descriptor 0."""
_SCANS = re.compile(r"__isoc\d+_")
_FROM_NUMBER = re.compile(r"@p?read(?:v|64)?\((?:i32) (?:\w+ )*0,")
_READS = "read(0)"
_DEFINITION = re.compile(
    r'^(?:define [^@\n]*@(?P<function>[-\w.$]+|"[^"\n]*").*?^}$|@(?P<data>[-\w.$]+|"[^"\n]*") = .*?$)', re.M | re.S
)
_MOST_KEPT = 64
_NAME = re.compile(r'@([-\w.$]+|"[^"\n]*")')


def reads_standard_input(modules: Sequence[Module], entry: str, *, is_program: bool = False) -> bool:
    """Whether what the entry names, directly or by others, reads standard input, names `stdin`, or reads from 0.

    A function whose address is in data that is named counts as called. `is_program`: whatever is done with a descriptor
    may be done with 0.
    """
    named: dict[str, set[str]] = defaultdict(set)
    for module in modules:
        for name, names in _named(module.ir):
            named[name] |= names
    reached, waiting = {entry}, [entry]
    while waiting:
        for name in named.get(waiting.pop(), set()) - reached:
            reached.add(name)
            waiting.append(name)
    readers = _READERS | _OF_ANY_NUMBER if is_program else _READERS
    return _READS in reached or not readers.isdisjoint(_SCANS.sub("", name) for name in reached)


@lru_cache(maxsize=_MOST_KEPT)
def _named(ir: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The functions and variables of a module, each with what it names; many entries ask about the same module."""
    found = []
    for each in _DEFINITION.finditer(ir):
        names = {*_NAME.findall(each[0]), *([_READS] if _FROM_NUMBER.search(each[0]) else [])}
        found.append((each["function"] or each["data"], frozenset(names)))
    return tuple(found)
