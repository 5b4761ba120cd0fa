"""Suites in Zig notice what a call leaves: where slices and pointers of its result lead, objects, public variables.

Each mutant is the unit with one text in the place of another; the suite of the unit as it is fails with it.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.toolchain import compiler

UNIT = """\
pub const Node = struct { value: i16, next: ?*Node, spare: u8 };
pub const Pair = struct { a: u8, b: i32 };
pub const Step = struct { name: []const u8, first: ?*const Pair, node: ?*Node, rest: []u8 };
pub var count: u32 = 3;
pub var label: []const u8 = "none";
const pairs = [_]Pair{ .{ .a = 1, .b = 2 }, .{ .a = 4, .b = -5 } };

pub fn step(head: *Node, node: *Node, text: []u8) Step {
    count += 1;
    if (head.value > 7) {
        node.next = head.next;
        head.next = node;
        head.value -= 1;
        label = "moved";
        if (text.len > 2) text[1] = 'x';
        return .{ .name = "large", .first = &pairs[1], .node = node, .rest = text };
    }
    return .{ .name = "small", .first = null, .node = null, .rest = text[text.len..] };
}

pub fn primes(n: u8) error{TooMany}![]const u16 {
    const all = struct { const of = [_]u16{ 2, 3, 5, 7 }; };
    if (n > 4) return error.TooMany;
    return all.of[0..n];
}
"""
MUTANTS = {
    "step": (
        ('"large"', '"lorge"'),
        ('"moved"', '"lost!"'),
        (".b = -5", ".b = -6"),
        ("&pairs[1]", "&pairs[0]"),
        ("count += 1", "count += 2"),
        ("node.next = head.next", "node.next = null"),
        ("head.next = node;", ""),
        ("head.value -= 1", "head.value -= 2"),
        (".node = node,", ".node = head,"),
        (".rest = text }", ".rest = text[0..text.len] }"),  # the same
        ("text[1] = 'x'", "text[0] = 'x'"),
        ('"small"', '"smell"'),
        ("head.value -= 1;", "head.value -= 1; node.value = 0;"),
    ),
    "primes": (("5, 7", "5, 9"), ("all.of[0..n]", "all.of[4 - n ..]")),
}
EQUAL = ("text }", "text[0..text.len] }")


def suite_of(folder: Path, entry: str) -> Result:
    source = folder / "unit.zig"
    source.write_text(UNIT)
    result = campaign.run(BuildOptions((source,), entry), SearchOptions(budget=30.0))
    deliver(result, folder / "out").checked()
    return result


def passes(folder: Path, result: Result, right: str, wrong: str) -> bool:
    assert right in UNIT
    (folder / "unit.zig").write_text(UNIT.replace(right, wrong))
    suite = folder / "out" / "suite"
    toolchain = compiler.find()
    cache = str(compiler.zig_cache(toolchain))
    environment = dict(os.environ, ZIG_LOCAL_CACHE_DIR=cache, ZIG_GLOBAL_CACHE_DIR=cache)
    modules = ["--dep", "unit", f"-Mroot={suite / f'{result.program.entry}_test.zig'}", f"-Munit={folder / 'unit.zig'}"]
    words = [toolchain.command[0], "test", *modules]
    done = subprocess.run(words, cwd=suite, capture_output=True, text=True, env=environment, timeout=300)
    assert ".test.test_" in done.stderr, done.stderr  # it compiles
    return done.returncode == 0


@pytest.mark.parametrize("entry", list(MUTANTS))
def test_each_mutant_is_noticed(tmp_path: Path, entry: str) -> None:
    result = suite_of(tmp_path, entry)
    assert {test.replayed for test in result.tests} == {"same"}
    assert passes(tmp_path, result, "pub", "pub")
    missed = [each for each in MUTANTS[entry] if passes(tmp_path, result, *each)]
    assert missed == [each for each in MUTANTS[entry] if each[1].endswith(EQUAL[1])]


def test_a_claim_names_variables_and_a_result_is_read_again(tmp_path: Path) -> None:
    """What the code reads of them is what it begins with: other callers may have set them before."""
    result = suite_of(tmp_path, "step")
    assert any("static data as it begins (count, label)" in each for each in result.program.bounds)
