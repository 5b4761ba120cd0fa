"""Which parameters of a function are open files: streams by their type, descriptors by what the code does with them.

int count(FILE *in)                    a stream
int size(int fd) { fstat(fd, &s); }    a descriptor: its value goes to calls on descriptors, and nowhere else
if (fd < 0) return -1;                 and may be none: it is compared with 0 or -1
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from veer.frontends.c.contracts.functionbody import call
from veer.frontends.c.contracts.reading import Knowledge
from veer.frontends.c.parameterkinds import is_pointer, target
from veer.frontends.llvm.debuginfo import DebugFunction, DebugInfo
from veer.instrument.instructions import Instruction

_LOCAL = re.compile(r'%(?:"[^"]*"|[-\w.$]+)')
_CALLS = ("read", "write", "close", "lseek", "fstat", "pread", "pwrite", "ftruncate", "fsync", "fdatasync", "isatty")
_TAKERS = frozenset((*_CALLS, *(f"{name}64" for name in _CALLS), "fdopen", "fcntl", "fcntl64", "fchmod", "dup"))
"""Functions of the C library whose first argument is a descriptor."""


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A parameter that is an open file. `may_be_none`: the code asks whether it is NULL, or no descriptor."""

    may_be_none: bool


def open_files(known: Knowledge, function: DebugFunction) -> Mapping[str, OpenFile]:
    """The parameters of a function of the module that are open files, by their names."""
    debug, reader = known.module.debug, _Reader(known)
    found: dict[str, OpenFile] = {}
    for parameter in function.parameters:
        uses = reader.uses(function.name, parameter.name)
        if _is_stream(debug, parameter.type) or (_is_int(debug, parameter.type) and uses.is_given and not uses.is_more):
            found[parameter.name] = OpenFile(uses.is_compared)
    return found


def _is_stream(debug: DebugInfo, reference: int) -> bool:
    if not is_pointer(debug, reference):
        return False
    return debug.node(debug.strip(target(debug, reference))).text("name") == "_IO_FILE"


def _is_int(debug: DebugInfo, reference: int) -> bool:
    node = debug.node(debug.strip(reference))
    return node.fields.get("encoding", "") == "DW_ATE_signed" and node.number("size") == 32


@dataclass(slots=True)
class _Uses:
    """What is done with a parameter: it goes to calls on descriptors; it is told from none; there is more."""

    is_given: bool = False
    is_compared: bool = False
    is_more: bool = False


@dataclass(slots=True)
class _Reader:
    known: Knowledge

    def uses(self, function: str, parameter: str, seen: frozenset[tuple[str, str]] = frozenset()) -> _Uses:
        """Of a function that the module defines; what the functions do that it is passed on to counts, too."""
        body, found = self.known.bodies().function(function), _Uses()
        slot = next((slot for slot, name in body.parameters.items() if name == parameter), "") if body else ""
        if body is None or not slot or (function, parameter) in seen:
            return _Uses(is_more=body is None or not slot)
        found.is_more = len(body.stores.get(slot, ())) > 1
        loaded = {made.result for made in body.instructions() if made.opcode == "load" and slot in _locals(made)}
        for instruction in body.instructions():
            if slot in _locals(instruction) and instruction.opcode not in ("load", "store", "alloca"):
                found.is_more = True
            if instruction.result not in loaded and not loaded.isdisjoint(_locals(instruction)):
                self._use(instruction, loaded, found, seen | {(function, parameter)})
        return found

    def _use(self, instruction: Instruction, loaded: set[str], found: _Uses, seen: frozenset[tuple[str, str]]) -> None:
        called = call(instruction)
        if instruction.opcode == "icmp":
            other = next((each.value for each in instruction.operands if each.value not in loaded), "")
            found.is_compared |= other in ("0", "-1", "null")
            found.is_more |= other not in ("0", "-1", "null")
        elif called is None:
            found.is_more = True
        elif self._is_taker(called.function) and called.arguments[0] in loaded and not loaded & {*called.arguments[1:]}:
            found.is_given = True
        else:
            for name in self._passed(called.function, called.arguments, loaded):
                inner = self.uses(called.function, name, seen) if name else _Uses(is_more=True)
                found.is_given |= inner.is_given
                found.is_compared |= inner.is_compared
                found.is_more |= inner.is_more

    def _is_taker(self, function: str) -> bool:
        """Whether it is the C library's: a unit may have a `close` of its own."""
        return function in _TAKERS and self.known.bodies().function(function) is None

    def _passed(self, function: str, arguments: tuple[str, ...], loaded: set[str]) -> Iterator[str]:
        """The callee's parameters that get the value; "" for one of which nothing is known."""
        declared = self.known.module.function(function)
        names = [each.name for each in declared.parameters] if declared is not None else []
        for place, value in enumerate(arguments):
            if value in loaded:
                yield names[place] if place < len(names) else ""


def _locals(instruction: Instruction) -> frozenset[str]:
    return frozenset(_LOCAL.findall(instruction.text)) - {instruction.result}
