"""Calculations that compilers leave to a function where the processor has no instruction for them, as IR.

Divisions, numbers of 64 bits and floating-point numbers of machines without such registers: the names of the ARM EABI
(RTABI, section 4), and those of libgcc. A file that has such a function itself is lifted as it is.

A division by zero is a bug here: what the function does then is left to who wrote it (RTABI, 4.3.2).
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Mapping
from types import MappingProxyType

from msgspec import Struct

from veer.frontends.machine.architectures import ARM, I8051, Architecture

_TABLE = """
__aeabi_idiv ss s sdiv, __aeabi_uidiv uu u udiv, __aeabi_idivmod ss ss sdivmod, __aeabi_uidivmod uu uu udivmod
__aeabi_ldivmod ll ll sdivmod, __aeabi_uldivmod vv vv udivmod, __aeabi_lmul ll l mul
__aeabi_llsl vs v shl, __aeabi_llsr vs v lshr, __aeabi_lasr ls l ashr, __aeabi_lcmp ll s order, __aeabi_ulcmp vv s order
__aeabi_fadd ff f fadd, __aeabi_fsub ff f fsub, __aeabi_frsub ff f frsub, __aeabi_fmul ff f fmul, __aeabi_fdiv ff f fdiv
__aeabi_dadd dd d fadd, __aeabi_dsub dd d fsub, __aeabi_drsub dd d frsub, __aeabi_dmul dd d fmul, __aeabi_ddiv dd d fdiv
__aeabi_fneg f f fneg, __aeabi_dneg d d fneg, __aeabi_f2d f d convert, __aeabi_d2f d f convert
__aeabi_fcmpeq ff s oeq, __aeabi_fcmplt ff s olt, __aeabi_fcmple ff s ole, __aeabi_fcmpge ff s oge
__aeabi_fcmpgt ff s ogt, __aeabi_fcmpun ff s uno, __aeabi_dcmpeq dd s oeq, __aeabi_dcmplt dd s olt
__aeabi_dcmple dd s ole, __aeabi_dcmpge dd s oge, __aeabi_dcmpgt dd s ogt, __aeabi_dcmpun dd s uno
__aeabi_i2f s f convert, __aeabi_ui2f u f convert, __aeabi_l2f l f convert, __aeabi_ul2f v f convert
__aeabi_i2d s d convert, __aeabi_ui2d u d convert, __aeabi_l2d l d convert, __aeabi_ul2d v d convert
__aeabi_f2iz f s convert, __aeabi_f2uiz f u convert, __aeabi_f2lz f l convert, __aeabi_f2ulz f v convert
__aeabi_d2iz d s convert, __aeabi_d2uiz d u convert, __aeabi_d2lz d l convert, __aeabi_d2ulz d v convert
__divsi3 ss s sdiv, __udivsi3 uu u udiv, __modsi3 ss s srem, __umodsi3 uu u urem, __mulsi3 ss s mul
__divdi3 ll l sdiv, __udivdi3 vv v udiv, __moddi3 ll l srem, __umoddi3 vv v urem, __muldi3 ll l mul
__ashldi3 vs v shl, __lshrdi3 vs v lshr, __ashrdi3 ls l ashr, __cmpdi2 ll s order1, __ucmpdi2 vv s order1
__negdi2 l l neg
__clzsi2 u s ctlz, __clzdi2 v s ctlz, __ctzsi2 u s cttz, __ctzdi2 v s cttz, __bswapsi2 u u bswap, __bswapdi2 v v bswap
__popcountsi2 u s ctpop, __popcountdi2 v s ctpop, __paritysi2 u s parity, __paritydi2 v s parity
__addsf3 ff f fadd, __subsf3 ff f fsub, __mulsf3 ff f fmul, __divsf3 ff f fdiv, __negsf2 f f fneg
__adddf3 dd d fadd, __subdf3 dd d fsub, __muldf3 dd d fmul, __divdf3 dd d fdiv, __negdf2 d d fneg
__eqsf2 ff s below, __nesf2 ff s below, __ltsf2 ff s below, __lesf2 ff s below, __gtsf2 ff s above, __gesf2 ff s above
__eqdf2 dd s below, __nedf2 dd s below, __ltdf2 dd s below, __ledf2 dd s below, __gtdf2 dd s above, __gedf2 dd s above
__unordsf2 ff s uno, __unorddf2 dd s uno, __extendsfdf2 f d convert, __truncdfsf2 d f convert
__floatsisf s f convert, __floatunsisf u f convert, __floatdisf l f convert, __floatundisf v f convert
__floatsidf s d convert, __floatunsidf u d convert, __floatdidf l d convert, __floatundidf v d convert
__fixsfsi f s convert, __fixunssfsi f u convert, __fixsfdi f l convert, __fixunssfdi f v convert
__fixdfsi d s convert, __fixunsdfsi d u convert, __fixdfdi d l convert, __fixunsdfdi d v convert
"""
_C = {"s": "int", "u": "unsigned", "l": "long long", "v": "unsigned long long"}
_C |= {"f": "unsigned", "d": "unsigned long long"}  # their bits
_WIDTHS = {"s": 32, "u": 32, "f": 32, "l": 64, "v": 64, "d": 64}
_FLOATS = {"f": "float", "d": "double"}
_SIGNED = frozenset("sl")
_EXACT = {"f": 24, "d": 53}
"""Bits of a number that a floating-point number has without rounding."""
Writes = Callable[[str], str]
"""Adds an instruction with a result, and gives its name."""


class Calculation(Struct, frozen=True):
    """One function: `takes` and `gives` are letters of types, s and u of 32 bits, l and v of 64, f and d of floats."""

    name: str
    takes: str
    gives: str
    what: str

    @property
    def prototype(self) -> str:
        """What it takes, as C declares it."""
        given = ", ".join(f"{_C[kind]} a{place}" for place, kind in enumerate(self.takes))
        return f"void {self.name}({given})"

    @property
    def width(self) -> int:
        """Bits of its results together."""
        return sum(_WIDTHS[kind] for kind in self.gives)


_KNOWN: Mapping[str, Calculation] = MappingProxyType(
    {
        row.split()[0]: Calculation(*row.split())
        for row in itertools.chain.from_iterable(line.split(", ") for line in _TABLE.strip().splitlines())
    }
)
NAMES = frozenset(_KNOWN)
"""All of them."""


def calculation(name: str, machine: Architecture) -> Calculation | None:
    """None for what is no such function of that machine."""
    if machine is I8051 or (name.startswith("__aeabi") and machine is not ARM):
        return None
    return _KNOWN.get(name)


def registers(known: Calculation, machine: Architecture) -> tuple[str, ...]:
    """Those of its results, the lowest part first."""
    if machine.bits == 64:
        return (machine.result,)
    found: list[str] = []
    for kind in known.gives:
        first = len(found)
        own = machine.arguments[first : first + _WIDTHS[kind] // machine.bits]
        found += reversed(own) if machine.is_big else own
    return tuple(found)


def written(known: Calculation, given: list[str], write: Writes) -> str:
    """Its results as one number of `width` bits, the first one lowest. `given`: arguments as numbers of their widths.

    Straight code: a branch would be one of the program's.
    """
    kind, what = known.takes[0], known.what
    width = _WIDTHS[kind]
    type_ = f"i{width}"
    if what in ("fadd", "fsub", "fmul", "fdiv", "frsub", *_COMPARED, "below", "above"):
        return _on_floats(known, given, write)
    if what == "convert":
        return _converted(known, given[0], write)
    if what == "fneg":
        return write(f"xor {type_} {given[0]}, {1 << width - 1}")
    if what.endswith(("divmod", "div", "rem")):
        return _divided(known, given, write)
    if what in ("shl", "lshr", "ashr"):
        return _shifted(what, type_, given, write)
    if what.startswith("order"):
        return _order(known, given, write)
    if what in ("add", "sub", "mul"):
        return write(f"{what} {type_} {given[0]}, {given[1]}")
    if what == "neg":
        return write(f"sub {type_} 0, {given[0]}")
    return _counted(known, given[0], write)


def _divided(known: Calculation, given: list[str], write: Writes) -> str:
    """The least number divided by -1 is itself, with a remainder of 0."""
    width, what = _WIDTHS[known.takes[0]], known.what
    type_, (a, b) = f"i{width}", given
    if what.startswith("s"):
        least = write(f"icmp eq {type_} {a}, {-(1 << width - 1)}")
        special = write(f"and i1 {least}, {write(f'icmp eq {type_} {b}, -1')}")
        one = write(f"zext i1 {special} to {type_}")
        b = write(f"add {type_} {b}, {write(f'shl {type_} {one}, 1')}")  # 1 in place of -1
    sign = what[0]
    if not what.endswith("divmod"):
        return write(f"{what} {type_} {a}, {b}")
    quotient, rest = write(f"{sign}div {type_} {a}, {b}"), write(f"{sign}rem {type_} {a}, {b}")
    low, high = (write(f"zext {type_} {each} to i{2 * width}") for each in (quotient, rest))
    return write(f"or i{2 * width} {low}, {write(f'shl i{2 * width} {high}, {width}')}")


def _shifted(what: str, type_: str, given: list[str], write: Writes) -> str:
    """By the width or more: what is left is nothing, or the sign."""
    width = int(type_[1:])
    amount = write(f"zext i32 {given[1]} to {type_}")
    least = write(f"call {type_} @llvm.umin.{type_}({type_} {amount}, {type_} {width - 1})")
    moved = write(f"{what} {type_} {given[0]}, {least}")
    if what == "ashr":
        return moved
    kept = write(f"sext i1 {write(f'icmp ult {type_} {amount}, {width}')} to {type_}")
    return write(f"and {type_} {moved}, {kept}")


def _order(known: Calculation, given: list[str], write: Writes) -> str:
    """-1, 0, 1; libgcc has 0, 1, 2."""
    kind = known.takes[0]
    sign, type_, (a, b) = "s" if kind in _SIGNED else "u", f"i{_WIDTHS[kind]}", given
    above, below = (write(f"zext i1 {write(f'icmp {sign}{way} {type_} {a}, {b}')} to i32") for way in ("gt", "lt"))
    found = write(f"sub i32 {above}, {below}")
    return write(f"add i32 {found}, 1") if known.what == "order1" else found


def _counted(known: Calculation, given: str, write: Writes) -> str:
    width = _WIDTHS[known.takes[0]]
    name, type_ = known.what, f"i{width}"
    if name == "bswap":
        return write(f"call {type_} @llvm.bswap.{type_}({type_} {given})")
    more = ", i1 false" if name in ("ctlz", "cttz") else ""
    name = "ctpop" if name == "parity" else name
    found = write(f"call {type_} @llvm.{name}.{type_}({type_} {given}{more})")
    if width > _WIDTHS["s"]:
        found = write(f"trunc {type_} {found} to i32")
    return write(f"and i32 {found}, 1") if known.what == "parity" else found


_COMPARED = frozenset(("oeq", "olt", "ole", "oge", "ogt", "uno"))


def _on_floats(known: Calculation, given: list[str], write: Writes) -> str:
    kind, what = known.takes[0], known.what
    type_, width = _FLOATS[kind], _WIDTHS[kind]
    a, b = (write(f"bitcast i{width} {each} to {type_}") for each in given)

    def compared(way: str) -> str:
        return write(f"zext i1 {write(f'fcmp {way} {type_} {a}, {b}')} to i32")

    if what in _COMPARED:
        return compared(what)
    if what == "below":  # -1, 0, 1; 1 of what is no number
        twice = write(f"shl i32 {compared('olt')}, 1")
        least = write(f"sub i32 1, {compared('oeq')}")
        return write(f"sub i32 {least}, {twice}")
    if what == "above":  # -1 of what is no number
        twice = write(f"shl i32 {compared('ogt')}, 1")
        least = write(f"add i32 {compared('oeq')}, -1")
        return write(f"add i32 {least}, {twice}")
    if what == "frsub":
        a, b, what = b, a, "fsub"
    return write(f"bitcast {type_} {write(f'{what} {type_} {a}, {b}')} to i{width}")


def _converted(known: Calculation, given: str, write: Writes) -> str:
    kind, wanted = known.takes, known.gives
    before, after = _WIDTHS[kind], _WIDTHS[wanted]
    if kind not in _FLOATS:
        way = "sitofp" if kind in _SIGNED else "uitofp"
        return write(f"bitcast {_FLOATS[wanted]} {write(f'{way} i{before} {given} to {_FLOATS[wanted]}')} to i{after}")
    value = write(f"bitcast i{before} {given} to {_FLOATS[kind]}")
    if wanted in _FLOATS:
        way = "fpext" if after > before else "fptrunc"
        found = write(f"{way} {_FLOATS[kind]} {value} to {_FLOATS[wanted]}")
        return write(f"bitcast {_FLOATS[wanted]} {found} to i{after}")
    return _whole(known, given, value, write)


def _whole(known: Calculation, given: str, value: str, write: Writes) -> str:
    """Towards zero; the nearest one where it does not fit, and 0 of what is no number."""
    kind, wanted = known.takes, known.gives
    width, bits, type_ = _WIDTHS[wanted], _WIDTHS[kind], _FLOATS[kind]
    number, is_signed = f"i{width}", wanted in _SIGNED
    least, most = (-(1 << width - 1), (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)
    is_exact = not is_signed or width < _EXACT[kind]  # least - 1 is a number of that type
    over = f"ogt {type_} {value}, {constant(least - 1)}" if is_exact else f"oge {type_} {value}, {constant(least)}"
    low, high = write(f"fcmp {over}"), write(f"fcmp olt {type_} {value}, {constant(most + 1)}")
    mask = write(f"sext i1 {write(f'and i1 {low}, {high}')} to i{bits}")
    safe = write(f"bitcast i{bits} {write(f'and i{bits} {given}, {mask}')} to {type_}")
    result = write(f"fpto{'s' if is_signed else 'u'}i {type_} {safe} to {number}")
    too_great = write(f"fcmp oge {type_} {value}, {constant(most + 1)}")
    for condition, nearest in ((too_great, most), (write(f"fcmp olt {type_} {value}, {constant(least)}"), least)):
        chosen = write(f"sext i1 {condition} to {number}")
        result = write(f"or {number} {result}, {write(f'and {number} {chosen}, {nearest}')}")
    return result


def constant(number: int) -> str:
    """As IR writes it, exactly: the bits of a double."""
    return f"0x{struct.pack('>d', float(number)).hex().upper()}"
