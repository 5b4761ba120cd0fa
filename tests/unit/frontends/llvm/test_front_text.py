"""Flags from options, and the text of modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.frontends.c.flags import link_flags, user_flags
from veer.frontends.c.symbols import in_system_library
from veer.frontends.llvm.irtext import declared_data, declared_functions, defined_names, order_functions, rename_main
from veer.model.buildoptions import BuildOptions

MODULE = """\
@table = dso_local global [4 x i32] zeroinitializer, align 16
@level = external global i32, align 4
@stdin = external local_unnamed_addr global ptr, align 8
@.str = private unnamed_addr constant [2 x i8] c"a\\00"

; Function Attrs: noinline
define internal i32 @zeta(i32 noundef %0) #0 !dbg !10 {
  ret i32 %0
}

define i32 @main() {
  %1 = call i32 @zeta(i32 1)
  %2 = call i32 @main.helper(i32 1)
  ret i32 %1
}

define void @alpha() {
  ret void
}

declare i32 @"odd name"(i32 noundef, ...) #1
declare noundef zeroext i1 @flag(ptr noundef)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @main.helper(i32)

!10 = !{}
"""


def test_what_a_module_defines_and_declares() -> None:
    assert defined_names(MODULE) == {"zeta", "main", "alpha", "table", ".str"}
    assert declared_functions(MODULE) == {
        "odd name": ("i32", "i32 noundef, ..."),
        "flag": ("i1", "ptr noundef"),
        "main.helper": ("i32", "i32"),
    }
    assert declared_data(MODULE) == {"level": "i32", "stdin": "ptr"}


def test_main_is_renamed_alone() -> None:
    text = rename_main(MODULE)
    assert "define i32 @veer_user_main()" in text and "@main.helper(i32 1)" in text


def test_functions_in_an_order_that_their_callers_do_not_decide() -> None:
    text = order_functions(MODULE, {"alpha"})
    assert text.index("@main()") < text.index("@zeta(i32 noundef") < text.index("@alpha()")
    assert order_functions(rename_main(MODULE), {"alpha"}) == rename_main(text)
    assert sorted(text.split()) == sorted(MODULE.split())


def test_flags_of_the_user() -> None:
    options = BuildOptions((Path("a.c"),), "f", include=("inc",), define=("A=1",), std="c99", cflags=("-Wall",))
    flags = user_flags(options)
    assert flags[:6] == ("-I", str(Path.cwd() / "inc"), "-DA=1", "-std=c99", "-Wall", "-idirafter")


def test_paths_in_flags_hold_in_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A header that is not there is one of the folders of -I, and `=` stands for the compiler's own root."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "host.h").touch()
    given = ("-Iinc", "-isystem", "../sys", "-include", "host.h", "-include", "other.h", "-I=/usr", "-D", "inc", "-I")
    flags = user_flags(BuildOptions((Path("a.c"),), "f", cflags=given))
    host, inc, others = str(tmp_path / "host.h"), str(tmp_path / "inc"), str(tmp_path.parent / "sys")
    placed = (f"-I{inc}", "-isystem", others, "-include", host, "-include", "other.h", "-I=/usr", "-D", "inc", "-I")
    assert flags[: len(given)] == placed


def test_flags_that_would_change_the_branches_are_not_taken() -> None:
    given = ("-O2", "-Wall", "-fsanitize=address", "-flto", "-fcommon", "-c", "-g3", "-fopenmp")
    assert user_flags(BuildOptions((Path("a.c"),), "f", cflags=given))[:3] == ("-Wall", "-fcommon", "-fopenmp")
    assert "-m32" not in user_flags(BuildOptions((Path("a.c"),), "f", cflags=("-m32",)))


def test_libraries() -> None:
    options = BuildOptions((Path("a.c"),), "f", link=("m", "-lz", "./x.a", "y.o"))
    assert link_flags(options) == ("-lm", "-lz", "./x.a", "y.o")


def test_what_the_system_has() -> None:
    assert in_system_library("printf") and in_system_library("cos") and in_system_library("stdin")
    assert not in_system_library("read_my_sensor")
