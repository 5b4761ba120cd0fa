"""Locals in memory that each way writes before it uses them otherwise."""

from __future__ import annotations

import pytest

from veer.instrument.firstuses import written_first
from veer.instrument.module import parse_blocks, parse_module
from veer.instrument.typelayout import Layout

CLEAR = "call void @llvm.memset.p0.i64(ptr align 8 %x, i8 0, i64 {}, i1 false)"
SET, GET, HALF = "store i64 1, ptr %x, align 8", "%v = load i64, ptr %x, align 8", "store i32 1, ptr %x, align 8"


def is_written_first(*blocks: tuple[str, tuple[str, ...]]) -> bool:
    """Whether %x of 8 bytes is, in a function of these blocks: label, lines."""
    body = "\n".join(f"{label}:\n" + "\n".join(f"  {line}" for line in lines) for label, lines in blocks)
    text = f"define void @f(i1 %c, ptr %p) {{\n{body}\n}}\n"
    (function,) = parse_module(text).functions
    return "%x" in written_first(Layout({}), parse_blocks(function), {"%x": 8})


def straight(*lines: str) -> bool:
    return is_written_first(("entry", ("%x = alloca i64, align 8", *lines, "ret void")))


@pytest.mark.parametrize("line", [SET, CLEAR.format(8), CLEAR.format(16)])
def test_a_write_of_all_of_it_comes_first(line: str) -> None:
    assert straight(line, GET)


@pytest.mark.parametrize(
    "line",
    [
        GET,
        HALF,
        "call void @out(ptr %x)",
        "%y = getelementptr i8, ptr %x, i64 0",
        "store ptr %x, ptr %p, align 8",
        "store ptr %x, ptr %x, align 8",
        CLEAR.format(4),
        CLEAR.format("%n"),
        "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %x, i64 8, i1 false)",
    ],
)
def test_another_use_comes_first(line: str) -> None:
    assert not straight(line, SET)


def test_a_variable_that_nobody_uses_is_not_written() -> None:
    assert not straight()


def test_each_way_has_its_first_write() -> None:
    entry = ("entry", ("%x = alloca i64, align 8", "br i1 %c, label %yes, label %no"))
    yes, end = ("yes", (SET, "br label %end")), ("end", (GET, "ret void"))
    assert is_written_first(entry, yes, ("no", (CLEAR.format(8), "br label %end")), end)
    assert not is_written_first(entry, yes, ("no", ("br label %end",)), end)
    assert is_written_first(entry, yes, ("no", ("ret void",)), end)


def test_a_loop_that_writes_before_it_reads() -> None:
    entry = ("entry", ("%x = alloca i64, align 8", "br label %head"))
    body = ("body", (SET, GET, "br label %head"))
    assert is_written_first(entry, ("head", ("br i1 %c, label %body, label %end",)), body, ("end", ("ret void",)))
