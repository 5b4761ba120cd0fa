"""Loads and stores: the fast test of the shadow words, and the slow paths.

%a = ptrtoint ptr %p to i64
slow if %a >> 31 != 0; then
%w = load <4 x i32>, SHADOW + %a * 4       for 4 bytes
slow if any word != 1, or the address or the value stored is symbolic
"""

from __future__ import annotations

from collections.abc import Sequence

from veer.instrument import convention
from veer.instrument.available import AvailableLoads
from veer.instrument.fastpath import CodePath
from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand
from veer.instrument.pending import Pending, Tail
from veer.instrument.symbolic import SymbolicOperations, address_terms
from veer.instrument.taint import CONCRETE, Lookup, Taint
from veer.instrument.typelayout import Layout, Leaf
from veer.instrument.writer import Code, FunctionWriter, defined
from veer.wire.layout import LOW_BITS, Op

_MAX_WORDS = 64
_LANES = 4
_MAX_LOW_OFFSET = 1 << 20
_WHOLE_SIZES = (1, 2, 4, 8)


class MemoryAccesses:
    """Emits the loads and stores of one function."""

    def __init__(
        self,
        writer: FunctionWriter,
        taint: Taint,
        path: CodePath,
        pending: Pending,
        operations: SymbolicOperations,
        layout: Layout,
        available: AvailableLoads,
        *,
        is_seen: bool = False,
    ) -> None:
        """`is_seen`: the runtime is to see every access (compositional builds)."""
        self._writer = writer
        self._taint = taint
        self._path = path
        self._pending = pending
        self._operations = operations
        self._layout = layout
        self._available = available
        self._low: set[str] = set()
        self._is_seen = is_seen

    def note_low(self, value: str) -> None:
        """The value is an address of an object of the unit: surely below 2 GiB."""
        self._low.add(value)

    def note_address(self, instruction: Instruction) -> None:
        """A getelementptr with a small constant offset from such an address is one, too."""
        if instruction.operands[0].value in self._low:
            offset, terms = address_terms(self._layout, instruction)
            if not terms and offset < _MAX_LOW_OFFSET:
                self._low.add(instruction.result)

    def load(self, instruction: Instruction, site: int, word: str) -> None:
        """A load; its shadows are defined if it may be symbolic. `word`: the identifier in the source, if any."""
        pointer = instruction.operands[0]
        type_ = instruction.type
        shadows = self._taint.result(instruction)
        text = f"{instruction.result} = load {type_}, ptr {pointer.value}, align {instruction.alignment}"
        known = self._available.load(instruction)
        if known is not None:
            self._writer.hot.add(text)
            for shadow, before in zip(shadows, known.shadows, strict=True):
                if shadow != CONCRETE:
                    self._writer.hot.add(f"{shadow} = add i32 {before}, 0")
            return

        def tail(code: Code, lookup: Lookup) -> Sequence[tuple[str, str]]:
            address = self._writer.bits(code, "ptr", pointer.value)
            where = lookup(self._taint.shadow(pointer))
            if not shadows:
                self._access(code, address, where, type_, 0, site)
                return ()
            found = [self._load_leaf(code, (address, where), leaf, site, word) for leaf in self._layout.leaves(type_)]
            self._path.enter(code, instruction, found)
            return [pair for pair in zip(shadows, found, strict=True) if pair[0] != CONCRETE]

        self._guarded(pointer, type_, (), tail, decides=True)
        self._path.loaded(instruction)
        self._writer.hot.add(text)
        if self._path.looks_at_all(instruction):  # nobody crosses behind a load whose shadow is not used
            self._available.loaded(instruction, shadows)

    def store(self, instruction: Instruction, site: int) -> None:
        """A store."""
        value, pointer = instruction.operands
        value = Operand(value.type, defined(value.type, value.value))
        shadows = self._taint.shadows(value)

        def tail(code: Code, lookup: Lookup) -> Sequence[tuple[str, str]]:
            address = self._writer.bits(code, "ptr", pointer.value)
            where = lookup(self._taint.shadow(pointer))
            if not shadows:
                self._access(code, address, where, value.type, 1, site)
                return ()
            for index, (shadow, leaf) in enumerate(zip(shadows, self._layout.leaves(value.type), strict=True)):
                part = self._leaf_value(code, value, index)
                self._store_leaf(code, (address, where), leaf, (lookup(shadow), part), site)
            return ()

        self._guarded(pointer, value.type, shadows, tail)
        text = f"store {value.type} {value.value}, ptr {pointer.value}, align {instruction.alignment}"
        self._writer.hot.add(text)
        self._available.stored(instruction, value, shadows)

    def access(self, pointer: Operand, type_: str, site: int) -> None:
        """The bytes that an instruction of another kind reads and writes (atomics on floats, ...)."""

        def tail(code: Code, lookup: Lookup) -> Sequence[tuple[str, str]]:
            address = self._writer.bits(code, "ptr", pointer.value)
            self._access(code, address, lookup(self._taint.shadow(pointer)), type_, 1, site)
            return ()

        self._guarded(pointer, type_, (), tail, decides=True)
        self._available.forget()

    def _guarded(
        self, pointer: Operand, type_: str, shadows: tuple[str, ...], tail: Tail, *, decides: bool = False
    ) -> None:
        """Ends the pending operations with a test of the words touched. `decides`: that may decide a pointer."""
        size = self._layout.store_size(type_)
        inputs = (*(shadow for shadow in shadows if shadow != CONCRETE), self._taint.shadow(pointer))
        if size == 0:
            self._pending.close()
            return
        slow = self._writer.label()
        is_tested = size <= _MAX_WORDS and not self._is_seen
        extra = self._word_tests(pointer.value, size, slow) if is_tested else ["true"]
        self._pending.close(inputs, extra, tail, mixes=decides, slow=slow)

    def _word_tests(self, pointer: str, size: int, slow: str) -> list[str]:
        """i1 values; one of them holds if a word of the `size` bytes is not 1. Goes to `slow` if the address is not
        below 2 GiB, where no words are."""
        hot = self._writer.hot
        value = self._writer.value
        address = value(hot, f"ptrtoint ptr {pointer} to i64")
        tests: list[str] = []
        if pointer not in self._low:
            above = value(hot, f"lshr i64 {address}, {LOW_BITS}")
            self._writer.leave(value(hot, f"icmp ne i64 {above}, 0"), slow)
        words = value(hot, f"getelementptr i32, ptr {convention.shadow_base()}, i64 {address}")
        if size in (1, 3):
            last = words if size == 1 else value(hot, f"getelementptr i32, ptr {words}, i64 2")
            word = value(hot, f"load i32, ptr {last}, align 4")
            tests.append(value(hot, f"icmp ne i32 {word}, 1"))
        if size in (2, 3):
            word = value(hot, f"load i64, ptr {words}, align 4")
            tests.append(value(hot, f"icmp ne i64 {word}, {1 << 32 | 1}"))
        if size >= _LANES:
            tests.append(self._vector_test(words, size))
        return tests

    def _vector_test(self, words: str, size: int) -> str:
        """An i1 that holds if one of four or more words is not 1: four at a time, the last four may overlap."""
        hot = self._writer.hot
        value = self._writer.value
        joined = ""
        for start in (*range(0, size - _LANES, _LANES), size - _LANES):
            place = value(hot, f"getelementptr i32, ptr {words}, i64 {start}") if start else words
            loaded = value(hot, f"load <{_LANES} x i32>, ptr {place}, align 4")
            good = value(hot, f"icmp eq <{_LANES} x i32> {loaded}, splat (i32 1)")
            joined = value(hot, f"and <{_LANES} x i1> {joined}, {good}") if joined else good
        mask = value(hot, f"bitcast <{_LANES} x i1> {joined} to i{_LANES}")
        return value(hot, f"icmp ne i{_LANES} {mask}, -1")

    def _access(self, code: Code, address: str, shadow: str, type_: str, is_store: int, site: int) -> None:
        runtime = self._writer.unit.runtime("veer_access")
        size = self._layout.store_size(type_)
        place = self._writer.unit.site(site)
        code.add(f"call void {runtime}(i64 {address}, i32 {shadow}, i32 {size}, i32 {is_store}, i32 {place})")

    def _load_leaf(self, code: Code, address: tuple[str, str], leaf: Leaf, site: int, word: str) -> str:
        """The shadow of a leaf of a value in memory; `address` is (value, shadow) of where the whole value lies."""
        size = self._layout.store_size(leaf.type)
        result = CONCRETE
        done = 0
        for piece in _pieces(size):
            place = self._place(code, address, leaf.offset + done, site)
            at = place[0]
            asked = convention.load_size(piece, word, is_pointer=leaf.type == "ptr")
            shadow = self._load_piece(code, place, asked, site)
            if 8 * piece == leaf.width:
                return shadow
            bits = self._load_bits(code, at, piece)
            operation = Op.EXTRACT if 8 * piece > leaf.width else Op.ZEXT
            shadow = self._operations.cast_shadow(code, operation, (8 * piece, leaf.width), shadow, bits)
            result = self._join(code, result, shadow, bits, 8 * done, leaf, at, site)
            done += piece
        return result

    def _join(self, code: Code, low: str, shadow: str, bits: str, shift: int, leaf: Leaf, at: str, site: int) -> str:
        """low | part << shift, for integers of 3, 5, 6 or 7 bytes."""
        if shift == 0:
            return shadow
        width = leaf.width
        call = f"call i32 {self._writer.unit.runtime('veer_binary')}"
        place = self._writer.unit.site(site)
        shifted = self._writer.value(
            code, f"{call}(i32 {int(Op.SHL)}, i32 {width}, i32 {shadow}, i64 {bits}, i32 0, i64 {shift}, i32 {place})"
        )
        upper = self._writer.value(code, f"shl i64 {bits}, {shift}")
        start = self._offset(code, at, -(shift // 8))
        lower = CONCRETE
        done = 0
        for piece in _pieces(shift // 8):
            part = self._load_bits(code, self._offset(code, start, done), piece)
            moved = self._writer.value(code, f"shl i64 {part}, {8 * done}")
            lower = self._writer.value(code, f"or i64 {lower}, {moved}")
            done += piece
        return self._writer.value(
            code,
            f"{call}(i32 {int(Op.OR)}, i32 {width}, i32 {low}, i64 {lower}, i32 {shifted}, i64 {upper}, i32 {place})",
        )

    def _load_piece(self, code: Code, address: tuple[str, str], size: int, site: int) -> str:
        runtime = self._writer.unit.runtime("veer_load")
        place = self._writer.unit.site(site)
        return self._writer.value(
            code, f"call i32 {runtime}(i64 {address[0]}, i32 {address[1]}, i32 {size}, i32 {place})"
        )

    def _load_bits(self, code: Code, address: str, size: int) -> str:
        """The bytes there as an i64, once the runtime has found them good."""
        pointer = self._writer.value(code, f"inttoptr i64 {address} to ptr")
        loaded = self._writer.value(code, f"load i{8 * size}, ptr {pointer}, align 1")
        return self._writer.bits(code, f"i{8 * size}", loaded)

    def _store_leaf(self, code: Code, address: tuple[str, str], leaf: Leaf, value: tuple[str, str], site: int) -> None:
        """Stores a leaf's shadow; `value` is (shadow, bits)."""
        size = self._layout.store_size(leaf.type)
        shadow, bits = value
        done = 0
        for piece in _pieces(size):
            part, part_bits = shadow, bits
            if done:
                runtime = self._writer.unit.runtime("veer_binary")
                part = self._writer.value(
                    code,
                    f"call i32 {runtime}(i32 {int(Op.LSHR)}, i32 {leaf.width}, i32 {shadow}, i64 {bits}, "
                    f"i32 0, i64 {8 * done}, i32 {self._writer.unit.site(site)})",
                )
                part_bits = self._writer.value(code, f"lshr i64 {bits}, {8 * done}")
            if 8 * piece != leaf.width:
                operation = Op.EXTRACT if 8 * piece < leaf.width else Op.ZEXT
                part = self._operations.cast_shadow(code, operation, (leaf.width, 8 * piece), part, part_bits)
                if 8 * piece < leaf.width:
                    part_bits = self._writer.value(code, f"and i64 {part_bits}, {(1 << 8 * piece) - 1}")
            at, where = self._place(code, address, leaf.offset + done, site)
            runtime = self._writer.unit.runtime("veer_store")
            code.add(
                f"call void {runtime}(i64 {at}, i32 {where}, i32 {piece}, i32 {part}, i64 {part_bits}, "
                f"i32 {self._writer.unit.site(site)})"
            )
            done += piece

    def _leaf_value(self, code: Code, value: Operand, index: int) -> str:
        """The bits of a leaf of a value."""
        type_, text = value
        return self._writer.leaf_bits(code, type_, text, self._layout.leaf_paths(type_)[index])

    def _place(self, code: Code, address: tuple[str, str], offset: int, site: int) -> tuple[str, str]:
        """(value, shadow) of the address that many bytes behind another one."""
        at, shadow = self._offset(code, address[0], offset), address[1]
        if offset == 0 or shadow == CONCRETE:
            return at, shadow
        call = f"call i32 {self._writer.unit.runtime('veer_binary')}"
        operands = f"i32 {int(Op.ADD)}, i32 64, i32 {shadow}, i64 {address[0]}, i32 0, i64 {offset}"
        return at, self._writer.value(code, f"{call}({operands}, i32 {self._writer.unit.site(site)})")

    def _offset(self, code: Code, address: str, offset: int) -> str:
        return self._writer.value(code, f"add i64 {address}, {offset}") if offset else address


def _pieces(size: int) -> tuple[int, ...]:
    """Sizes of accesses that the runtime knows, from the least significant byte on."""
    if size in _WHOLE_SIZES:
        return (size,)
    return tuple(piece for piece in (4, 2, 1) if size & piece)
