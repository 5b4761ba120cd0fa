"""What a Zig source declares, from its text."""

from __future__ import annotations

from veer.frontends.zig.scanner import Declared, scan

SOURCE = """\
//! fn not_this(a: u8) void {}
const std = @import("std");
pub const Error = error{ Empty, Full };
pub const Callback = *const fn (u8) void;
pub fn plain(a: u8, noalias b: *u8, _: bool) void { _ = .{ a, b }; }
pub export fn exported(first: [*]const u8, n: usize) callconv(.c) void {
    const text = \\\\fn nor_this() void {}
    ;
    _ = .{ first, n, text };
}
export fn hidden(a: u8) u8 { return a; }
pub inline fn quick(comptime T: type, x: T) T { return x; }
pub extern fn elsewhere(a: u8) u8;
pub const Stack = struct {
    items: [4]u8 = .{ 0, 1, 2, '}' },
    pub const Mode = enum { fast, slow };
    pub fn push(self: *Stack, x: u8) error{Full}!void { if (x == '{') return; self.items[0] = x; }
    fn grow(self: *Stack) void { _ = self; }
    const Inner = struct { pub fn deep(a: u8) u8 { return a; } };
};
pub fn last() struct { a: u8, b: u8 } { const S = struct { fn local() void {} }; _ = S; return .{ .a = 1, .b = 2 }; }
test "a test" { fn_like(); }
"""


def test_functions_have_names_lines_and_parameters() -> None:
    found = {each.name: each for each in scan(SOURCE)[0]}
    assert list(found) == [
        "plain",
        "exported",
        "hidden",
        "quick",
        "Stack.push",
        "Stack.grow",
        "Stack.Inner.deep",
        "last",
    ]
    assert found["plain"] == Declared("plain", 5, ("a", "b", "argument_3"), frozenset(), is_public=True)
    assert found["exported"].parameters == ("first", "n")
    assert found["exported"].line == 6
    assert found["quick"].parameters == ("T", "x")
    assert found["Stack.push"].parameters == ("self", "x")


def test_what_other_files_cannot_name_is_said() -> None:
    public = {each.name for each in scan(SOURCE)[0] if each.is_public}
    assert public == {"plain", "exported", "quick", "Stack.push", "last"}
    assert next(each for each in scan(SOURCE)[0] if each.name == "hidden").words == {"export"}


def test_text_that_ends_early_is_no_error() -> None:
    assert scan("pub fn cut(a: u8, b") == ((), ())
    assert scan('pub fn f(a: u8) u8 { return "')[0] == (Declared("f", 1, ("a",), frozenset(), is_public=True),)


def test_variables_that_other_files_can_name() -> None:
    source = """
    pub var count: u32 = 0;
    var own: u8 = 1;
    pub const Box = struct { pub var total: i64 = 0; var most: u8 = 9; a: u8 };
    const Hidden = struct { pub var level: u8 = 0; };
    pub threadlocal var each: u8 = 0;
    pub fn f() void { var local: u8 = 0; _ = &local; }
    """
    assert scan(source)[1] == ("count", "Box.total")
