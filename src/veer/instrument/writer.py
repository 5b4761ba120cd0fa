"""Text of one rewritten function: a hot part in order and a cold part behind it, fresh names, values as bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from veer.instrument import convention
from veer.instrument.lexer import escaped
from veer.instrument.typelayout import Layout

HASH_VARIABLE = "%veer.hash"
"""A local of a function that keeps the path hash itself."""
COLD = ", !prof !0"
"""Branch weights that say that the first label is hardly ever the target."""


class Code:
    """A list of lines that knows the label of the block that is being written."""

    def __init__(self, label: str) -> None:
        self.lines: list[str] = []
        self.label = label

    def add(self, line: str) -> None:
        """Appends an instruction."""
        self.lines.append("  " + line)

    def start(self, label: str) -> None:
        """Begins a block."""
        self.lines.append(f"{label}:")
        self.label = label


class UnitText:
    """What the functions of a unit need at module level: declarations, constants, the unit's symbols."""

    def __init__(self, unit: str, declared: Iterable[str]) -> None:
        self.unit = unit
        self.constants: list[str] = []
        self.descriptions: list[str] = []  # names of the constants that describe the unit's globals
        self.declared = set(declared)  # bare names that the module declares or defines
        self.used: dict[str, str] = {}  # bare name → declaration to add
        self._strings: dict[str, str] = {}
        self._sites = convention.site_symbol(unit)
        self._edges = convention.edge_symbol(unit)
        self._coverage = convention.coverage_symbol(unit)

    def site(self, number: int) -> str:
        """A site's global number as an i32 constant, resolved by the linker."""
        return f"ptrtoint (ptr getelementptr (i8, ptr {self._sites}, i64 {number}) to i32)"

    def site_word(self, number: int) -> str:
        """The same as an i64."""
        return f"ptrtoint (ptr getelementptr (i8, ptr {self._sites}, i64 {number}) to i64)"

    def edge_word(self, edge: int, plus: int = 0) -> str:
        """Global number of a unit-local edge, plus something, as an i64."""
        return f"ptrtoint (ptr getelementptr (i8, ptr {self._edges}, i64 {edge + plus}) to i64)"

    def coverage(self, edge: int) -> str:
        """Address of the coverage byte of a unit-local edge."""
        return f"getelementptr (i8, ptr {self._coverage}, i64 {edge})"

    def runtime(self, name: str) -> str:
        """A function of the runtime, declared on its first use."""
        if name not in self.declared and name not in self.used:
            self.used[name] = f"declare {convention.DECLARATIONS[name]}"
        return "@" + name

    def intrinsic(self, name: str, declaration: str) -> None:
        """Declares an intrinsic if the module does not."""
        if name not in self.declared:
            self.used.setdefault(name, declaration)

    def string(self, text: str) -> str:
        """A constant C string that is no object of the program."""
        if text not in self._strings:
            data = text.encode()
            self._strings[text] = self.constant(f'[{len(data) + 1} x i8] c"{escaped(data)}\\00"')
        return self._strings[text]

    def constant(self, value: str) -> str:
        """A private constant outside of the program's objects; `value` with its type."""
        name = f"@veer.k.{len(self.constants)}"
        self.constants.append(f"{name} = private constant {value}")
        return name


class FunctionWriter:
    """The code of one function, or of one of its copies. `unit` is shared by all functions of the module, `numbers` by
    all writers of a function."""

    def __init__(self, unit: UnitText, layout: Layout, entry: str, numbers: Iterator[int] | None = None) -> None:
        self.unit = unit
        self.layout = layout
        self.hot = Code(entry)
        self.cold = Code("")
        self.hash_place = convention.hot("path_hash")
        self._numbers = numbers if numbers is not None else count(1)

    def keep_hash(self) -> None:
        """From here on the path hash is in the variable HASH_VARIABLE, which becomes a register: a mark need not wait
        for the memory that the last one wrote. `flush` comes before what may read it, `reload` behind what may change
        it.
        """
        self.hash_place = HASH_VARIABLE
        self.reload(self.hot)

    def flush(self, code: Code) -> None:
        """Writes a hash kept by the function back to the hot block."""
        self._copy_hash(code, self.hash_place, convention.hot("path_hash"))

    def reload(self, code: Code) -> None:
        """Fetches it again."""
        self._copy_hash(code, convention.hot("path_hash"), self.hash_place)

    def _copy_hash(self, code: Code, source: str, target: str) -> None:
        if source != target:
            value = self.value(code, f"load i64, ptr {source}, align 8")
            code.add(f"store i64 {value}, ptr {target}, align 8")

    def fresh(self, prefix: str = "%veer.") -> str:
        """A name that no other value or label of the function has."""
        return f"{prefix}{next(self._numbers)}"

    def label(self) -> str:
        """A fresh label."""
        return self.fresh("veer.b")

    def value(self, code: Code, expression: str) -> str:
        """Adds `%fresh = expression` and gives the name."""
        name = self.fresh()
        code.lines.append(f"  {name} = {expression}")
        return name

    def bits(self, code: Code, type_: str, value: str) -> str:
        """A scalar's bits as an i64 operand."""
        constant = constant_bits(type_, value)
        if constant is not None:
            return str(constant)
        if type_ == "i64":
            return value
        if type_ == "ptr":
            return self.value(code, f"ptrtoint ptr {value} to i64")
        if type_ == "double":
            return self.value(code, f"bitcast double {value} to i64")
        if type_ == "float":
            type_, value = "i32", self.value(code, f"bitcast float {value} to i32")
        return self.value(code, f"zext {type_} {value} to i64")

    def halves(self, code: Code, type_: str, value: str) -> tuple[str, str]:
        """The lower 64 bits and the rest of an integer of 65 to 128 bits, as i64 operands."""
        constant = constant_bits(type_, value)
        if constant is not None:
            return str(constant % (1 << 64)), str(constant >> 64)
        if type_ != "i128":
            value = self.value(code, f"zext {type_} {value} to i128")
        shifted = self.value(code, f"lshr i128 {value}, 64")
        return self.value(code, f"trunc i128 {value} to i64"), self.value(code, f"trunc i128 {shifted} to i64")

    def leaf_bits(self, code: Code, type_: str, value: str, path: tuple[int, ...]) -> str:
        """The bits of a leaf of a value (Layout.leaf_paths) as an i64 operand."""
        for step in path:
            if self.layout.wide(type_):
                return self.halves(code, type_, value)[step]
            if self.layout.resolve(type_).startswith("<") and not self.layout.is_struct(type_):
                value = self.value(code, f"extractelement {type_} {value}, i32 {step}")
                type_ = self.layout.element(type_)
            else:
                value = self.value(code, f"extractvalue {type_} {value}, {step}")
                type_ = self.layout.member_type(type_, (step,))
        return self.bits(code, type_, value)

    def leave(self, condition: str, slow: str) -> None:
        """Goes to the cold label when the condition holds; the hot code goes on in a new block."""
        onward = self.label()
        self.hot.add(f"br i1 {condition}, label %{slow}, label %{onward}{COLD}")
        self.hot.start(onward)

    def when(self, condition: str, slow: str = "") -> tuple[str, str]:
        """Ends the hot block: to a cold label (a new one unless given) when the condition holds. Gives (cold label,
        label that goes on)."""
        slow, onward = slow or self.label(), self.label()
        self.hot.add(f"br i1 {condition}, label %{slow}, label %{onward}{COLD}")
        return slow, onward


def constant_bits(type_: str, value: str) -> int | None:
    """The bits of an integer or null constant, unsigned; None for anything else."""
    if value in ("false", "null", "undef", "poison", "zeroinitializer"):
        return 0
    if value == "true":
        return 1
    if type_.startswith("i") and (value.isdigit() or (value.startswith("-") and value[1:].isdigit())):
        return int(value) & ((1 << int(type_[1:])) - 1)
    return None


def zero(type_: str) -> str:
    """The zero of a type, for operands that are undef or poison."""
    if type_ == "ptr":
        return "null"
    if type_ in ("float", "double"):
        return "0.000000e+00"
    if type_.startswith("i") and type_[1:].isdigit():
        return "0" if type_ != "i1" else "false"
    return "zeroinitializer"


def defined(type_: str, value: str) -> str:
    """The value, with undef and poison made zero: what veer thinks must be what happens, in every run."""
    return zero(type_) if value in ("undef", "poison") else value
