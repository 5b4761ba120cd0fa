"""The harness apart from its source: what may be split, and what that saves."""

from __future__ import annotations

from pathlib import Path

import pytest
from front_fixtures import toolchain

from veer.frontends.c import build as front_end
from veer.frontends.c.apart import apart
from veer.frontends.c.exchange import BuildRecord, decode
from veer.frontends.llvm.irtext import declared_functions, defined_functions
from veer.model.options import BuildOptions
from veer.model.program import Program

MODULE = """\
source_filename = "harness.c"
%struct.s = type { i64, i64, i64 }
@table = dso_local constant [2 x i32] [i32 1, i32 2]
@.str = private unnamed_addr constant [2 x i8] c"x\\00", align 1
@veer_t_1 = internal constant { i32, ptr } { i32 1, ptr @veer_t_2 }
@veer_t_2 = internal constant i32 3
@llvm.used = appending global [1 x ptr] [ptr @table]
define dso_local i32 @entry(ptr noundef byval(%struct.s) align 8 %0, i8 noundef signext %1) #0 !dbg !1 {
  %3 = call i32 @below()
  ret i32 %3
}
define internal i32 @below() {
  ret i32 2
}
define dso_local void @veer_main() {
  call void @veer_make(ptr @veer_t_1, ptr @.str)
  %1 = call i32 @entry(ptr undef, i8 1)
  ret void
}
declare void @veer_make(ptr, ptr)
"""


def test_the_harness_keeps_its_own_and_declares_the_entry() -> None:
    text = apart(MODULE, {"veer_main"}, "entry")
    assert text is not None
    assert defined_functions(text) == ("veer_main",)
    assert "declare i32 @entry(ptr noundef byval(%struct.s) align 8, i8 noundef signext)" in text
    assert set(declared_functions(text)) == {"entry", "veer_make"}
    assert all(name in text for name in ("@veer_t_1 =", "@veer_t_2 =", "@.str ="))
    assert "@table" not in text


def test_what_needs_more_of_its_source_than_the_entry_stays_whole() -> None:
    assert apart(MODULE.replace("dso_local i32 @entry", "internal i32 @entry"), {"veer_main"}, "entry") is None
    assert apart(MODULE.replace("@veer_t_1, ptr @.str", "@veer_t_1, ptr @below"), {"veer_main"}, "entry") is None
    writes = MODULE.replace("@table = dso_local constant", "@table = dso_local global").replace(
        "ptr @.str", "ptr @table"
    )
    assert apart(writes, {"veer_main"}, "entry") is None


def entry_unit(program: Program) -> str:
    """The name of the unit with the entry: its place in the cache."""
    file = toolchain().cache.find("program", program.executable.name, ".json")
    assert file is not None
    return next(unit.name for unit in decode(file.read_bytes(), BuildRecord).units if unit.is_entry)


@pytest.mark.slow
def test_another_entry_finds_the_source_made(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(
        "struct s { long a, b, c; };\nstatic int twice(int x) { return x > 5 ? 2 * x : x; }\n"
        "int first(int x) { return twice(x) > 3; }\nint second(struct s s, char c) { return s.b == 7 && c == 'x'; }\n"
        "static int third(int x) { return twice(x) > 4; }\nint fourth(void) { return third(4); }\n"
    )
    first = front_end.build(BuildOptions((source,), "first"), toolchain())
    program = front_end.build(BuildOptions((source,), "second"), toolchain())
    assert first.executable != program.executable
    assert entry_unit(first) == entry_unit(program)
    assert {site.function for site in program.sites} >= {"first", "second", "twice"}
    third = front_end.build(BuildOptions((source,), "third"), toolchain())
    assert entry_unit(third) != entry_unit(first)


def test_struct_arguments_cross_the_units(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text("struct s { long a, b, c; };\nint f(struct s s, char c) { return s.b == 7 && c == 'x'; }\n")
    program = front_end.build(BuildOptions((source,), "f"), toolchain())
    assert front_end.replay_builds(program, BuildOptions((source,), "f"), toolchain()).counters.exists()
