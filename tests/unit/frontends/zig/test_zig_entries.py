"""What is listed of a Zig source: the compiler says what its types are."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.cli.app import main
from veer.frontends.zig.language import ZIG
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UnsupportedInputError, UsageError

SOURCE = """\
const std = @import("std");
pub const Color = enum(u8) { red = 3, green = 4 };
const Point = struct { x: i32, next: ?*Point, small: u5 };
const Table = struct { rows: []const u16, wide: bool };
pub fn all(c: Color, p: *const Point, s: [:0]u8, o: ?u7, t: Table, z: [*:0]const u8) ?*const Point {
    _ = .{ c, s, o, t, z };
    return p.next;
}
pub fn generic(comptime T: type, x: T) T {
    return x;
}
pub fn many(p: [*]const u8) u8 {
    return p[0];
}
pub fn deep(p: *Table) bool {
    return p.wide;
}
pub fn gaps(e: enum { a, b }, f: enum(u8) { a = 1, b = 9 }) bool {
    return @intFromEnum(e) == @intFromEnum(f);
}
export fn hidden(a: u8) u8 {
    return a;
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "shapes.zig"
    file.write_text(SOURCE)
    return file


def test_inputs_and_refusals_are_told(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", str(source)]) == 0
    out = capsys.readouterr().out
    for said in (
        "    c: shapes.Color\n",
        "    p: *const shapes.Point\n",
        "    s: [:0]u8 (0 to 8 elements)\n",
        "    t: shapes.Table (0 to 4 elements)\n",
        "    z: [*:0]const u8 (0 to 8 bytes before the 0)\n",
        "1 of 6 functions can be an entry\n",
    ):
        assert said in out
    whole = " ".join(out.split())
    for why in (
        "generic is generic: it has no code of its own",
        "p: not supported: [*]const u8 does not say how many elements there are",
        "p: not supported: []const u16 is a slice behind a pointer",
        "have gaps",
        "hidden is not public, so that no test can call it: write `pub export fn`",
    ):
        assert why in whole


def test_refusals_come_before_a_build(source: Path) -> None:
    with pytest.raises(UnsupportedInputError, match="generic is generic"):
        ZIG.build(BuildOptions((source,), "generic"))
    with pytest.raises(UsageError, match="did you mean many"):
        ZIG.build(BuildOptions((source,), "mani"))
    with pytest.raises(UsageError, match="is not public"):
        ZIG.build(BuildOptions((source,), "hidden"))


def test_a_source_that_does_not_compile_is_the_users(tmp_path: Path) -> None:
    file = tmp_path / "broken.zig"
    file.write_text("pub fn f(a: u8) u8 {\n    return b + a;\n}\n")
    with pytest.raises(UsageError, match="use of undeclared identifier 'b'"):
        ZIG.build(BuildOptions((file,), "f"))
