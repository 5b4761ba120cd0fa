"""One emulator for many inputs of a function without pointers: a replay takes a new one for each, at 4 to 10 ms."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from veer.frontends.machine.emulated import Emulator

MOST_INSTRUCTIONS = 1 << 20


class Run(Struct, frozen=True):
    """How a call ended, its result, and the addresses of the instructions in the order in which they ran."""

    ended: str
    result: int
    trace: tuple[int, ...]


class KeptEmulator(Emulator):
    """It has the registers of its first moment and an empty stack before each call; nothing else is ever written."""

    def __init__(self, request: dict[str, Any]) -> None:
        super().__init__(request)
        self._uc = self.processor()
        self._map(self._uc, {"memory": []})
        self._first = self._uc.context_save()
        self._trace: list[int] = []
        self._uc.hook_add(self._unicorn.UC_HOOK_CODE, self._seen)
        self._uc.hook_add(self._unicorn.UC_HOOK_MEM_WRITE, self._written)
        self._dirty: dict[int, int] = {}

    def call(self, test: dict[str, Any]) -> Run:
        """One call."""
        uc = self._uc
        uc.context_restore(self._first)
        for address, size in self._dirty.items():
            uc.mem_write(address, bytes(size))
        self._dirty.clear()
        self._trace = []
        for address, data, _ in test["memory"]:
            uc.mem_write(address, bytes.fromhex(data))
        for name, value in {**self._request["registers"], **test["registers"]}.items():
            uc.reg_write(self.register(name), value)
        ended, _ = self._ending(uc, [])
        parts = [uc.reg_read(self.register(name)) for name in self._request["result"]]
        bits = self._request["bits"]
        result = sum(part % (1 << bits) << bits * place for place, part in enumerate(parts))
        return Run(ended, result, tuple(self._trace))

    def _seen(self, uc: Any, address: int, *_: Any) -> None:
        if address in self._imports or len(self._trace) > MOST_INSTRUCTIONS:
            uc.emu_stop()
        else:
            self._trace.append(address)

    def _written(self, _uc: Any, _access: int, address: int, size: int, *_: Any) -> None:
        self._dirty[address] = max(size, self._dirty.get(address, 0))
