"""Lines of IR text → records."""

from __future__ import annotations

import pytest

from veer.instrument.instructions import parse_instruction
from veer.instrument.lexer import split_commas
from veer.instrument.module import parse_blocks, parse_module


def test_commas_within_brackets_and_strings_do_not_separate() -> None:
    assert split_commas('[2 x i8] c"a,", { i32, ptr } %x, ptr getelementptr (i8, ptr @g, i64 1)') == [
        '[2 x i8] c"a,"',
        "{ i32, ptr } %x",
        "ptr getelementptr (i8, ptr @g, i64 1)",
    ]
    assert split_commas("") == []


@pytest.mark.parametrize(
    ("line", "opcode", "type_", "values"),
    [
        ("%r = add nuw nsw i32 %a, -1, !dbg !4", "add", "i32", ["%a", "-1"]),
        ("%r = fadd fast double %a, 1.000000e+00", "fadd", "double", ["%a", "1.000000e+00"]),
        ("%r = or disjoint i64 ptrtoint (ptr @a to i64), %b", "or", "i64", ["ptrtoint (ptr @a to i64)", "%b"]),
        ("%r = icmp samesign ult i32 %a, %b", "icmp", "i1", ["%a", "%b"]),
        ("%r = icmp eq <4 x i32> %a, %b", "icmp", "<4 x i1>", ["%a", "%b"]),
        ("%r = zext nneg i8 %a to i64", "zext", "i64", ["%a"]),
        ("%r = trunc nuw i32 %a to i1", "trunc", "i1", ["%a"]),
        ("%r = load atomic volatile i32, ptr %p seq_cst, align 4", "load", "i32", ["%p"]),
        ('%r = load { i32, i1 }, ptr @"a b", align 4', "load", "{ i32, i1 }", ['@"a b"']),
        ("store atomic i8 %v, ptr %p release, align 1", "store", "i8", ["%v", "%p"]),
        ("%r = phi i32 [ %a, %x ], [ undef, %y ], [ -3, %z ]", "phi", "i32", ["%a", "undef", "-3"]),
        ("%r = select i1 %c, ptr @f, ptr null", "select", "ptr", ["%c", "@f", "null"]),
        ("%r = atomicrmw volatile add ptr %p, i32 %v seq_cst, align 4", "atomicrmw", "i32", ["%p", "%v"]),
        (
            "%r = cmpxchg weak ptr %p, i32 %a, i32 %b acq_rel monotonic, align 4",
            "cmpxchg",
            "{ i32, i1 }",
            ["%p", "%a", "%b"],
        ),
        ("%r = extractelement <2 x float> %v, i32 1", "extractelement", "float", ["%v", "1"]),
        ("ret { i64, i32 } %v", "ret", "{ i64, i32 }", ["%v"]),
        ("%r = alloca %struct.s, i64 %n, align 16", "alloca", "ptr", ["%n"]),
    ],
)
def test_operands(line: str, opcode: str, type_: str, values: list[str]) -> None:
    instruction = parse_instruction("  " + line)
    assert (instruction.opcode, instruction.type) == (opcode, type_)
    assert [operand.value for operand in instruction.operands] == values


def test_calls() -> None:
    line = (
        "  %r = tail call fastcc zeroext i1 @f(i8 noundef signext %a, ptr noundef byval(%struct.s) align 8 %b, "
        "ptr nonnull align 4 dereferenceable(8) getelementptr (i8, ptr @g, i64 4), i32 range(i32 0, 5) 3) #4, !dbg !9"
    )
    call = parse_instruction(line).call
    assert call is not None
    assert (call.callee, call.prefix, call.variadic) == ("@f", "fastcc zeroext ", False)
    assert [str(argument) for argument in call.arguments] == [
        "i8 signext %a",
        "ptr byval(%struct.s) align 8 %b",
        "ptr align 4 getelementptr (i8, ptr @g, i64 4)",
        "i32 3",
    ]
    assert call.arguments[1].byval == "%struct.s"
    variadic = parse_instruction("  call void (ptr, ...) %p(ptr @x, i32 1)").call
    assert variadic is not None
    assert (variadic.callee, variadic.variadic, variadic.fixed) == ("%p", True, 1)
    assembly = parse_instruction('  %r = call i32 asm sideeffect "a $1,$0", "=r,r,~{cc}"(i32 %x)').call
    assert assembly is not None
    assert assembly.callee == 'asm sideeffect "a $1,$0", "=r,r,~{cc}"'


MODULE = """
define internal { i64, i32 } @"odd name"(i32 noundef %x, ptr byval({ i32, [9 x i64] }) align 8 %y, ...) local_unnamed_addr #0 section "s" align 4 personality ptr @p !dbg !3 {
entry:
  switch i32 %x, label %other [
    i32 -1, label %one
    i32 7, label %one
  ], !dbg !5

one:                                              ; preds = %entry, %entry
    #dbg_value(i32 %x, !8, !DIExpression(), !9)
  %v = invoke i32 @g(i32 %x)
          to label %other unwind label %pad, !dbg !6

pad:                                              ; preds = %one
  %l = landingpad { ptr, i32 }
          cleanup
  br label %other

other:                                            ; preds = %pad, %one, %entry
  %w = phi i32 [ 0, %entry ], [ %v, %one ], [ 2, %pad ]
  ret { i64, i32 } zeroinitializer
}

declare i32 @g(i32)
declare i32 @p(...)
!3 = distinct !DISubprogram(name: "odd", scope: !4, file: !4, line: 12)
!4 = !DIFile(filename: "dir/a.c", directory: "/src")
!5 = !DILocation(line: 13, column: 4, scope: !3)
"""  # noqa: E501


def test_a_function_of_many_parts() -> None:
    module = parse_module(MODULE)
    function = module.functions[0]
    assert (function.name, function.returns, function.variadic) == ('@"odd name"', "{ i64, i32 }", True)
    assert function.parameters[1].byval == "{ i32, [9 x i64] }"
    blocks = parse_blocks(function)
    assert [block.label for block in blocks] == ["entry", "one", "pad", "other"]
    assert [case.value for case in blocks[0].instructions[0].operands] == ["%x", "-1", "7"]
    assert [instruction.opcode for instruction in blocks[1].instructions] == ["call", "br"]
    assert blocks[1].instructions[0].labels == ("pad",)
    assert blocks[3].instructions[0].labels == ("entry", "one", "pad")
    assert module.locations.position(5) == ("/src/dir/a.c", 13, 4)
    assert module.locations.function(function.subprogram).line == 12
