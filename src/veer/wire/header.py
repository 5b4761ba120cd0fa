"""Writes `runtime/include/veer_wire.h` from its neighbours: `python -m veer.wire.header > .../veer_wire.h`.

Constants and enumerations are taken as they stand in their modules, in that order.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

import numpy as np

from veer.wire import constants, enumerations, layout

_C_TYPES = {"u1": "uint8_t", "u2": "uint16_t", "u4": "uint32_t", "u8": "uint64_t", "i4": "int32_t", "i8": "int64_t"}
_RECORDS: dict[str, np.dtype[np.void]] = {
    **{name: dtype for section in layout.SECTIONS for name, dtype in section.records.items()},
    "veer_control": layout.CONTROL,
}
_CONSTANTS = {name: value for name, value in vars(constants).items() if name.isupper()}
_ENUMERATIONS: list[type[IntEnum]] = [
    each
    for each in vars(enumerations).values()
    if isinstance(each, type) and issubclass(each, IntEnum) and each is not IntEnum
]


def header() -> str:
    """The text of veer_wire.h: constants, enumerations, records with static asserts, region offsets."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "/* Generated from src/veer/wire/layout.py by `python -m veer.wire.header`; do not edit. */"
    yield "#ifndef VEER_WIRE_H\n#define VEER_WIRE_H\n#include <stddef.h>\n#include <stdint.h>\n"
    for name, value in _CONSTANTS.items():
        suffix = "ull" if value > 0xFFFF_FFFF else "u"
        yield f"#define VEER_{name} {value:#x}{suffix}"
    for enum in _ENUMERATIONS:
        members = ", ".join(f"VEER_{enum.__name__.upper()}_{m.name} = {int(m)}" for m in enum)
        yield f"\nenum veer_{enum.__name__.lower()} {{ {members} }};"
    for index, rung in enumerate(layout.RUNGS):
        yield f"#define VEER_RUNG_{rung.upper()} {index}"
    yield f"#define VEER_RUNG_COUNT {len(layout.RUNGS)}"
    for name, dtype in _RECORDS.items():
        yield from _record(name, dtype)
    offsets, total = layout.region_offsets()
    yield f"\n#define VEER_SHARED_SIZE {total:#x}ull"
    for region in layout.REGIONS:
        upper = region.name.upper()
        yield f"#define VEER_{upper}_OFFSET {offsets[region.name]:#x}ull"
        yield f"#define VEER_{upper}_CAPACITY {region.capacity:#x}u"
    yield "/* R(offset, bytes) for each region: a guard page lies behind it. */"
    sizes = ((offsets[r.name], np.dtype(r.dtype).itemsize * r.capacity) for r in layout.REGIONS)
    yield "#define VEER_FOR_EACH_REGION(R) " + " ".join(f"R({offset:#x}ull, {size:#x}ull)" for offset, size in sizes)
    yield "\n#endif"


def _record(name: str, dtype: np.dtype[np.void]) -> Iterator[str]:
    assert dtype.fields is not None
    yield f"\nstruct {name} {{"
    for field, (kind, offset, *_) in dtype.fields.items():
        base, shape = (kind.subdtype[0], kind.subdtype[1]) if kind.subdtype else (kind, ())
        if base.fields is not None:
            c_type = next(f"struct {n}" for n, d in _RECORDS.items() if d == base)
        elif base.kind == "S":
            c_type, shape = "char", (base.itemsize,)
        else:
            c_type = _C_TYPES[base.str[1:]]
        yield f"    {c_type} {field}{''.join(f'[{n}]' for n in shape)}; /* {offset} */"
    yield "};"
    yield f'_Static_assert(sizeof(struct {name}) == {dtype.itemsize}, "{name} differs from layout.py");'


if __name__ == "__main__":
    print(header(), end="")
