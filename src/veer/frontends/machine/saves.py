"""Functions of libgcc that keep registers on the stack: compilers for PowerPC call them where code is to be small.

_savegpr_30      stw r30,-8(r11); stw r31,-4(r11); blr                   r11: where the caller's frame begins
_restgpr_30      lwz r30,-8(r11); lwz r31,-4(r11); blr
_restgpr_30_x    the same; lwz r0,4(r11); mtlr r0; mr r1,r11; blr        it returns for its caller
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from veer.frontends.machine.image import Code, Segment

_PLACE, _STEP = 0x0FF70000, 0x80
"""Where they lie, near enough to be called."""
_FIRST, _BEHIND, _FRAME = 14, 32, 11
_WORD, _LOAD, _STORE = 4, 32, 36
_RETURN, _LEAVE = (0x4E800020,), (0x7C0803A6, 0x7D615B78)  # blr; mtlr r0, mr r1,r11
_KINDS = ("_savegpr_{}", "_restgpr_{}", "_restgpr_{}_x")
PLACES: Mapping[str, int] = {
    kind.format(register): _PLACE + _STEP * (row * (_BEHIND - _FIRST) + register - _FIRST)
    for row, kind in enumerate(_KINDS)
    for register in range(_FIRST, _BEHIND)
}
"""All of them, by name."""


def segment() -> Segment:
    """Their code."""
    data = b"".join(_bytes(name).ljust(_STEP, b"\0") for name in PLACES)
    return Segment("libgcc's saves of registers", _PLACE, len(data), data, is_writable=False, is_code=True)


def functions(names: Collection[str]) -> dict[int, Code]:
    """Those of these names, by address."""
    return {address: Code(name, address, len(_bytes(name))) for name, address in PLACES.items() if name in names}


def _bytes(name: str) -> bytes:
    kind, first = name[1:5], int(name.split("_")[2])
    moves = [
        _access(_STORE if kind == "save" else _LOAD, each, _WORD * (each - _BEHIND)) for each in range(first, _BEHIND)
    ]
    if name.endswith("_x"):
        moves += (_access(_LOAD, 0, _WORD), *_LEAVE)
    return b"".join(each.to_bytes(_WORD, "big") for each in (*moves, *_RETURN))


def _access(operation: int, register: int, distance: int) -> int:
    """A load or store of a register by the distance from r11."""
    return operation << 26 | register << 21 | _FRAME << 16 | distance & 0xFFFF
