"""What the C operations are that the conformance suite compares with compiled code: each one a line of C.

Every operation is a function of four words of 64 bits, of which it makes its operands x and y, and has a result of at
most 64 bits; of wider ones the halves are operations of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sampling import sampled


@dataclass(frozen=True)
class Operation:
    """`declarations` make x and y of the words a, b, c, d; `undefined` is when the C standard gives no result.

    `width` is the operands', for edge values; `bits` is the result as an unsigned integer.
    """

    name: str
    declarations: str
    bits: str
    width: int
    undefined: str = ""

    @property
    def gives_float(self) -> bool:
        """Whether the result may be a NaN."""
        return "bits_of" in self.bits


INTEGERS = ("signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long")
_OPERANDS = sampled(INTEGERS, lambda ctype: ctype in ("signed char", "unsigned char", "int", "unsigned long"))
"""Those of 16 bits are promoted as those of 8 bits are; int and unsigned long stand for what is not promoted."""
_KEPT_WIDTHS = (1, 2, 7, 8, 9, 17, 31, 32, 33, 47, 63, 64)
"""Those about the sizes of machine words, and a few between."""
_BIT_WIDTHS = sampled(range(1, 65), lambda width: width in _KEPT_WIDTHS)
_WIDTHS = dict(zip(INTEGERS, (8, 8, 16, 16, 32, 32, 64, 64), strict=True))
_FLOATS = {"float": 32, "double": 64}
_ARITHMETIC = {
    "add": "x + y",
    "sub": "x - y",
    "mul": "x * y",
    "and": "x & y",
    "or": "x | y",
    "xor": "x ^ y",
    "not": "~x",
    "negate": "-x",
}
_COMPARISONS = {"lt": "x < y", "le": "x <= y", "gt": "x > y", "ge": "x >= y", "eq": "x == y", "ne": "x != y"}
_OVERFLOWS = ("add", "sub", "mul")
_TAG = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
_PREAMBLE = """\
typedef unsigned long u64;
typedef __int128 i128;
typedef unsigned __int128 u128;
static float to_float(u64 w) { return ((union { unsigned u; float f; }){(unsigned)w}).f; }
static double to_double(u64 w) { return ((union { u64 u; double f; }){w}).f; }
static u64 bits_of_float(float f) { return ((union { float f; unsigned u; }){f}).u; }
static u64 bits_of_double(double f) { return ((union { double f; u64 u; }){f}).u; }
"""


def groups() -> dict[str, list[Operation]]:
    """All of them, in units of about the same size; names are unique."""
    bit_integers = list(_bit_integers())
    middle = len(bit_integers) // 2
    made = {
        "standard integers": [*_standard_integers(), *_intrinsics()],
        "floats and wide integers": [*_wide_integers(), *_floats(), *_conversions()],
        "narrow bit integers": bit_integers[:middle],
        "long bit integers": bit_integers[middle:],
    }
    names = [each.name for group in made.values() for each in group]
    assert len(set(names)) == len(names)
    return made


def unit_text(chosen: list[Operation]) -> str:
    """The C unit that veer runs: `check` compares each result with the input `e`. One line an operation.

    The results are told apart by the operation's number (`tagged`): a run records the same condition only once.
    """
    lines = [_PREAMBLE + "static volatile int sink;"]
    for number, each in enumerate(chosen):
        guard = f"if ({each.undefined}) return; " if each.undefined else ""
        lines.append(
            f"static void op_{number}(u64 a, u64 b, u64 c, u64 d, u64 e) "
            f"{{ {each.declarations} {guard}if (((u64)({each.bits}) ^ {tagged(0, number)}u) == e) sink = {number}; }}"
        )
    lines.append("void check(u64 a, u64 b, u64 c, u64 d, u64 e) {")
    lines += [f"op_{number}(a, b, c, d, e);" for number in range(len(chosen))]
    return "\n".join([*lines, "}", ""])


def tagged(result: int, number: int) -> int:
    """What `check` compares with e. Tags differ in bytes of all places, so that no two operations ask the same."""
    return result ^ (number * _TAG & _MASK)


def first_line() -> int:
    """The line of the first operation in `unit_text`."""
    return _PREAMBLE.count("\n") + 2


def native_text(chosen: list[Operation]) -> str:
    """The same operations for the plain compiler: `evaluate` fills in results, and whether there are any."""
    lines = [_PREAMBLE]
    for number, each in enumerate(chosen):
        guard = f"if ({each.undefined}) return 0; " if each.undefined else ""
        lines.append(
            f"static int op_{number}(u64 a, u64 b, u64 c, u64 d, u64 *r) "
            f"{{ {each.declarations} {guard}*r = (u64)({each.bits}); return 1; }}"
        )
    table = ", ".join(f"op_{number}" for number in range(len(chosen)))
    lines.append(f"static int (*const operations[])(u64, u64, u64, u64, u64 *) = {{{table}}};")
    lines.append("void evaluate(int k, const u64 (*words)[4], long n, u64 *results, unsigned char *defined) {")
    lines.append("for (long i = 0; i < n; i++)")
    lines.append("defined[i] = operations[k](words[i][0], words[i][1], words[i][2], words[i][3], &results[i]); }")
    return "\n".join([*lines, ""])


def _integer(name: str, ctype: str, result: str, expression: str, width: int, undefined: str = "") -> Operation:
    """An operation on two integers of a type, whose result is cut to an unsigned type."""
    declarations = f"{ctype} x = ({ctype})a, y = ({ctype})b; (void)x; (void)y;"
    return Operation(name, declarations, f"({result})({expression})", width, undefined)


def _division(ctype: str, width: int, *, signed: bool) -> str:
    overflow = f" || (x == ({ctype})((u64)1 << {width - 1}) && y == ({ctype})-1)" if signed else ""
    return f"y == 0{overflow}"


def _standard_integers() -> Iterator[Operation]:
    for ctype in _OPERANDS:
        width, signed = _WIDTHS[ctype], not ctype.startswith("unsigned")
        promoted = max(width, 32)
        for name, text in (_ARITHMETIC | _COMPARISONS).items():
            yield _integer(f"{name} {ctype}", ctype, "u64", text, width)
        for name, text in (("div", "x / y"), ("rem", "x % y")):
            yield _integer(f"{name} {ctype}", ctype, "u64", text, width, _division(ctype, width, signed=signed))
        for name, text in (("shl", "x << y"), ("shr", "x >> y")):
            masked = text.replace("y", f"(y & {promoted - 1})")
            yield _integer(f"{name} {ctype}", ctype, "u64", masked, width)
            beyond = f"(u64)y >= {promoted}"
            yield _integer(f"{name} in range {ctype}", ctype, "u64", text, width, beyond)
            # Undefined, but it has a result all the same: the one of the machine, which the plain build shows.
            yield _integer(f"{name} beyond {ctype}", ctype, "u64", text.replace("y", "(y & 255)"), width)
        yield _integer(f"select {ctype}", ctype, "u64", "x < y ? x : y", width)
        yield _integer(f"bool {ctype}", ctype, "u64", "(_Bool)x", width)
        for other in INTEGERS:
            yield _integer(f"cast {ctype} to {other}", ctype, "u64", f"({other})x", width)
        for name in _OVERFLOWS:
            call = f"__builtin_{name}_overflow(x, y, &r)"
            yield _integer(f"{name} overflows {ctype}", ctype, "u64", f"({{ {ctype} r; {call}; }})", width)
            wrapped = f"({{ {ctype} r; int o = {call}; (u64)r ^ (u64)o; }})"
            yield _integer(f"{name} wraps {ctype}", ctype, "u64", wrapped, width)


def _bit_integers() -> Iterator[Operation]:
    """Signed from 2 on."""
    for width in _BIT_WIDTHS:
        for ctype in ("unsigned _BitInt", "signed _BitInt")[: 1 if width == 1 else 2]:
            kind, signed = f"{ctype}({width})", ctype.startswith("signed")
            chosen = {**_ARITHMETIC, "lt": "x < y", "le": "x <= y", "eq": "x == y", "select": "x < y ? x : y"}
            for name, text in chosen.items():
                yield _integer(f"{name} {kind}", kind, "u64", text, width)
            for name, text in (("div", "x / y"), ("rem", "x % y")):
                yield _integer(f"{name} {kind}", kind, "u64", text, width, _division(kind, width, signed=signed))
            for name, text in (("shl", "x << y"), ("shr", "x >> y")):
                yield _integer(f"{name} {kind}", kind, "u64", text, width, f"(u64)y >= {width}")
            narrow = f"{ctype}({max(2, width // 2)})"
            yield _integer(f"cut {kind}", kind, "u64", f"({narrow})x", width)


def _wide_integers() -> Iterator[Operation]:
    """128 bits: the operands are pairs of words."""
    for ctype, signed in (("u128", False), ("i128", True)):
        declarations = f"{ctype} x = ({ctype})((u128)c << 64 | a), y = ({ctype})((u128)d << 64 | b); (void)x; (void)y;"
        texts = {**_ARITHMETIC, "select": "x < y ? x : y", "shl": "x << (b & 127)", "shr": "x >> (b & 127)"}
        overflow = f" || (x == ({ctype})((u128)1 << 127) && y == -1)" if signed else ""
        for name, text in (texts | {"div": "x / y", "rem": "x % y"}).items():
            undefined = f"y == 0{overflow}" if name in ("div", "rem") else ""
            for half, shift in (("low", 0), ("high", 64)):
                # A run records a condition once: the halves ask different ones.
                bits = f"(u128)({text.replace('<', '>') if name == 'select' and shift else text}) >> {shift}"
                yield Operation(f"{name} {ctype} {half}", declarations, bits, 64, undefined)
        for name, text in _COMPARISONS.items():
            yield Operation(f"{name} {ctype}", declarations, text, 64)


def _intrinsics() -> Iterator[Operation]:
    for ctype, suffix, width in (("unsigned", "", 32), ("unsigned long", "l", 64)):
        for name in ("popcount", "parity", "ffs"):
            yield _integer(f"{name} {ctype}", ctype, "u64", f"__builtin_{name}{suffix}(x)", width)
        for name in ("clz", "ctz"):
            yield _integer(f"{name} {ctype}", ctype, "u64", f"__builtin_{name}{suffix}(x)", width, "x == 0")
        signed = ctype.removeprefix("unsigned").strip() or "int"
        yield _integer(f"clrsb {ctype}", signed, "u64", f"__builtin_clrsb{suffix}(x)", width)
    for width, ctype in ((8, "unsigned char"), (16, "unsigned short"), (32, "unsigned"), (64, "unsigned long")):
        yield _integer(f"reverse {width}", ctype, "u64", f"__builtin_bitreverse{width}(x)", width)
        for side in ("left", "right"):
            yield _integer(f"rotate {side} {width}", ctype, "u64", f"__builtin_rotate{side}{width}(x, y)", width)
        if width > 8:
            yield _integer(f"swap {width}", ctype, "u64", f"__builtin_bswap{width}(x)", width)
    for ctype, width in _WIDTHS.items():
        for name in ("min", "max", "add_sat", "sub_sat"):
            call = f"__builtin_elementwise_{name}(x, y)"
            yield _integer(f"{name} {ctype}", ctype, "u64", call, width)
        if not ctype.startswith("unsigned"):
            yield _integer(f"abs {ctype}", ctype, "u64", "__builtin_elementwise_abs(x)", width)


def _float(name: str, ctype: str, result: str, expression: str) -> Operation:
    declarations = f"{ctype} x = to_{ctype}(a), y = to_{ctype}(b); (void)x; (void)y;"
    return Operation(name, declarations, result.format(f"({expression})"), _FLOATS[ctype])


def _floats() -> Iterator[Operation]:
    for ctype in _FLOATS:
        own = f"bits_of_{ctype}({{}})"
        for name, text in (("add", "x + y"), ("sub", "x - y"), ("mul", "x * y"), ("div", "x / y"), ("neg", "-x")):
            yield _float(f"f{name} {ctype}", ctype, own, text)
        yield _float(f"fselect {ctype}", ctype, own, "x < y ? x : y")
        for name, text in _COMPARISONS.items():
            yield _float(f"f{name} {ctype}", ctype, "{}", text)
        for name in ("isunordered", "islessgreater", "isgreater", "islessequal"):
            yield _float(f"{name} {ctype}", ctype, "{}", f"__builtin_{name}(x, y)")
        for name in ("isnan", "isinf", "isfinite", "signbit"):
            yield _float(f"{name} {ctype}", ctype, "{}", f"!!__builtin_{name}(x)")
        for name in ("abs", "sqrt", "floor", "ceil", "trunc", "rint", "roundeven"):
            yield _float(f"f{name} {ctype}", ctype, own, f"__builtin_elementwise_{name}(x)")
        yield _float(f"ffma {ctype}", ctype, own, f"__builtin_elementwise_fma(x, y, to_{ctype}(c))")
        yield _float(f"fcopysign {ctype}", ctype, own, "__builtin_elementwise_copysign(x, y)")


def _conversions() -> Iterator[Operation]:
    for ctype in _FLOATS:
        for other in INTEGERS:
            yield _float(f"{ctype} to {other}", ctype, "{}", f"({other})x")
            declarations = f"{other} x = ({other})a;"
            yield Operation(f"{other} to {ctype}", declarations, f"bits_of_{ctype}(({ctype})x)", _WIDTHS[other])
        yield _float(f"{ctype} to bool", ctype, "{}", "(_Bool)x")
    yield _float("float to double", "float", "bits_of_double({})", "(double)x")
    yield _float("double to float", "double", "bits_of_float({})", "(float)x")
