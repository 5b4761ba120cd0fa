"""Lowered Java as machine code of this process, without any of veer's instrumentation."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

import llvmlite.binding as llvm

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.lowering.calls import STRING_TYPE
from veer.frontends.java.lowering.cuts import INPUTS
from veer.frontends.java.lowering.module import Module
from veer.frontends.java.lowering.names import once_symbol
from veer.frontends.java.lowering.replaced import INPUT
from veer.frontends.java.lowering.world import ELEMENTS_AT, LENGTH_AT, SIZES, STRING, World
from veer.frontends.java.units import Found, Unit
from veer.frontends.llvm.harness import TARGET

_C = {
    **{"Z": ctypes.c_int32, "B": ctypes.c_int32, "C": ctypes.c_int32, "S": ctypes.c_int32, "I": ctypes.c_int32},
    **{"J": ctypes.c_int64, "F": ctypes.c_float, "D": ctypes.c_double},
}
_NORESERVE = 0x4000  # mmap(2): MAP_NORESERVE
_LARGE = 1 << 20
"""Bytes of a block that goes with its call: no static field refers to one."""
_UNSIGNED = {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}


class _Catching(Module, dict=True):
    """Its exceptions are on their way behind a call, even where no method has a handler."""

    @cached_property
    def catches(self) -> bool:
        """See Module."""
        return True


class Lowered:
    """All of these methods in one module. What they throw is on its way behind a call."""

    def __init__(self, unit: Unit, methods: Sequence[Found]) -> None:
        self._world = World(unit.path)
        for each in methods:
            self._world.grow(each.owner, each.method, method_types(each.method.descriptor)[0])
        self._module = _Catching(self._world, lambda owner: str(Path("/java") / owner.source))
        self.refused: list[bytes] = []
        self._calloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)(self._allocated)
        self.on_refusal: Callable[[], None] = lambda: None  # may end the process: machine code goes on behind it
        self._refuse = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(self._refused)
        self._kept: list[object] = []  # for good: static fields of the runtime refer to some
        self._large: list[mmap.mmap] = []  # blocks of the last call
        written = self._module.write()
        text = written.own.replace("@veer_call_java_guarded = global i32 0", "@veer_call_java_guarded = global i32 1")
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        for name, function in (
            ("veer_calloc", self._calloc),
            ("veer_refuse", self._refuse),
            ("veer_error", self._refuse),
            ("veer_assume", self._refuse),
            ("veer_unsupported", self._refuse),
            ("_exit", self._refuse),
            *((INPUT + name, self._refuse) for name in INPUTS),
        ):
            llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
        module = llvm.parse_assembly(f"{TARGET}{text}")
        for each in written.shared:
            module.link_in(llvm.parse_assembly(f"{TARGET}{each.text}"))
        module.verify()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=1)
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()

    def _allocated(self, count: int, size: int) -> int:
        if count * size > _LARGE:
            pages = mmap.mmap(-1, count * size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NORESERVE)
            self._large.append(pages)
            return ctypes.addressof(ctypes.c_char.from_buffer(pages))
        block = ctypes.create_string_buffer(count * size + 16)
        self._kept.append(block)
        return (ctypes.addressof(block) + 15) & ~15

    def call(self, found: Found, arguments: Sequence[object]) -> tuple[int, str, list[list[int]]]:
        """Bits of the result, the class of what is thrown, the arrays after the call.

        Arguments are bits, lists of them, or None.
        """
        self._large.clear()
        types, result = method_types(found.method.descriptor)
        name = self._world.methods[found.owner.name, *found.method.key].symbol
        returned = _C.get(result)
        given = [self._given(type_, value) for type_, value in zip(types, arguments, strict=True)]
        kinds = [_C.get(type_, ctypes.c_void_p) for type_ in types]
        function = ctypes.CFUNCTYPE(returned, *kinds)(self._engine.get_function_address(name))
        pending = ctypes.c_uint64.from_address(self._engine.get_global_value_address("veer_call_java_pending"))
        pending.value = 0
        if found.owner.name in self._world.initialised:
            ctypes.CFUNCTYPE(None)(self._engine.get_function_address(once_symbol(found.owner)))()
        value = function(*given)
        thrown = self._thrown(pending.value)
        arrays = [
            [
                _UNSIGNED[SIZES[type_[1:]]].from_address(place + ELEMENTS_AT + at * SIZES[type_[1:]]).value
                for at in range(len(bits))
            ]
            for type_, place, bits in zip(types, given, arguments, strict=True)
            if isinstance(bits, list) and type_ != STRING_TYPE
        ]
        return (0 if thrown or returned is None else self._bits(result, value)), thrown, arrays

    def _refused(self, what: bytes) -> None:
        self.refused.append(what)
        self.on_refusal()

    def _given(self, type_: str, value: object) -> object:
        if type_ in SIZES:
            assert isinstance(value, int)
            return _of_bits(type_, value)
        if value is None:
            return None
        assert isinstance(value, list)
        if type_ == STRING_TYPE:
            return self._string(value)
        size = SIZES[type_[1:]]
        place = self._allocated(1, ELEMENTS_AT + size * len(value))
        ctypes.c_uint32.from_address(place).value = self._module.layouts.numbers[type_]
        ctypes.c_uint32.from_address(place + LENGTH_AT).value = len(value)
        for at, bits in enumerate(value):
            _UNSIGNED[size].from_address(place + ELEMENTS_AT + at * size).value = bits
        return place

    def _string(self, units: list[int]) -> object:
        layouts = self._module.layouts
        array, place = self._given("[B", units), self._allocated(1, layouts.shape(STRING).size)
        ctypes.c_uint32.from_address(place).value = layouts.numbers[STRING]
        ctypes.c_uint64.from_address(place + layouts.offset(STRING, "value", "[B")).value = array  # type: ignore[assignment]
        return place

    def _thrown(self, place: int) -> str:
        if not place:
            return ""
        number = ctypes.c_uint32.from_address(place).value
        return next(name for name, each in self._module.layouts.numbers.items() if each == number).replace("/", ".")

    @staticmethod
    def _bits(type_: str, value: object) -> int:
        made = _C[type_](value)
        size = SIZES[type_] if type_ in "JD" else 4
        return int.from_bytes(bytes(made)[:size], "little") & ((1 << 8 * SIZES[type_]) - 1)


def _of_bits(type_: str, bits: int) -> object:
    size = ctypes.sizeof(_C[type_])
    if type_ in "BS":
        bits = bits - (1 << 8 * SIZES[type_]) if bits >> (8 * SIZES[type_] - 1) else bits
    return _C[type_].from_buffer_copy((bits & ((1 << 8 * size) - 1)).to_bytes(size, "little")).value
