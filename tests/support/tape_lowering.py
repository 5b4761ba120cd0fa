"""Tape → LLVM IR, for veer's executor: each place of the stack is a local variable, each step has its line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tape import Routine, Step, depths

from veer.frontends.llvm.harness import TARGET

_OPERATIONS = {"add": "add i32", "subtract": "sub i32", "multiply": "mul i32", "divide": "sdiv i32"}
_COMPARISONS = {"less": "slt", "equal": "eq"}
_FIRST_LOCATION = 10


def lowered(routine: Routine, file: Path) -> str:
    """The module of one entry."""
    before = depths(routine)
    places = range(max(before.values()) + 1)
    inputs = ", ".join(f"i32 %in.{name}" for name in routine.inputs)
    lines = [
        TARGET.rstrip(),
        '@text = private constant [5 x i8] c"fail\\00"',
        "declare void @veer_error(ptr)",
        f"define i32 @{routine.name}({inputs}) !dbg !4 {{",
        *(f"  %s{place} = alloca i32" for place in places),
        "  br label %at0",
    ]
    for at, depth in sorted(before.items()):
        lines.append(f"at{at}:")
        lines += [f"  {line}, !dbg !{_FIRST_LOCATION + at}" for line in _step(routine, at, depth)]
    lines += ["}", *_debug_info(routine, file)]
    return "\n".join(lines) + "\n"


def _step(routine: Routine, at: int, depth: int) -> Iterator[str]:
    step: Step = routine.steps[at]
    top = f"%s{depth - 1}"
    if step.word == "push":
        value = f"%in.{step.about}" if step.about in routine.inputs else str(int(step.about))
        yield f"store i32 {value}, ptr %s{depth}"
    elif step.word == "give":
        yield f"%given{at} = load i32, ptr {top}"
        yield f"ret i32 %given{at}"
        return
    elif step.word == "fail":
        yield "call void @veer_error(ptr @text)"
        yield "unreachable"
        return
    elif step.word == "go":
        yield f"br label %at{routine.labels[step.about]}"
        return
    elif step.word == "unless":
        yield f"%top{at} = load i32, ptr {top}"
        yield f"%is{at} = icmp eq i32 %top{at}, 0"
        yield f"br i1 %is{at}, label %at{routine.labels[step.about]}, label %at{at + 1}"
        return
    else:
        yield f"%one{at} = load i32, ptr %s{depth - 2}"
        yield f"%other{at} = load i32, ptr {top}"
        if step.word in _COMPARISONS:
            yield f"%bit{at} = icmp {_COMPARISONS[step.word]} i32 %one{at}, %other{at}"
            yield f"%made{at} = zext i1 %bit{at} to i32"
        else:
            yield f"%made{at} = {_OPERATIONS[step.word]} %one{at}, %other{at}"
        yield f"store i32 %made{at}, ptr %s{depth - 2}"
    yield f"br label %at{at + 1}"


def _debug_info(routine: Routine, file: Path) -> Iterator[str]:
    yield "!llvm.dbg.cu = !{!0}"
    yield "!llvm.module.flags = !{!1}"
    yield "!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !3, emissionKind: FullDebug)"
    yield '!1 = !{i32 2, !"Debug Info Version", i32 3}'
    yield f'!3 = !DIFile(filename: "{file.name}", directory: "{file.parent}")'
    yield (
        f'!4 = distinct !DISubprogram(name: "{routine.name}", scope: !3, file: !3, line: {routine.line}, type: !5, '
        f"scopeLine: {routine.line}, spFlags: DISPFlagDefinition, unit: !0)"
    )
    yield "!5 = !DISubroutineType(types: !6)"
    yield "!6 = !{null}"
    for at, step in enumerate(routine.steps):
        yield f"!{_FIRST_LOCATION + at} = !DILocation(line: {step.line}, column: 1, scope: !4)"
