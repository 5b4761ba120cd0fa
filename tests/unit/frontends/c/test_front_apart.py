"""The harness apart from its source: what may be split, and what that saves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from front_fixtures import toolchain

from veer.frontends.c import build as front_end
from veer.frontends.c.apart import apart, with_handles
from veer.frontends.c.exchange import BuildRecord, decode
from veer.frontends.llvm.irtext import declared_functions, defined_functions
from veer.model.buildoptions import BuildOptions
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


SOURCE = Path("/work/unit.c")
SHARED = {"entry", "below", "table", "count"}


def test_the_harness_keeps_its_own_and_declares_the_entry() -> None:
    text = apart(MODULE, {"veer_main"}, SOURCE, SHARED)
    assert text is not None
    assert defined_functions(text) == ("veer_main",)
    assert "declare i32 @entry(ptr noundef byval(%struct.s) align 8, i8 noundef signext)" in text
    assert set(declared_functions(text)) == {"entry", "veer_make"}
    assert all(name in text for name in ("@veer_t_1 =", "@veer_t_2 =", "@.str ="))
    assert "@table" not in text


def test_what_is_static_has_a_handle() -> None:
    module = MODULE.replace("dso_local i32 @entry", "internal i32 @entry").replace("ptr @.str", "ptr @count")
    module = module.replace(
        "@table = dso_local", "@count = internal global [2 x i32] zeroinitializer, align 4\n@table ="
    )
    text = apart(module, {"veer_main"}, SOURCE, SHARED)
    assert text is not None
    whole = with_handles(module, SOURCE)
    assert whole.startswith(module.rstrip())
    handles = re.findall(r"^(@veer\.static\.\w+\.(?:entry|count)) = hidden alias (.*)$", whole, re.MULTILINE)
    assert [kind for _, kind in handles] == ["void (), ptr @entry", "[2 x i32], ptr @count"]
    (entry, _), (count, _) = handles
    assert f"declare i32 {entry}(ptr noundef byval(%struct.s) align 8, i8 noundef signext)" in text
    assert f"call i32 {entry}(ptr undef, i8 1)" in text
    assert f"{count} = external global [2 x i32], align 4" in text and f"ptr {count})" in text
    assert "@entry" not in text and "@count" not in text
    elsewhere = with_handles(module, Path("/work/other.c"))
    assert not any(f"{handle} " in elsewhere for handle in (entry, count)), "another source may have the same names"


def test_variables_that_others_see_are_declared() -> None:
    writes = MODULE.replace("@table = dso_local constant", "@table = dso_local global").replace(
        "ptr @.str", "ptr @table"
    )
    text = apart(writes, {"veer_main"}, SOURCE, SHARED)
    assert text is not None and "@table = external global [2 x i32]\n" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("dso_local i32 @entry", "weak i32 @entry"),
        ("@table = dso_local constant", "@table = internal thread_local global"),
        ("@table = dso_local constant", "@table = weak global"),
    ],
)
def test_what_other_units_cannot_name_keeps_the_harness_with_its_source(old: str, new: str) -> None:
    assert apart(MODULE.replace(old, new).replace("ptr @.str", "ptr @table"), {"veer_main"}, SOURCE, SHARED) is None


def test_a_static_that_only_the_harness_refers_to_is_in_no_other_module() -> None:
    module = MODULE.replace("@table = dso_local constant", "@table = internal global").replace(
        "ptr @.str", "ptr @table"
    )
    assert apart(module, {"veer_main"}, SOURCE, SHARED) is not None
    assert apart(module, {"veer_main"}, SOURCE, SHARED - {"table"}) is None


def test_a_static_variable_of_a_function_of_the_harness_is_its_own() -> None:
    module = MODULE.replace("@veer_t_1 =", "@veer_main.calls = internal global i32 0\n@veer_t_1 =").replace(
        "ptr @.str", "ptr @veer_main.calls"
    )
    alone = apart(module, {"veer_main"}, SOURCE, SHARED)
    assert alone is not None and "@veer_main.calls = internal global i32 0" in alone
    assert apart(module.replace("veer_main.calls", "below.calls"), {"veer_main"}, SOURCE, SHARED) is None


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
        "static int uncalled(int x) { return x > 9; }\nint asking(int (*f)(int), int x) { return f(x) > 2; }\n"
    )
    first = front_end.build(BuildOptions((source,), "first"), toolchain())
    program = front_end.build(BuildOptions((source,), "second"), toolchain())
    assert first.executable != program.executable
    assert entry_unit(first) == entry_unit(program)
    assert {site.function for site in program.sites} >= {"first", "second", "twice"}
    third = front_end.build(BuildOptions((source,), "third"), toolchain())
    assert entry_unit(third) == entry_unit(first)
    asking = front_end.build(BuildOptions((source,), "asking"), toolchain())
    assert entry_unit(asking) == entry_unit(first), "its stub, which counts its calls, is the harness's"
    uncalled = front_end.build(BuildOptions((source,), "uncalled"), toolchain())
    assert entry_unit(uncalled) != entry_unit(first), "what nobody calls is in no other program"


def test_struct_arguments_cross_the_units(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text("struct s { long a, b, c; };\nint f(struct s s, char c) { return s.b == 7 && c == 'x'; }\n")
    program = front_end.build(BuildOptions((source,), "f"), toolchain())
    assert front_end.replay_builds(program, BuildOptions((source,), "f"), toolchain()).counters.exists()
