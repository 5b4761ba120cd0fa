"""The whole front end on real sources: kinds, cache, numbering, stubs, errors, the replay builds."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from front_fixtures import toolchain
from recorded_tests import recorded, replayer

from veer.frontends.c import build as front_end
from veer.frontends.c.listing import functions
from veer.frontends.llvm import builderprocess
from veer.frontends.llvm.replay.found import find_replay, replay_key
from veer.model.buildoptions import BuildOptions
from veer.model.errors import ToolchainError, UnsupportedInputError, UsageError
from veer.model.program import HarnessKind, Program, SiteKind
from veer.model.replay import SAME
from veer.toolchain.compiling import compile_object
from veer.toolchain.runtime import ROOT, engine_library

pytestmark = pytest.mark.slow  # campaigns and builds: not for ./check --quick

GRADE = """
#include "limits_of_grade.h"
#include <ctype.h>
static int helper(int x) { return x > LIMIT ? 1 : 2; }
static int unused_helper(int x) { return x ? 1 : 2; }
static int grade(const char *text, int n) {
    if (n < 0)
        return -1;
    return isdigit(text[0]) && helper(n) == 1;
}
int other(void) { return grade("1", 2); }
"""


def sources(folder: Path) -> tuple[Path, ...]:
    (folder / "limits_of_grade.h").write_text("#define LIMIT 50\n")
    (folder / "grade.c").write_text(GRADE)
    (folder / "main.c").write_text(
        "int other(void);\nint main(int argc, char **argv) { return argc > 1 ? other() : 0; }\n"
    )
    return (folder / "grade.c", folder / "main.c")


def write(folder: Path, text: str, name: str = "unit.c") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def make(source: Path, entry: str = "f", **more: object) -> Program:
    return front_end.build(BuildOptions((source,), entry, **more), toolchain())  # type: ignore[arg-type]


def test_a_static_entry_of_one_of_two_sources(tmp_path: Path) -> None:
    paths = sources(tmp_path)
    program = front_end.build(BuildOptions(paths, "grade"), toolchain())
    assert program.harness is HarnessKind.FUNCTION
    assert program.include == paths[0]
    assert [site.id for site in program.sites] == list(range(len(program.sites)))
    entry = program.function("grade")
    assert entry is not None and entry.is_static and "helper" in entry.calls
    assert len(entry.successors) > 3
    branches = [site for site in program.sites if site.kind is SiteKind.BRANCH and site.function == "grade"]
    assert {(site.file, site.line) for site in branches} == {(str(paths[0]), 7), (str(paths[0]), 9)}
    assert branches[0].text == "n < 0"
    items = [item for site in program.sites for item in site.items if item >= 0]
    assert sorted(items) == list(range(len(items)))


@pytest.mark.slow
def test_the_second_build_is_a_hit_until_a_header_changes(tmp_path: Path) -> None:
    options = BuildOptions(sources(tmp_path), "grade")
    first = front_end.build(options, toolchain())
    second = front_end.build(options, toolchain())
    assert not first.cached and second.cached and second.executable == first.executable
    (tmp_path / "limits_of_grade.h").write_text("#define LIMIT 60\n")
    third = front_end.build(options, toolchain())
    assert not third.cached and third.executable != first.executable
    (tmp_path / "limits_of_grade.h").write_text("#define LIMIT 50\n")
    assert front_end.build(options, toolchain()).executable == first.executable
    assert not front_end.build(BuildOptions(options.sources, "grade", max_length=5), toolchain()).cached


def test_a_new_header_that_hides_another_is_a_miss(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "near").mkdir()
    (tmp_path / "far" / "size.h").write_text("#define SIZE 1\n")
    options = BuildOptions(
        (write(tmp_path, "#include <size.h>\nint f(int x) { return x > SIZE; }"),),
        "f",
        include=(str(tmp_path / "near"), str(tmp_path / "far")),
    )
    front_end.build(options, toolchain())
    (tmp_path / "near" / "size.h").write_text("#define SIZE 2\n")
    assert not front_end.build(options, toolchain()).cached


def test_a_hit_loads_neither_llvmlite_nor_numpy_and_runs_nothing(tmp_path: Path) -> None:
    source = write(tmp_path, "int f(int x) { return x > 3; }")
    make(source)
    script = f"""
import subprocess, sys
from pathlib import Path
def refuse(*_, **__): raise SystemExit("started a process")
from veer.frontends.c import build
from veer.model.options import BuildOptions
from veer.toolchain.cache import Cache
from veer.toolchain.compiler import find
subprocess.run = subprocess.Popen = refuse
compiler = find(None, Cache(Path({str(toolchain().cache.root)!r})))
assert build.build(BuildOptions((Path({str(source)!r}),), "f"), compiler).cached
assert not [name for name in sys.modules if name.split(".")[0] in ("llvmlite", "ziglang", "numpy")]
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_at_the_same_time(tmp_path: Path) -> None:
    source = write(tmp_path, "int f(int x) { return x > 3 ? x : -x; }")
    with ThreadPoolExecutor(3) as pool:
        programs = list(pool.map(lambda _: make(source), range(3)))
    assert all(program.executable.exists() for program in programs)
    assert make(source).cached


def test_a_program(tmp_path: Path) -> None:
    program = front_end.build(BuildOptions(sources(tmp_path), "main", argc=3), toolchain())
    assert program.harness is HarnessKind.PROGRAM
    assert program.bounds == ("argv-size 8", "argc 3")
    assert program.include == tmp_path / "main.c"
    assert {site.function for site in program.sites if site.kind is SiteKind.BRANCH} >= {"main", "grade"}


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ('int main(void) { puts("a"); return 0; }', False),
        ("int main(void) { return getchar(); }", True),
        ("static int ask(FILE *file) { return fgetc(file); }\nint main(void) { return ask(stdin); }", True),
        ("int main(int argc, char **argv) { char c = 0; return (int)read(argc - 1, &c, 1); }", True),
        ('int main(void) { FILE *file = fopen("a", "r"); return file ? fgetc(file) : 1; }', False),
        ('int main(void) { FILE *file = fdopen(0, "r"); return file ? fgetc(file) : 1; }', True),
        ("int never(void) { return getchar(); }\nint main(void) { return 0; }", False),
    ],
)
def test_standard_input_is_an_input_of_a_program_that_may_read_it(tmp_path: Path, text: str, reads: bool) -> None:
    source = write(tmp_path, f"#include <stdio.h>\n#include <unistd.h>\n{text}\n")
    assert ("stdin-size 8" in make(source, "main").bounds) == reads


def test_stubs(tmp_path: Path) -> None:
    program = make(
        write(tmp_path, "int sensor(int); extern int level; int f(void) { return sensor(1) > level; }"),
    )
    assert program.stubs == ("sensor",)
    assert program.notes == ("the variable level is defined nowhere: it is an input",)


def test_globals_become_inputs(tmp_path: Path) -> None:
    source = write(
        tmp_path,
        "int level; static const int limit = 3; char big[9999]; char *name; int f(void) { return level > limit; }",
    )
    assert make(source).bounds == ("static data as it begins (level)",)
    program = make(source, globals=True)
    assert program.bounds == ("max-length 8",)
    assert any("big keeps its initial value" in note for note in program.notes)


def test_the_users_own_version_of_a_library_function_stays(tmp_path: Path) -> None:
    source = write(
        tmp_path,
        "#include <stddef.h>\nsize_t strlen(const char *s) { return s[0] ? 7 : 8; }\n"
        "int f(const char *s) { return s && strlen(s) == 7; }",
    )
    program = make(source)
    called = [site.text for site in program.sites if site.kind is SiteKind.CALL and site.function == "f"]
    assert called == ["strlen"]


def test_a_linked_library_needs_no_stubs(tmp_path: Path) -> None:
    library, made = write(tmp_path, "int measure(int x) { return x * 2; } int scale = 4;", "lib.c"), tmp_path / "lib.o"
    assert compile_object(toolchain(), library, made).code == 0
    source = write(
        tmp_path,
        "int measure(int); int sensor(void); extern int scale, level;\n"
        "int f(int x) { return measure(x) > sensor() + scale + level; }",
    )
    program = make(source, link=(str(made),))
    assert program.stubs == ("sensor",)
    assert program.notes == ("the variable level is defined nowhere: it is all zeros",)
    assert make(source).stubs == ("measure", "sensor")


def test_checks_add_sites_but_no_coverage_items(tmp_path: Path) -> None:
    source = write(tmp_path, "int f(int x) { return x + 1; }")
    plain, checked = make(source, no_checks=("overflow",)), make(source)

    def items(program: Program) -> int:
        return sum(item >= 0 for site in program.sites for item in site.items)

    def checks(program: Program) -> int:
        return sum(site.kind is SiteKind.CHECK and site.function == "f" for site in program.sites)

    assert (checks(plain), checks(checked)) == (0, 1)
    assert items(plain) == items(checked)


@pytest.mark.parametrize(
    ("text", "options", "error", "pattern"),
    [
        ("int f(int x) { return y; }", {}, UsageError, r"unit\.c does not compile:\n.*undeclared identifier 'y'"),
        ("int first(int x) { return x; }", {"entry": "frist"}, UsageError, "did you mean first"),
        ("int x;", {}, UsageError, "nothing is"),
        (
            "int f(long double x) { return 0; }",
            {},
            UnsupportedInputError,
            "the parameter x of f is unsupported: veer has no",
        ),
        ("int f(int x) { return x; }", {"checks": ("nonsense",)}, UsageError, "there is no such check"),
        ("int f(int x) { return x; }", {"no_checks": ("memory",)}, UsageError, "--no-check memory: there is no such"),
        ("int f(int x) { return x; }", {"link": ("nosuchlibrary",)}, UsageError, "nosuchlibrary"),
        ("int f(int x) { return x; }", {"size_of": ("a=b",)}, UsageError, "no parameter 'a'"),
        ("int f(int x) { return x; }", {"std": "c77"}, UsageError, "c77"),
    ],
)
def test_errors(tmp_path: Path, text: str, options: dict[str, object], error: type[Exception], pattern: str) -> None:
    chosen = {"entry": "f"} | options
    with pytest.raises(error, match=pattern):
        make(write(tmp_path, text), **chosen)  # type: ignore[arg-type]


def test_missing_sources(tmp_path: Path) -> None:
    write(tmp_path, "int f(int x) { return x; }", "parser.c")
    with pytest.raises(UsageError, match=r"there is no source file .*parsr\.c.*did you mean .*parser\.c"):
        make(tmp_path / "parsr.c")
    with pytest.raises(UsageError, match="is a directory"):
        make(tmp_path)
    with pytest.raises(UsageError, match=r"name the C file that includes it"):
        make(write(tmp_path, "int f(void);", "parser.h"))
    with pytest.raises(UsageError, match=r'f is a C\+\+ function of parser.cpp: declare it extern "C"'):
        make(write(tmp_path, "int f() { return 1; }", "parser.cpp"))
    with pytest.raises(UsageError, match="no source was given"):
        front_end.build(BuildOptions((), "f"), toolchain())


def test_a_function_defined_twice(tmp_path: Path) -> None:
    one, two = write(tmp_path, "int g; int f(int x) { return x; }", "a.c"), write(tmp_path, "int g = 4;", "b.c")
    with pytest.raises(UsageError, match=r"g is defined in more than one source.*fcommon"):
        front_end.build(BuildOptions((one, two), "f"), toolchain())


def test_static_functions_of_one_name_keep_their_own_graphs(tmp_path: Path) -> None:
    one = write(tmp_path, "static int g(int x) { return x; }\nint other(int x) { return g(x); }", "a.c")
    two = write(tmp_path, "static int g(int x) { if (x) return 1; return 2; }\nint f(int x) { return g(x); }", "b.c")
    program = front_end.build(BuildOptions((one, two), "f"), toolchain())
    graphs = {Path(each.file).name: len(each.successors) for each in program.functions if each.name == "g"}
    assert graphs["a.c"] == 1 and graphs["b.c"] > 2


def test_headers_are_looked_for_beside_a_link(tmp_path: Path) -> None:
    (tmp_path / "farm").mkdir()
    (tmp_path / "farm" / "near.h").write_text("#define NEAR 1\n")
    source = write(tmp_path, '#include "near.h"\nint f(int x) { return x > NEAR; }', "real.c")
    link = tmp_path / "farm" / "link.c"
    link.symlink_to(source)
    assert make(link).include == link


def test_a_killed_cold_build_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(module: str, request: Path, reply: Path) -> builderprocess.Ended:
        request.with_suffix(".stage").write_text("list.c")
        return builderprocess.Ended(-6, "LLVM ERROR: cannot select\n")

    monkeypatch.setattr(builderprocess, "_run", killed)
    with pytest.raises(
        ToolchainError, match=r"instruments list\.c was killed by signal 6 \(LLVM ERROR: cannot select\)"
    ):
        make(write(tmp_path, "int f(int x) { return x; }"))


def test_listing_shows_static_functions_and_no_headers(tmp_path: Path) -> None:
    found = functions(BuildOptions(sources(tmp_path), ""), toolchain())
    assert [shape.function.name for shape, _ in found] == ["helper", "unused_helper", "grade", "other", "main"]
    shape, types = found[2]
    grade = shape.function
    assert [types[each.type].name for each in grade.parameters] == ["const char *", "int"]
    assert types[grade.parameters[0].type].extent == "length"


def test_counters_agree_with_the_programs_numbers(tmp_path: Path) -> None:
    """Of a static entry, and with another source whose numbers come first."""
    paths = sources(tmp_path)
    of = replayer(paths[0], "grade", others=paths[1:])
    program = of.built.program
    (found,) = of.replay([recorded(program, {"text": "7", "n": 51}, 1)])
    assert found.verdict == SAME
    edges = {
        (program.sites[edge // 2].function, program.sites[edge // 2].line, edge % 2)
        for edge in found.edges
        if program.sites[edge // 2].kind in (SiteKind.BRANCH, SiteKind.SELECT)
    }
    assert edges == {("grade", 7, 0), ("grade", 9, 1), ("helper", 4, 1)}


@pytest.mark.parametrize("is_asked", [False, True])
def test_replay_builds_are_made_beside_for_who_asks(tmp_path: Path, is_asked: bool) -> None:
    source, tools = write(tmp_path, "int f(int x) { return x > 7; }"), toolchain()
    program = front_end.build(BuildOptions((source,), "f"), tools, prepares_replay=is_asked)
    with tools.cache.lock(key := replay_key(program.executable)):  # whoever makes them holds it
        assert (find_replay(tools.cache, key) is not None) == is_asked


def test_replay_builds_do_not_depend_on_who_asks_first(tmp_path: Path) -> None:
    options = BuildOptions(sources(tmp_path), "grade")
    program = front_end.build(options, toolchain())
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(front_end.replay_builds, program, options, toolchain()) for _ in range(2)]
        first, second = (each.result() for each in asked)
    assert first == second


def test_what_is_gone_from_the_cache_is_made_again(tmp_path: Path) -> None:
    options = BuildOptions(sources(tmp_path), "grade", checks=("overflow",))
    program = front_end.build(options, toolchain())
    made = front_end.replay_builds(program, options, toolchain())
    for file in (made.plain, made.counters):
        file.unlink()
    again = front_end.replay_builds(program, options, toolchain())
    assert again.plain.exists() and again.counters.exists()
    assert again.lines == made.lines


def test_the_engine_as_a_library() -> None:
    assert engine_library(toolchain()).stat().st_size > 10_000
    assert (ROOT / "runtime").is_dir()
