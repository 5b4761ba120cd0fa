"""What a dynamic linker writes before a position-independent file runs, and the addresses that names get.

    prog (a PIE), libx.so   ─►   words of memory, each an address of the file, or of a name that others define

A name that the file does not define gets an address where no memory lies, so that a call is told by name (linked.py has
the same for objects). A variable of another library is memory of zeros.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from veer.frontends.machine.architectures import AARCH64, ARM, POWERPC, RISCV32, RISCV64, X86_64, Architecture
from veer.frontends.machine.threads import Thread
from veer.model.errors import UsageError

UNDEFINED = 0x0FF80000
"""Where no memory lies: names that nothing defines get addresses from here on. It is near enough to objects, which lie
behind it, that each machine's calls come there: those of an ARMv6-M by 4 MiB."""
STEP = 16
OTHERS = 0x0E800000
"""Where variables of other libraries lie."""
_CHOSEN = "a function that the dynamic linker chooses"

DESCRIBED = "__tls_descriptor"
"""The function that a descriptor of a thread's variable leads to: it is given the descriptor (AArch64)."""

_RELATIVE, _SYMBOL, _SLOT, _COPY, _CHOICE, _THREAD, _MODULE, _OFFSET, _DESCRIPTOR = range(9)
_KINDS = {
    X86_64.name: {
        **{1: _SYMBOL, 5: _COPY, 6: _SYMBOL, 7: _SLOT, 8: _RELATIVE, 37: _CHOICE},
        **{16: _MODULE, 17: _OFFSET, 18: _THREAD},
    },
    AARCH64.name: {
        **{257: _SYMBOL, 1024: _COPY, 1025: _SYMBOL, 1026: _SLOT, 1027: _RELATIVE, 1032: _CHOICE},
        **{1028: _MODULE, 1029: _OFFSET, 1030: _THREAD, 1031: _DESCRIPTOR},
    },
    ARM.name: {
        **{2: _SYMBOL, 20: _COPY, 21: _SYMBOL, 22: _SLOT, 23: _RELATIVE, 160: _CHOICE},
        **{17: _MODULE, 18: _OFFSET, 19: _THREAD},
    },
    RISCV32.name: {
        **{1: _SYMBOL, 3: _RELATIVE, 4: _COPY, 5: _SLOT, 58: _CHOICE},
        **{6: _MODULE, 8: _OFFSET, 10: _THREAD},
    },
    RISCV64.name: {
        **{2: _SYMBOL, 3: _RELATIVE, 4: _COPY, 5: _SLOT, 58: _CHOICE},
        **{7: _MODULE, 9: _OFFSET, 11: _THREAD},
    },
    POWERPC.name: {1: _SYMBOL, 19: _COPY, 20: _SYMBOL, 21: _SLOT, 22: _RELATIVE, 68: _MODULE, 78: _OFFSET},
}
"""The numbers of relocations in each machine's ABI."""
_BIAS = {RISCV32.name: 0x800, RISCV64.name: 0x800, POWERPC.name: 0x8000}
"""What each machine's ABI takes off the offsets of a thread's variables, and its `__tls_get_addr` adds."""


class Linked(Struct):
    """What the relocations of a file say. `words`: address -> number; `slots`: addresses of words that only a dynamic
    linker writes; `undefined`: address -> name; `others`: variables of other libraries, address -> name."""

    words: dict[int, int] = field(default_factory=dict)
    slots: set[int] = field(default_factory=set)
    undefined: dict[int, str] = field(default_factory=dict)
    others: dict[int, str] = field(default_factory=dict)
    _addresses: dict[str, int] = field(default_factory=dict)

    def address(self, name: str, *, is_variable: bool = False, size: int = 0) -> int:
        """Of a name that others define."""
        if name in self._addresses:
            return self._addresses[name]
        if is_variable:
            place = max((each + STEP for each in self.others), default=OTHERS)
            self._addresses[name] = place
            self.others[place] = name
        else:
            self._addresses[name] = UNDEFINED + STEP * len(self.undefined)
            self.undefined[self._addresses[name]] = name
        return self._addresses[name]


def linked(elf: Any, machine: Architecture, base: int, own: Thread, file: Path) -> Linked:
    """The words that a dynamic linker writes. `base`: is added to the file's addresses; `own`: what belongs to the
    thread. The number of the file among those with variables of the thread is the address of these. Raises UsageError
    for a relocation that is not known."""
    found, kinds, bias = Linked(), _KINDS.get(machine.name, {}), _BIAS.get(machine.name, 0)
    for relocation, symbol in _relocations(elf):
        if relocation["r_info_type"] == 0:
            continue
        kind = kinds.get(relocation["r_info_type"])
        if kind is None:
            raise UsageError(
                f"{file} has a relocation of type {relocation['r_info_type']} at {relocation['r_offset']:#x}, "
                f"which veer does not know for {machine.name}: link it without (-static -no-pie)"
            )
        place = relocation["r_offset"] + base
        added = relocation["r_addend"] if relocation.is_RELA() else _in_place(elf, relocation["r_offset"], machine)
        if kind == _RELATIVE:
            found.words[place] = base + added
        elif kind == _CHOICE:
            found.words[place] = found.address(_CHOSEN)
        elif kind == _MODULE:
            found.words[place] = own.pointer + own.offset + bias
        elif kind in (_OFFSET, _THREAD, _DESCRIPTOR):
            offset = added + (symbol["st_value"] if symbol is not None else 0)
            if kind == _DESCRIPTOR:
                found.slots |= {place, place + machine.bytes}
                found.words[place], place = found.address(DESCRIBED), place + machine.bytes
            found.words[place] = offset - bias if kind == _OFFSET else own.offset + offset
        elif kind in (_SYMBOL, _SLOT) and symbol is not None:
            is_slot = kind == _SLOT
            found.words[place] = _value(found, symbol, base) + (0 if is_slot and machine is not AARCH64 else added)
            if is_slot:
                found.slots.add(place)
    return found


def packed(elf: Any) -> Iterator[int]:
    """The places of relative relocations that are packed (DT_RELR), as the file has them."""
    for segment in elf.iter_segments("PT_DYNAMIC"):
        table = segment.get_relocation_tables().get("RELR")
        for each in table.iter_relocations() if table is not None else ():
            yield each["r_offset"]


def word(elf: Any, address: int, machine: Architecture) -> int:
    """The word that the file has at one of its addresses."""
    return _in_place(elf, address, machine)


def _relocations(elf: Any) -> Iterator[tuple[Any, Any]]:
    """Those of the dynamic linker, with their symbols (None: without one)."""
    for segment in elf.iter_segments("PT_DYNAMIC"):
        symbols = list(segment.iter_symbols())
        for name, table in segment.get_relocation_tables().items():
            for each in table.iter_relocations() if name != "RELR" else ():
                number = each["r_info_sym"]
                yield each, symbols[number] if 0 < number < len(symbols) else None


def _value(found: Linked, symbol: Any, base: int) -> int:
    """The address of a symbol; 0 of a weak one that nobody defines."""
    if symbol["st_shndx"] != "SHN_UNDEF":
        return int(symbol["st_value"]) + base
    if symbol["st_info"]["bind"] == "STB_WEAK" and symbol.name.startswith(
        ("_ITM_", "__gmon_start__", "__cxa_finalize")
    ):
        return 0
    return found.address(symbol.name, is_variable=symbol["st_info"]["type"] == "STT_OBJECT")


def _in_place(elf: Any, address: int, machine: Architecture) -> int:
    for each in elf.iter_segments("PT_LOAD"):
        place = address - each["p_vaddr"]
        if 0 <= place < each["p_filesz"]:
            data = each.data()[place : place + machine.bytes]
            return int.from_bytes(data, "big" if machine.is_big else "little")
    return 0
