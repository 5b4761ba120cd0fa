pub const Point = struct { x: i32, y: i32 };
pub const Colour = enum(u8) { red, green, blue };
pub const Node = struct { value: i32, next: ?*Node };

pub fn clamp(x: i32, low: i32, high: i32) i32 {
    if (x < low) return low;
    if (x > high) return high;
    return x;
}

pub fn quadrant(p: *const Point) u8 {
    if (p.x == 0 or p.y == 0) return 0;
    if (p.x > 0) return if (p.y > 0) 1 else 4;
    return if (p.y > 0) 2 else 3;
}

pub fn at(s: []const u8, i: usize) u8 {
    if (i > s.len) return 0;
    return s[i];
}

pub fn mix(a: Colour, b: u8) i32 {
    switch (a) {
        .red => return 1,
        .green => if (b == 77) return 2,
        .blue => return 100 - @as(i32, b) * 2,
    }
    return 3;
}

pub fn second(list: ?*Node) i32 {
    const first = list orelse return -1;
    const next = first.next orelse return -2;
    if (next.value == 12345) return next.next.?.value;
    return next.value;
}
