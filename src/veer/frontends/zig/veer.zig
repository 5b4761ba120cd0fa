//! What veer puts beside a unit of the user's: panics that its instrumenter knows by their names, and a description of
//! functions and types, which the compiler writes into the module as text.

const std = @import("std");
const Type = std.lang.Type;

/// Panics of the root file. Calls of them are traps in the IR that is instrumented, so that none of these bodies runs.
pub const panic = struct {
    pub fn call(_: []const u8, _: ?usize) noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn sentinelMismatch(_: anytype, _: anytype) noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn unwrapError(_: anyerror) noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn outOfBounds(_: usize, _: usize) noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn startGreaterThanEnd(_: usize, _: usize) noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn inactiveUnionField(_: anytype, _: anytype) noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn sliceCastLenRemainder(_: usize) noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn unexpectedErrorCode(_: anyerror) noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn reachedUnreachable() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn unwrapNull() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn castToNull() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn incorrectAlignment() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn invalidErrorCode() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn integerOutOfBounds() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn integerOverflow() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn shlOverflow() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn shrOverflow() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn divideByZero() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn exactDivisionRemainder() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn integerPartOutOfBounds() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn corruptSwitch() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn shiftRhsTooBig() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn invalidEnumValue() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn forLenMismatch() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn copyLenMismatch() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn memcpyAlias() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn noreturnReturned() noreturn {
        @branchHint(.cold);
        @trap();
    }
    pub fn loadUninstantiableType() noreturn {
        @branchHint(.cold);
        @trap();
    }
};

/// A line for each function and each variable, then one for each type that they lead to, with tabs between the columns:
///
///     fn    name  is generic  calling convention  result  parameters
///     var   name  type
///     type  kind  size  alignment  name  more, by kind
///
/// Types are numbers of lines of types, from 0 on. The reader is described.py.
pub fn described(comptime functions: anytype, comptime variables: anytype) []const u8 {
    @setEvalBranchQuota(10_000_000);
    comptime var table: Table = .{};
    comptime var text: []const u8 = "";
    inline for (functions) |each| {
        const info = @typeInfo(each[1]).@"fn";
        text = text ++ "fn\t" ++ each[0] ++ "\t" ++ flag(info.is_generic or info.attrs.varargs) ++ "\t" ++
            @tagName(info.attrs.@"callconv") ++ "\t" ++ table.place(info.return_type) ++ "\t";
        for (info.param_types) |parameter| text = text ++ table.place(parameter) ++ ",";
        text = text ++ "\n";
    }
    inline for (variables) |each| text = text ++ "var\t" ++ each[0] ++ "\t" ++ table.place(each[1]) ++ "\n";
    var next = 0;
    while (next < table.types.len) : (next += 1) text = text ++ "type\t" ++ table.line(table.types[next]) ++ "\n";
    return text;
}

const most_types = 1000;

const Table = struct {
    types: []const type = &.{},

    /// The number of a type; "-" where there is none, or too many are known already.
    fn place(comptime table: *Table, comptime given: ?type) []const u8 {
        const T = given orelse return "-";
        for (table.types, 0..) |known, number| {
            if (known == T) return std.fmt.comptimePrint("{d}", .{number});
        }
        if (table.types.len == most_types) return "-";
        table.types = table.types ++ .{T};
        return std.fmt.comptimePrint("{d}", .{table.types.len - 1});
    }

    fn line(comptime table: *Table, comptime T: type) []const u8 {
        return switch (@typeInfo(T)) {
            .bool => head("bool", T),
            .void => head("void", T),
            .noreturn => "noreturn\t0\t1\tnoreturn\t",
            .int => |int| head("int", T) ++ @tagName(int.signedness) ++ "\t" ++ std.fmt.comptimePrint("{d}", .{int.bits}),
            .float => |float| head("float", T) ++ std.fmt.comptimePrint("{d}", .{float.bits}),
            .@"enum" => |info| table.enumLine(T, info),
            .@"struct" => |info| table.structLine(T, info),
            .optional => |info| head("optional", T) ++ table.place(info.child),
            .array => |info| head("array", T) ++ table.place(info.child) ++
                std.fmt.comptimePrint("\t{d}\t", .{info.len}) ++ ending(info),
            .pointer => |info| head(@tagName(info.size), T) ++ table.place(info.child) ++ "\t" ++
                flag(info.attrs.@"const") ++ "\t" ++ ending(info),
            .error_union => |info| head("error_union", T) ++ table.place(info.payload) ++ "\t" ++ table.place(info.error_set),
            .error_set => |info| table.errorLine(T, info),
            else => "other\t0\t1\t" ++ @typeName(T) ++ "\t",
        };
    }

    fn enumLine(comptime table: *Table, comptime T: type, comptime info: Type.Enum) []const u8 {
        var text: []const u8 = head("enum", T) ++ table.place(info.tag_type) ++ "\t" ++ flag(info.mode == .exhaustive);
        for (info.field_names, info.field_values) |name, value| {
            text = text ++ std.fmt.comptimePrint("\t{s}\t{d}", .{ name, value });
        }
        return text;
    }

    fn structLine(comptime table: *Table, comptime T: type, comptime info: Type.Struct) []const u8 {
        const is_plain = info.layout != .@"packed" and !info.is_tuple and !hasComptime(info);
        if (!is_plain) return "other\t0\t1\t" ++ @typeName(T) ++ "\t";
        var text: []const u8 = head("struct", T) ++ @tagName(info.layout);
        for (info.field_names, info.field_types) |name, Field| {
            text = text ++ "\t" ++ name ++ "\t" ++ table.place(Field) ++ std.fmt.comptimePrint("\t{d}", .{@offsetOf(T, name)});
        }
        return text;
    }

    fn errorLine(comptime table: *Table, comptime T: type, comptime info: Type.ErrorSet) []const u8 {
        _ = table;
        const names = info.error_names orelse return head("any_error", T);
        var text: []const u8 = head("error_set", T);
        for (names) |name| {
            text = text ++ std.fmt.comptimePrint("\t{s}\t{d}", .{ name, @intFromError(@field(T, name)) });
        }
        return text;
    }
};

fn hasComptime(comptime info: Type.Struct) bool {
    for (info.field_types, info.field_attrs) |Field, attributes| {
        if (attributes.@"comptime") return true;
        switch (@typeInfo(Field)) {
            .type, .comptime_int, .comptime_float, .enum_literal, .undefined, .null, .@"fn", .@"opaque" => return true,
            else => {},
        }
    }
    return false;
}

fn head(comptime kind: []const u8, comptime T: type) []const u8 {
    return kind ++ std.fmt.comptimePrint("\t{d}\t{d}\t", .{ @sizeOf(T), @alignOf(T) }) ++ @typeName(T) ++ "\t";
}

fn flag(comptime value: bool) []const u8 {
    return if (value) "1" else "0";
}

/// What stands behind the last element of a pointer or an array: nothing, 0, or something else.
fn ending(comptime info: anytype) []const u8 {
    if (info.sentinel_ptr == null) return "-";
    return switch (@typeInfo(info.child)) {
        .int => if (info.sentinel().? == 0) "0" else "other",
        else => "other",
    };
}
