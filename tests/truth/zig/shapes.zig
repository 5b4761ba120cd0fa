const std = @import("std");
const Inner = struct { flag: ?bool, code: u5 };
pub const Table = struct { rows: []const u16, inner: Inner, wide: bool };
pub const Err = error{ Small, Big };
pub fn table(t: Table) Err!struct { sum: u32, first: ?u16 } {
    if (t.rows.len == 0) return .{ .sum = 0, .first = null };
    if (t.inner.flag orelse t.wide) return error.Big;
    if (t.rows[0] > t.inner.code) return .{ .sum = 7, .first = t.rows[0] };
    return error.Small;
}
pub fn fill(out: []u8, with: u8) void {
    for (out, 0..) |*each, i| {
        if (i == 2) return;
        each.* = with +% @as(u8, @intCast(i));
    }
}
pub fn text(s: [:0]const u8) usize {
    return std.mem.indexOfScalar(u8, s, 'x') orelse s.len;
}
pub fn ctext(s: [*:0]const u8) usize {
    var i: usize = 0;
    while (s[i] != 0) : (i += 1) if (s[i] == '%') return 99;
    return i;
}
pub fn maybe(s: ?[]const u8, p: ?*i16) ?[]const u8 {
    const t = s orelse return null;
    if (p) |q| q.* += 1;
    if (t.len > 2 and t[0] == t[1]) return t[1..];
    return t;
}
pub fn grid(g: [2][2]i8) i8 {
    var best: i8 = -128;
    for (g) |row| for (row) |v| {
        if (v > best) best = v;
    };
    return best;
}
pub fn floats(x: f64, y: f32) f64 {
    if (x > 1e300 and y < 0) return x * 1e10;
    if (std.math.isNan(x)) return -1;
    return x + y;
}
pub const Stack = struct {
    items: [4]i32 = undefined,
    len: u8 = 0,
    pub fn push(self: *Stack, x: i32) error{Full}!void {
        if (self.len == 4) return error.Full;
        self.items[self.len] = x;
        self.len += 1;
    }
    pub fn pop(self: *Stack) ?i32 {
        if (self.len == 0) return null;
        self.len -= 1;
        return self.items[self.len];
    }
};
pub fn checked(n: u8) u8 {
    if (n == 13) @panic("bad luck");
    return n;
}
