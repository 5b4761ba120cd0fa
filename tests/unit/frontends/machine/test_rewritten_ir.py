"""The rewriting of lifted IR keeps what the code computes: random numbers, before and after, by LLVM's own code."""

from __future__ import annotations

import ctypes
import random

import llvmlite.binding as llvm

from veer.frontends.machine.rewriting import rewritten

SELECTS = """\
@spare = internal global i64 0
define i32 @chosen(i32 %a, i32 %b) {
  %c = icmp ult i32 %a, %b
  %x = select i1 %c, i32 %a, i32 -7
  %y = select i1 %c, i8 4, i8 0
  %d = icmp eq i32 %b, 3
  %z = select i1 %c, i1 true, i1 %d
  %w = zext i8 %y to i32
  %v = zext i1 %z to i32
  %s = or disjoint i32 %w, %v
  %g = select i1 %c, i64 ptrtoint (ptr @spare to i64), i64 0
  %n = icmp ne i64 %g, 0
  %m = zext i1 %n to i32
  %o = add i32 %x, %m
  %r = add i32 %o, %s
  ret i32 %r
}
"""
ADDRESS = """\
define i64 @address(i32 %p, i32 %i) {
  %q = add i32 %p, 16
  %a = add nsw i32 %q, %i
  %w = sext i32 %a to i64
  %at = inttoptr i64 %w to ptr
  %r = ptrtoint ptr %at to i64
  ret i64 %r
}
"""


def _run(text: str, name: str, arguments: tuple[int, int], result: type) -> int:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(text)
    machine = llvm.Target.from_default_triple().create_target_machine()
    with llvm.create_mcjit_compiler(module, machine) as engine:
        engine.finalize_object()
        function = ctypes.CFUNCTYPE(result, ctypes.c_int32, ctypes.c_int32)(engine.get_function_address(name))
        return int(function(*arguments))


def test_selects_become_arithmetic_with_the_same_results() -> None:
    text = rewritten(SELECTS)
    assert "select" not in text
    assert "disjoint" not in text
    random_ = random.Random(1)
    for _ in range(20):
        given = (random_.randrange(-5, 5), random_.randrange(-5, 5))
        assert _run(text, "chosen", given, ctypes.c_int32) == _run(SELECTS, "chosen", given, ctypes.c_int32)


def test_an_address_of_32_bits_is_a_sum_of_64_bits_that_says_the_same_below_2_gib() -> None:
    text = rewritten(ADDRESS)
    assert "add i64" in text
    assert "sext i32 %a to i64" not in text
    random_ = random.Random(2)
    for _ in range(20):
        given = (random_.randrange(0x10000, 0x20000000), random_.randrange(-0x1000, 0x1000))
        assert _run(text, "address", given, ctypes.c_int64) == _run(ADDRESS, "address", given, ctypes.c_int64)
