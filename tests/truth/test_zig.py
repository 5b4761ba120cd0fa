"""Zig functions over small domains: what veer claims against every input of a plain build by Zig's own compiler."""

from __future__ import annotations

import itertools
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from sampling import sampled

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.toolchain import compiler

UNIT = """\
pub const Level = enum { low, middle, high };

/// Each path has a result of its own, or a panic.
pub fn grade(a: u3, b: i4, strict: bool) u8 {
    if (strict and b < 0) return 1;
    const scaled: u4 = @as(u4, a) * 2;              // 0 to 14
    if (scaled == 6) {
        const sum = @as(i4, @intCast(a)) + b;       // overflows for b > 4
        return if (sum == 7) 2 else 3;
    }
    if (b == -8) {
        const quotient: u8 = @intCast(@divTrunc(12, @as(i8, a) - 5));  // by 0 for a = 5, negative for a < 5
        return if (quotient > 6) 6 else 7;
    }
    return if (a > 5 or b == 3) 4 else 5;
}

pub fn level(x: Level, y: u2) u8 {
    return switch (x) {
        .low => if (y == 3) unreachable else 10,
        .middle => 20,
        .high => switch (y) {
            0, 1 => 30,
            else => 31,
        },
    };
}
"""
DRIVER = """\
const std = @import("std");
const unit = @import("unit");
fn number(comptime T: type, text: []const u8) T {
    return switch (@typeInfo(T)) {
        .bool => text[0] == '1',
        .@"enum" => @enumFromInt(std.fmt.parseInt(u8, text, 10) catch unreachable),
        else => std.fmt.parseInt(T, text, 10) catch unreachable,
    };
}
pub fn main(init: std.process.Init.Minimal) void {
    var given = init.args.iterate();
    _ = given.skip();
    var arguments: std.meta.ArgsTuple(@TypeOf(unit.ENTRY)) = undefined;
    inline for (&arguments) |*each| each.* = number(@TypeOf(each.*), given.next().?);
    std.debug.print("= {d}\\n", .{@call(.auto, unit.ENTRY, arguments)});
}
"""
DOMAINS: dict[str, Sequence[Sequence[int]]] = {
    "grade": (range(8), range(-8, 8), range(2)),
    "level": (range(3), range(4)),
}


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("zig") / "unit.zig"
    source.write_text(UNIT)
    return source


def plain(unit: Path, entry: str, folder: Path) -> dict[tuple[int, ...], str]:
    """What each input of the domain does in Zig's own debug build: "= 3", or the panic's message."""
    driver, program = folder / "driver.zig", folder / "driver"
    driver.write_text(DRIVER.replace("ENTRY", entry))
    zig = compiler.find().command[0]
    modules = ["--dep", "unit", f"-Mroot={driver}", f"-Munit={unit}"]
    subprocess.run([zig, "build-exe", *modules, f"-femit-bin={program}"], check=True, cwd=folder)
    found = {}
    for values in itertools.product(*DOMAINS[entry]):
        ran = subprocess.run([program, *map(str, values)], capture_output=True, text=True, check=False)
        first = ran.stderr.splitlines()[0]
        found[values] = first if ran.returncode == 0 else first.partition("panic: ")[2]
    return found


def searched(unit: Path, entry: str) -> Result:
    return campaign.run(BuildOptions((unit,), entry), SearchOptions(criterion="path", budget=120.0))


@pytest.mark.slow
@pytest.mark.parametrize("entry", sampled(DOMAINS, lambda name: name == "grade"))
def test_every_behaviour_is_found_and_every_test_is_true(unit: Path, entry: str, tmp_path: Path) -> None:
    truth = plain(unit, entry, tmp_path)
    result = searched(unit, entry)
    deliver(result, tmp_path / "out").checked()
    messages = {bug.test: bug.message for bug in result.bugs}
    assert result.ending.claim == "paths"
    assert all(test.replayed == "same" for test in result.tests), [test.replayed for test in result.tests]
    seen = set()
    for test in result.tests:
        values = tuple(test.inputs.roots[place].cells[0].value.number for place in range(len(DOMAINS[entry])))
        if test.outcome is Outcome.RETURNED:
            assert test.returned is not None
            ends = f"= {test.returned[0]}"
        else:
            ends = messages.get(test.name, truth[values])
        assert ends == truth[values], values
        seen.add(ends)
    assert seen == set(truth.values())
    assert set(messages.values()) == {text for text in truth.values() if not text.startswith("=")}
    assert result.coverage.branches is not None
    assert result.coverage.branches.covered == result.coverage.branches.total
    ran = subprocess.run(
        [compiler.find().command[0], *suite_command(result, tmp_path)], cwd=tmp_path / "out" / "suite", check=False
    )
    assert ran.returncode == 0


def suite_command(result: Result, folder: Path) -> list[str]:
    """The command in the suite's head, without the compiler's name."""
    text = next((folder / "out" / "suite").glob("*.zig")).read_text()
    return text.splitlines()[1].removeprefix("//!").split()[1:]
