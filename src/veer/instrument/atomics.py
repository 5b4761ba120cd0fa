"""Atomics as loads and stores: a run has one thread."""

from __future__ import annotations

from veer.instrument.instructions import Instruction
from veer.instrument.plain import PlainCode


def atomic_update(code: PlainCode, opcode: str, update: Instruction) -> str:
    """An atomicrmw; `opcode` is "" for an exchange, a predicate for a minimum or maximum. Gives the old value."""
    pointer, (type_, value) = update.operands
    old = code.load(type_, pointer)
    new = value
    if opcode == "nand":
        new = code.operation("xor", type_, code.operation("and", type_, old, value), -1)
    elif opcode in ("sgt", "slt", "ugt", "ult"):
        new = code.choose(type_, code.compare(opcode, type_, old, value), old, value)
    elif opcode:
        new = code.operation(opcode, type_, old, value)
    code.store(type_, new, pointer)
    return old


def compare_exchange(code: PlainCode, exchange: Instruction) -> str:
    """A cmpxchg. Gives { old value, whether it was the expected one }."""
    pointer, (type_, expected), (_, desired) = exchange.operands
    old = code.load(type_, pointer)
    equal = code.compare("eq", type_, old, expected)
    if type_ == "ptr":
        before = code.cast("ptrtoint", "ptr", old, "i64")
        after = code.cast("ptrtoint", "ptr", desired, "i64")
        new = code.cast("inttoptr", "i64", code.choose("i64", equal, after, before), "ptr")
    else:
        new = code.choose(type_, equal, desired, old)
    code.store(type_, new, pointer)
    return code.pair(type_, old, equal)
