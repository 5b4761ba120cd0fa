"""Which parameters of a function are open files: streams by their type, descriptors by what the code does with them.

int count(FILE *in)                    a stream
int size(int fd) { fstat(fd, &s); }    a descriptor: its value goes to calls on descriptors, and nowhere else
if (fd < 0) return -1;                 and may be none: it is compared with 0 or -1
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct, field

from veer.frontends.c.contracts.functionbody import call
from veer.frontends.c.contracts.reading import Knowledge
from veer.frontends.c.parameterkinds import is_pointer, target
from veer.frontends.llvm.debuginfo import DebugFunction, DebugInfo
from veer.instrument.instructions import Instruction

_LOCAL = re.compile(r'%(?:"[^"]*"|[-\w.$]+)')
_CALLS = ("read", "write", "close", "lseek", "fstat", "pread", "pwrite", "ftruncate", "fsync", "fdatasync", "isatty")
_TAKERS = frozenset((*_CALLS, *(f"{name}64" for name in _CALLS), "fdopen", "fcntl", "fcntl64", "fchmod", "dup"))
"""Functions of the C library whose first argument is a descriptor."""


class OpenFile(Struct, frozen=True):
    """A parameter that is an open file. `may_be_none`: the code asks whether it is NULL, or no descriptor."""

    may_be_none: bool


Place = tuple[str, str]
"""A function of the module, and one of its parameters."""


class _Uses(Struct):
    """What is done with a parameter: it goes to calls on descriptors; it is told from none; there is more; it is passed
    on to functions of the module."""

    is_given: bool = False
    is_compared: bool = False
    is_more: bool = False
    passed: set[Place] = field(default_factory=set)


class OpenFiles(Struct):
    """Which parameters are open files, of the functions of one module; each function is read once."""

    known: Knowledge
    _read: dict[Place, _Uses] = field(default_factory=dict)

    def of(self, function: DebugFunction) -> Mapping[str, OpenFile]:
        """The parameters of a function of the module that are open files, by their names."""
        debug = self.known.module.debug
        found: dict[str, OpenFile] = {}
        for parameter in function.parameters:
            if not (_is_stream(debug, parameter.type) or _is_int(debug, parameter.type)):
                continue
            uses = self._uses((function.name, parameter.name))
            if _is_stream(debug, parameter.type) or (uses.is_given and not uses.is_more):
                found[parameter.name] = OpenFile(uses.is_compared)
        return found

    def _uses(self, place: Place) -> _Uses:
        """All that is done with a parameter, by the functions that it is passed on to, too."""
        found, waiting, seen = _Uses(), [place], {place}
        while waiting:
            own = self._own(waiting.pop())
            found.is_given |= own.is_given
            found.is_compared |= own.is_compared
            found.is_more |= own.is_more
            waiting += own.passed - seen
            seen |= own.passed
        return found

    def _own(self, place: Place) -> _Uses:
        """What the function itself does with it."""
        if place not in self._read:
            self._read[place] = self._read_in(*place)
        return self._read[place]

    def _read_in(self, function: str, parameter: str) -> _Uses:
        body, found = self.known.bodies().function(function), _Uses()
        slot = next((slot for slot, name in body.parameters.items() if name == parameter), "") if body else ""
        if body is None or not slot:
            return _Uses(is_more=True)
        found.is_more = len(body.stores.get(slot, ())) > 1
        loaded = {made.result for made in body.instructions() if made.opcode == "load" and slot in _locals(made)}
        for instruction in body.instructions():
            used = _locals(instruction)
            if slot in used and instruction.opcode not in ("load", "store", "alloca"):
                found.is_more = True
            if instruction.result not in loaded and not loaded.isdisjoint(used):
                self._use(instruction, loaded, found)
        return found

    def _use(self, instruction: Instruction, loaded: set[str], found: _Uses) -> None:
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
            names = self.known.parameter_names(called.function)
            for place, value in enumerate(called.arguments):
                if value in loaded and place < len(names):
                    found.passed.add((called.function, names[place]))
                found.is_more |= value in loaded and place >= len(names)

    def _is_taker(self, function: str) -> bool:
        """Whether it is the C library's: a unit may have a `close` of its own."""
        return function in _TAKERS and self.known.bodies().function(function) is None


def _is_stream(debug: DebugInfo, reference: int) -> bool:
    if not is_pointer(debug, reference):
        return False
    return debug.node(debug.strip(target(debug, reference))).text("name") == "_IO_FILE"


def _is_int(debug: DebugInfo, reference: int) -> bool:
    node = debug.node(debug.strip(reference))
    return node.fields.get("encoding", "") == "DW_ATE_signed" and node.number("size") == 32


def _locals(instruction: Instruction) -> frozenset[str]:
    return frozenset(_LOCAL.findall(instruction.text)) - {instruction.result}
