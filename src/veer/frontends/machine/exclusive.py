"""Loads and stores that belong together, as one processor runs them: `ldrex` and `strex` and their kin, as p-code.

lwarx r5,0,r3        notes the address
stwcx. r6,0,r3       is done where its address is the one noted, and says so; nothing is noted behind it

What other processors do meanwhile nobody looks at. An own store between the two changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from veer.frontends.machine.architectures import AARCH64, ARM, POWERPC, RISCV32, RISCV64, Architecture
from veer.frontends.machine.decoder import CONST, REGISTER, UNIQUE, Operation, Varnode

_OWN = 0xF0002000
"""Where no register and no temporary of SLEIGH's lies."""
_IS_NOTED = Varnode(REGISTER, _OWN + 0x10, 1)
_LOADS = {
    ARM.name: re.compile(r"(?:ldrex|ldaex)"),
    AARCH64.name: re.compile(r"lda?x[rp]"),
    POWERPC.name: re.compile(r"lwarx\b"),
}
_ASKS = frozenset(("hasExclusiveAccess", "ExclusiveMonitorPass"))
_RISCV_STORE = re.compile(r"sc\.[wd]\b")
_RISCV_IS_NOTED = 0x1018
"""SLEIGH's register for that."""
_POWERPC_IS_NOTED, _XER_SO, _CR0 = 0x728, 0x400, 0x900


def exclusive(machine: Architecture, text: str, operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The operations of such an instruction; those of any other one as they are."""
    loads = _LOADS.get(machine.name)
    if loads is not None and loads.match(text):
        return tuple(_noting(machine, operations))
    if machine is POWERPC and text.startswith("stwcx."):
        return tuple(_conditional(machine, operations))
    if machine in (RISCV32, RISCV64) and _RISCV_STORE.match(text):
        return tuple(_forgetting(operations))
    return tuple(new for each in operations for new in _asking(machine, each))


def _noted(machine: Architecture) -> Varnode:
    return Varnode(REGISTER, _OWN, machine.bytes)


def _noting(machine: Architecture, operations: tuple[Operation, ...]) -> Iterable[Operation]:
    """The address of the first load is noted before it."""
    place = next(k for k, each in enumerate(operations) if each.name == "LOAD")
    yield from (each for each in operations[:place] if each.named != "ExclusiveAccess")
    yield Operation("COPY", _noted(machine), operations[place].inputs)
    yield Operation("COPY", _IS_NOTED, (_number(1),))
    yield from operations[place:]


def _asked(machine: Architecture, output: Varnode, address: Varnode) -> Iterable[Operation]:
    """Whether the address is the one noted; none is any more."""
    is_same = Varnode(UNIQUE, _OWN, 1)
    yield Operation("INT_EQUAL", is_same, (_noted(machine), address))
    yield Operation("BOOL_AND", output, (is_same, _IS_NOTED))
    yield Operation("COPY", _IS_NOTED, (_number(0),))


def _asking(machine: Architecture, old: Operation) -> Iterable[Operation]:
    """ARM and AArch64."""
    if old.name == "CALLOTHER" and old.named in _ASKS and old.output is not None:
        yield from _asked(machine, old.output, old.inputs[0])
    elif old.name == "CALLOTHER" and old.named == "ExclusiveMonitorsStatus":
        yield Operation("COPY", old.output, (_number(0),))
    elif old.name == "CALLOTHER" and old.named == "ClearExclusiveLocal":
        yield Operation("COPY", _IS_NOTED, (_number(0),))
    else:
        yield old


def _forgetting(operations: tuple[Operation, ...]) -> Iterable[Operation]:
    """RISC-V: SLEIGH keeps what is noted where the store fails; the processor does not."""
    for each in operations:
        if each.name == "CBRANCH":
            yield Operation("COPY", Varnode(REGISTER, _RISCV_IS_NOTED, 1), (_number(0),))
        yield each


def _conditional(machine: Architecture, operations: tuple[Operation, ...]) -> Iterable[Operation]:
    """PowerPC: `cr0` is 2 where the store is done and 0 where it is not, beside its lowest bit.

    SLEIGH asks whether anything is noted, and its loads note nothing.
    """
    place = next(k for k, each in enumerate(operations) if _POWERPC_IS_NOTED in (v.offset for v in each.inputs))
    branch = next(each for each in operations if each.name == "CBRANCH")
    stored = next(each for each in operations if each.name == "CALLOTHER")
    store = next(each for each in operations if each.name == "STORE")
    address = store.inputs[0]
    is_done, is_not, so, done = (Varnode(UNIQUE, _OWN + 1 + k, 1) for k in range(4))
    yield from operations[:place]
    yield from _asked(machine, is_done, address)
    yield Operation("INT_AND", so, (Varnode(REGISTER, _XER_SO, 1), _number(1)))
    yield Operation("INT_LEFT", done, (is_done, _number(1)))
    yield Operation("INT_OR", Varnode(REGISTER, _CR0, 1), (done, so))
    yield Operation("BOOL_NEGATE", is_not, (is_done,))
    yield Operation("CBRANCH", None, (branch.inputs[0], is_not))
    yield Operation("STORE", None, (address, stored.inputs[0]), space=store.space)


def _number(value: int) -> Varnode:
    return Varnode(CONST, value, 1)
