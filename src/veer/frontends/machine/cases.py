"""Helpers of libgcc for `switch` in Thumb code of small processors, as code, for objects that call them (switches.py).

__gnu_thumb1_case_uqi   push {r1}; mov r1,lr; lsrs r1,#1; lsls r1,#1; ldrb r1,[r1,r0]; lsls r1,#1; add lr,r1; pop {r1};
                        bx lr
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from veer.frontends.machine.image import Code, Segment

_PLACE, _STEP = 0x0FF60000, 0x20
"""Where they lie, near enough to be called."""
_BYTE, _SIGNED_BYTE, _HALF, _SIGNED_HALF = 0x5C09, 0x5609, 0x5A09, 0x5E09  # loads of r1 from r1 + r0


def _of_bytes(load: int) -> tuple[int, ...]:
    return (0xB402, 0x4671, 0x0849, 0x0049, load, 0x0049, 0x448E, 0xBC02, 0x4770)


def _of_halves(load: int) -> tuple[int, ...]:
    return (0xB403, 0x4671, 0x0849, 0x0040, 0x0049, load, 0x0049, 0x448E, 0xBC03, 0x4770)


_CODE: Mapping[str, tuple[int, ...]] = {
    "__gnu_thumb1_case_uqi": _of_bytes(_BYTE),
    "__gnu_thumb1_case_sqi": _of_bytes(_SIGNED_BYTE),
    "__gnu_thumb1_case_uhi": _of_halves(_HALF),
    "__gnu_thumb1_case_shi": _of_halves(_SIGNED_HALF),
    # a whole word is the distance itself, of a table at the next multiple of 4
    "__gnu_thumb1_case_si": (0xB403, 0x4671, 0x3102, 0x0889, 0x0080, 0x0089, 0x5808, 0x1840, 0x4686, 0xBC03, 0x46F7),
}
PLACES: Mapping[str, int] = {name: _PLACE + _STEP * number | 1 for number, name in enumerate(_CODE)}
"""All of them, by name, with the mark of Thumb code."""


def segment() -> Segment:
    """Their code."""
    data = b"".join(_bytes(name).ljust(_STEP, b"\0") for name in _CODE)
    return Segment("libgcc's jump tables", _PLACE, len(data), data, is_writable=False, is_code=True)


def functions(names: Collection[str]) -> dict[int, Code]:
    """Those of these names, by address."""
    return {
        place & ~1: Code(name, place & ~1, len(_bytes(name)), is_thumb=True)
        for name, place in PLACES.items()
        if name in names
    }


def _bytes(name: str) -> bytes:
    return b"".join(each.to_bytes(2, "little") for each in _CODE[name])
