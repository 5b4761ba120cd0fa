"""What instrumented code says to the runtime: addresses of the hot block, symbols, declarations of veer_runtime.h."""

from __future__ import annotations

import zlib

import numpy as np

from veer.wire.flows import FLOWS
from veer.wire.layout import FLOWS_BASE, HASH_MULTIPLIER, HOT, HOT_BASE, SHADOW_BASE

_LOAD_POINTER = 0x100
WORD = 8
FUNCTION_MARK = 0x6E75_6672_6565_7601
"""Lies twice in the 16 bytes before each instrumented function: how a caller tells it from uninstrumented code."""

HANDLE = "veer.static."
"""Before second names, by which another unit has what is local to one: no address is taken by them."""

ANSWER_MARK = "="
"""Before the name of an uninstrumented callee whose result is used."""

DECLARATIONS = {
    "veer_binary": "i32 @veer_binary(i32, i32, i32, i64, i32, i64, i32)",
    "veer_compare": "i32 @veer_compare(i32, i32, i32, i64, i32, i64)",
    "veer_compare_null": "i32 @veer_compare_null(i32, i32, i64)",
    "veer_cast": "i32 @veer_cast(i32, i32, i32, i32, i64)",
    "veer_unary": "i32 @veer_unary(i32, i32, i32, i64)",
    "veer_wide_binary": "i64 @veer_wide_binary(i32, i32, i64, i64, i64, i64, i64, i64, i32)",
    "veer_wide_compare": "i32 @veer_wide_compare(i32, i32, i64, i64, i64, i64, i64, i64, i32)",
    "veer_wide_cast": "i64 @veer_wide_cast(i32, i32, i32, i64, i64, i64, i32)",
    "veer_ternary": "i32 @veer_ternary(i32, i32, i64, i32, i64, i32, i64)",
    "veer_fused_sum": "i32 @veer_fused_sum(i32, i32, i64, i32, i64, i32, i64)",
    "veer_settle": "i32 @veer_settle(i32, i32)",
    "veer_unsupported": "void @veer_unsupported(i32, i32)",
    "veer_branch": "void @veer_branch(i32, i32, i32)",
    "veer_check": "void @veer_check(i32, i32, i32)",
    "veer_switch": "void @veer_switch(i32, i64, i32, i32, i32, ptr)",
    "veer_pin": "void @veer_pin(i32, i64, i32, i32)",
    "veer_load": "i32 @veer_load(i64, i32, i32, i32)",
    "veer_store": "void @veer_store(i64, i32, i32, i32, i64, i32)",
    "veer_access": "void @veer_access(i64, i32, i32, i32, i32)",
    "veer_frame": "i64 @veer_frame(i64, i32, i32, ptr)",
    "veer_frame_end": "void @veer_frame_end(i64)",
    "veer_alloca": "i64 @veer_alloca(i64, i32, i64, i32)",
    "veer_memcpy": "ptr @veer_memcpy(ptr, ptr, i64)",
    "veer_memmove": "ptr @veer_memmove(ptr, ptr, i64)",
    "veer_memset": "ptr @veer_memset(ptr, i32, i64)",
    "veer_variadic": "i64 @veer_variadic(ptr, i32)",
    "veer_va_start": "void @veer_va_start(ptr, i64, i32)",
    "veer_rest_read": "void @veer_rest_read(ptr, i32)",
    "veer_hang": "void @veer_hang(i32)",
    "veer_too_deep": "void @veer_too_deep(i32)",
    "veer_uninstrumented_begin": "void @veer_uninstrumented_begin(i32, i32, ptr)",
    "veer_uninstrumented_end": "void @veer_uninstrumented_end(i32, i32, ptr)",
    "veer_indirect": "void @veer_indirect(i64, i32, i32)",
    "veer_indirect_jump": "void @veer_indirect_jump(i64, i32, i32)",
    "veer_abort": "void @veer_abort(i32)",
    "veer_exit": "void @veer_exit(i32, i32)",
    "veer_exit_at_once": "void @veer_exit_at_once(i32, i32)",
    "veer_assert_fail": "void @veer_assert_fail(i32, ptr)",
    "veer_trap": "void @veer_trap(i32, i32)",
    "veer_flow_union": "i32 @veer_flow_union(i32, i32, i32, i32)",
    "veer_flow_load": "i32 @veer_flow_load(ptr, i32, i32, i32, i32)",
    "veer_flow_store": "void @veer_flow_store(ptr, i32, i32, i32, i32, i32, i64)",
    "veer_flow_note": "void @veer_flow_note(i32, i32)",
    "veer_flow_test": "void @veer_flow_test(i32, i32)",
    "veer_flow_branch": "void @veer_flow_branch(i32, i32, i64, i32)",
    "veer_flow_join": "i32 @veer_flow_join(i32, i32)",
    "veer_flow_call": "void @veer_flow_call(i64, i32, i32, i64, i32)",
    "veer_flow_result": "i32 @veer_flow_result(i64)",
    "veer_flow_enter": "i32 @veer_flow_enter(i64)",
    "veer_flow_leave": "void @veer_flow_leave(i32, i64)",
    "veer_flow_variadic": "i32 @veer_flow_variadic(i32)",
    "veer_flow_va_start": "void @veer_flow_va_start(ptr, i32)",
    "veer_flow_alloca": "i32 @veer_flow_alloca(i32, i32)",
    "veer_flow_jump": "void @veer_flow_jump(i32, i32)",
    "veer_flow_mark": "i32 @veer_flow_mark()",
    "veer_flow_land": "i32 @veer_flow_land(i32, i32, i32)",
    "veer_enter": "i32 @veer_enter(i32)",
    "veer_enter_argument": "i32 @veer_enter_argument(i32, i32, i32, i32, i64)",
    "veer_enter_memory": "void @veer_enter_memory(i32)",
    "veer_leave_result": "i32 @veer_leave_result(i32, i32, i32, i32, i64)",
    "veer_leave": "void @veer_leave(i32)",
    "veer_compare_places": "void @veer_compare_places(i64, i64)",
    "veer_ask_place": "void @veer_ask_place()",
    "veer_compare_numbers": "void @veer_compare_numbers(i64, i64)",
    "veer_ask_bits": "void @veer_ask_bits(i64)",
    "veer_ask_bits_of_difference": "void @veer_ask_bits_of_difference(i64, i64)",
    "veer_make_symbolic": "void @veer_make_symbolic(ptr, i64, ptr, i64)",
}
"""The runtime's functions that instrumented code calls on its own account."""

CONCRETE_RESULTS = frozenset(
    ("veer_malloc", "veer_calloc", "veer_realloc", "veer_aligned_alloc", "veer_memcpy", "veer_memmove", "veer_memset")
)
"""Functions of the runtime whose result is never symbolic (a symbolic address is pinned before it is used)."""

LOW_RESULTS = frozenset(("@veer_malloc", "@veer_calloc", "@veer_aligned_alloc"))
"""Functions of the runtime whose result is surely below 2 GiB."""

SETJMP_NAMES = frozenset(("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"))
LONGJMP_NAMES = frozenset(("longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"))
EXIT_NAMES = frozenset(("exit", "_exit", "_Exit", "quick_exit"))
ASSERT_NAMES = frozenset(("__assert_fail", "__assert"))
INPUT_NAMES = frozenset(("klee_make_symbolic", "veer_input"))
BUILT_IN_NAMES = EXIT_NAMES | ASSERT_NAMES | INPUT_NAMES | {"abort"}
"""Declared functions whose calls are rewritten into calls of the runtime."""


def hot(field: str, index: int = 0) -> str:
    """The address of a field of the hot block, as an IR constant."""
    return _field(HOT, HOT_BASE, field, index)


def flows(field: str, index: int = 0) -> str:
    """The address of a field of the flow build's own block."""
    return _field(FLOWS, FLOWS_BASE, field, index)


def _field(block: np.dtype[np.void], base: int, field: str, index: int) -> str:
    described = block.fields[field] if block.fields is not None else None
    assert described is not None
    item = described[0].base.itemsize
    return f"inttoptr (i64 {base + described[1] + index * item} to ptr)"


def shadow_base() -> str:
    """The address of the shadow words, as an IR constant."""
    return f"inttoptr (i64 {SHADOW_BASE} to ptr)"


def signed_multiplier() -> int:
    """The path hash's multiplier as IR prints an i64."""
    return HASH_MULTIPLIER - (1 << 64) if HASH_MULTIPLIER >> 63 else HASH_MULTIPLIER


def site_symbol(unit: str) -> str:
    """Absolute symbol: the number of the unit's first site."""
    return f"@veer_base_{unit}"


def edge_symbol(unit: str) -> str:
    """Absolute symbol: the number of the unit's first edge (twice its first site)."""
    return f"@veer_edge_{unit}"


LINE_HITS = "veer_line_hits"
READS_ERRNO = "veer_reads_errno"
"""Defined by units that may ask for errno (tracer/deferred.c)."""
"""The counters build's bytes for lines, behind those for edges (runtime/counters/counters.c)."""


def line_symbol(unit: str) -> str:
    """Absolute symbol: the number of the unit's first counted line."""
    return f"@veer_lines_{unit}"


def coverage_symbol(unit: str) -> str:
    """Absolute symbol: the coverage byte of the unit's first edge."""
    return f"@veer_coverage_{unit}"


def load_size(size: int, word: str, *, is_pointer: bool) -> int:
    """The size that veer_load is told: of eight bytes also whether they are loaded as a pointer, and by what name."""
    if size != WORD:
        return size
    return size | (_LOAD_POINTER if is_pointer else 0) | name_number(word) << 16


def name_number(name: str) -> int:
    """A member's name in 16 bits, 0 = none (VEER_LOAD_NAME of runtime/include/veer_runtime.h)."""
    return zlib.crc32(name.encode()) % 0xFFFF + 1 if name else 0
