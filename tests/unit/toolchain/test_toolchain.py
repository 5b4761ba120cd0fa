"""Compiler and cache: found, called, kept, shared, and what they say when something is refused."""

from __future__ import annotations

import errno
import multiprocessing
import os
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest
from front_fixtures import toolchain

from veer.model.cachedir import cache_root
from veer.model.errors import EndlessSourceError, ToolchainError, UsageError
from veer.model.values import replace
from veer.toolchain import compiler, linking
from veer.toolchain.cache import Cache, digest, digest_file, storage_error
from veer.toolchain.compiler import Compiled, Toolchain, find, run, shorten, zig_cache
from veer.toolchain.compiling import compile_ir, compile_object
from veer.toolchain.libraries import resolved
from veer.toolchain.linking import link, linker_call
from veer.toolchain.probe import probe
from veer.toolchain.runtime import runtime_objects


def test_digest_counts_boundaries() -> None:
    assert digest("ab", "c") != digest("a", "bc")
    assert digest("a", b"b") == digest(b"a", "b")
    assert len(digest()) == 32


def test_digest_of_a_missing_file_is_empty(tmp_path: Path) -> None:
    assert digest_file(tmp_path / "none") == ""


def test_where_the_cache_lies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VEER_CACHE", str(tmp_path))
    assert cache_root() == tmp_path
    monkeypatch.delenv("VEER_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_root() == tmp_path / "veer"


def test_what_is_written_is_found(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    assert cache.find("unit", "abc", ".o") is None
    written = cache.write(b"content", "unit", "abc", ".o")
    assert cache.find("unit", "abc", ".o") == written
    assert written.read_bytes() == b"content"
    assert list((tmp_path / "cache" / "tmp").iterdir()) == []


def test_scratch_vanishes_even_after_an_error(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    with pytest.raises(KeyError), cache.scratch() as directory:
        (directory / "file").write_text("x")
        raise KeyError
    assert not directory.exists()


def test_a_large_cache_loses_what_was_used_longest_ago(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veer.toolchain.cache.KEEP_BYTES", 250)
    cache = Cache(tmp_path)
    now = time.time()
    for hours, name in ((0, "now"), (20, "today"), (100, "days"), (200, "week")):
        os.utime(cache.write(bytes(100), "executable", name), (now - hours * 3600,) * 2)
    assert cache.prune() == 2
    assert cache.find("executable", "today") and not cache.find("executable", "days")


def test_a_cache_on_a_full_disk_keeps_what_is_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veer.toolchain.cache.LITTLE_FREE_BYTES", 1 << 62)
    monkeypatch.setattr("veer.toolchain.cache.KEEP_BYTES_ON_FULL_DISK", 150)
    cache = Cache(tmp_path)
    now = time.time()
    for hours, name in ((0, "now"), (1, "hour"), (20, "today")):
        os.utime(cache.write(bytes(100), "executable", name), (now - hours * 3600,) * 2)
    assert cache.prune() == 1
    assert cache.find("executable", "hour") and not cache.find("executable", "today")


def test_what_was_used_lately_stays_in_a_large_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veer.toolchain.cache.KEEP_BYTES", 0)
    cache = Cache(tmp_path)
    cache.write(bytes(100), "executable", "today")
    assert cache.prune() == 0


def test_old_entries_are_pruned(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    old, new = cache.write(b"", "unit", "old"), cache.write(b"", "unit", "new")
    outdated = cache.write(b"", "runtime", "old", ".o")
    for path in (old, outdated):
        os.utime(path, (1, 1))
    assert cache.prune() == 2
    assert new.exists() and not old.exists() and not outdated.exists()


def _write_many(root: Path, content: bytes) -> None:
    for _ in range(50):
        with Cache(root).lock("one"):
            Cache(root).write(content * 1000, "unit", "shared")


def test_processes_share_a_cache(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_write_many, args=(tmp_path, bytes([65 + index]))) for index in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0, 0]
    content = Cache(tmp_path).path("unit", "shared").read_bytes()
    assert len(set(content)) == 1 and len(content) == 1000


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ToolchainError, match="set VEER_CACHE to a writable directory"):
        Cache(tmp_path / "file").write(b"", "unit", "key")


def test_sentences_for_refusals(tmp_path: Path) -> None:
    assert "disk is full" in str(storage_error(OSError(errno.ENOSPC, "No space"), tmp_path))
    assert "writable" in str(storage_error(OSError(errno.EROFS, "Read-only"), tmp_path))


def test_a_full_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(path: Path, content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ToolchainError, match="the disk is full while writing"):
        Cache(tmp_path).write(b"", "unit", "key")


def test_the_compiler_that_is_asked_for() -> None:
    with pytest.raises(UsageError, match="was not found"):
        find("no-such-compiler")
    with pytest.raises(UsageError, match="is not a clang"):
        find("sh")
    assert find().is_zig


def test_a_compiler_that_cannot_be_executed(tmp_path: Path) -> None:
    binary = tmp_path / "clang"
    binary.write_text("")
    with pytest.raises(ToolchainError, match=r"cannot be executed.*noexec"):
        run(Toolchain((str(binary),), "", Cache(tmp_path)), ())


@pytest.mark.parametrize(("kills", "signal", "is_told"), [(2, 9, False), (9, 9, True), (1, 6, False)])
def test_a_compiler_that_somebody_kills_is_started_again(
    kills: int, signal: int, is_told: bool, tmp_path: Path
) -> None:
    left, program = tmp_path / "left", tmp_path / "cc"
    left.write_text("x" * kills)
    program.write_text(f"#!/bin/sh\nread n < {left} || :\n[ -z \"$n\" ] && exit\n"
                       f"echo \"${{n#x}}\" > {left}\nkill -{signal} $$\n")  # fmt: skip
    program.chmod(0o700)
    killed = Toolchain((str(program),), "killed", Cache(tmp_path / "cache"))
    with pytest.raises(ToolchainError, match="killed by signal 9") if is_told else nullcontext():
        assert run(killed, ("a.c",)).code == 0


def test_a_source_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "CPU_SECONDS", 1)
    source, made = tmp_path / "doubled.c", tmp_path / "unit.ll"
    source.write_text("int f;\n")
    assert compile_ir(toolchain(), source, made).code == 0  # zig itself has other words for the end of its clang
    twice = "#include __FILE__\n" * 2
    source.write_text(f"#if __INCLUDE_LEVEL__ < 100\n{twice}#endif\n")
    with pytest.raises(ToolchainError, match="did not end within 1 s of processor time"):
        compile_ir(toolchain(), source, made)


def test_a_header_that_never_ends(tmp_path: Path) -> None:
    source = tmp_path / "zeros.c"
    for name in ("null", "zero"):
        source.write_text(f'#include "/dev/{name}"\nint f;\n')
        if name == "null":
            assert compile_ir(toolchain(), source, tmp_path / "unit.ll").code == 0
            continue
        with pytest.raises(EndlessSourceError, match="includes /dev/zero, which is no regular file"):
            compile_ir(toolchain(), source, tmp_path / "unit.ll")


def test_ir_and_the_headers_that_were_read(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("#define SEVEN 7\n")
    source = tmp_path / "unit.c"
    source.write_text('#include "own.h"\n#include <ctype.h>\nint f(int c) { return isdigit(c) ? SEVEN : g(); }\n')
    # Twice: a compiler that caches would not name the headers again.
    for _ in range(2):
        said = compile_ir(toolchain(), source, tmp_path / "unit.ll")
        assert said.code == 0
        assert tmp_path / "own.h" in said.headers
    text = (tmp_path / "unit.ll").read_text()
    assert "@isdigit(" in text and 'DISubprogram(name: "f"' in text


def test_asserts_stay(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text("#include <assert.h>\nint f(int c) { assert(c); return 1; }\n")
    compile_ir(toolchain(), source, tmp_path / "unit.ll")
    assert "__assert_fail" in (tmp_path / "unit.ll").read_text()


def test_link_and_run(tmp_path: Path) -> None:
    source, made = tmp_path / "unit.c", tmp_path / "unit.o"
    source.write_text("#include <math.h>\nint main(int c, char **v) { return (int)sqrt(c * 49.0); }\n")
    assert compile_object(toolchain(), source, made).code == 0
    assert link(toolchain(), [made], tmp_path / "program").code == 0
    assert os.waitstatus_to_exitcode(os.spawnv(os.P_WAIT, tmp_path / "program", ["x"]) << 8) == 7


def test_zig_is_asked_once_how_it_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, made = tmp_path / "unit.c", tmp_path / "unit.o"
    source.write_text("int main(void) { return 3; }\n")
    assert compile_object(toolchain(), source, made).code == 0
    # A cache of its own knows no call yet; zig's is shared, for it takes seconds to make.
    own = replace(toolchain(), cache=Cache(tmp_path / "cache"))
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", str(zig_cache(toolchain())))
    called: list[str] = []

    def noted(compiler_: Toolchain, arguments: Sequence[str]) -> Compiled:
        called.append(compiler_.command[1])
        return run(compiler_, arguments)

    monkeypatch.setattr(linking, "run", noted)
    first, second = (link(own, [made], tmp_path / name) for name in ("first", "second"))
    assert called == ["cc", "ld.lld", "ld.lld"], "zig's own link has more of its library than it should"
    assert (first.code, first.messages, second.code) == (0, "", 0)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    source.write_text("int lost(void); int main(void) { return lost(); }\n")
    assert compile_object(toolchain(), source, made).code == 0
    refused = link(own, [made], tmp_path / "third")
    assert called[3:] == ["ld.lld", "cc"], "what fails is told by zig"
    assert "undefined symbol: lost" in refused.messages and "ld.lld -" not in refused.messages
    # A path with a space cannot be told from two words; then zig is asked each time.
    assert linker_call("ld.lld -x -o out crt1.o one.o lib.so", [Path("one.o")], Path("out")) is not None
    assert linker_call("ld.lld -x -o my out crt1.o one.o lib.so", [Path("one.o")], Path("my out")) is None


def test_each_installation_of_zig_has_a_cache_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZIG_GLOBAL_CACHE_DIR", raising=False)
    one = toolchain()
    assert zig_cache(one) == zig_cache(one)
    assert zig_cache(one) != zig_cache(replace(one, identity="another installation"))
    assert one.cache.root in zig_cache(one).parents
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", "/given")
    assert zig_cache(one) == Path("/given")


def test_the_machines_libraries_are_found(tmp_path: Path) -> None:
    (tmp_path / "libown.so.3").write_text("")
    flags = resolved((f"-L{tmp_path}", "-lown", "-lm", "-lnone_such", "x.o"), toolchain())
    assert flags == (f"-L{tmp_path}", str(tmp_path / "libown.so.3"), "-lm", "-lnone_such", "x.o")


def test_errors_are_shortened() -> None:
    before = "In file included from a.c:1:\na.c:2:1: warning: odd\n  2 | x\n"
    text = f"{before}a.c:3:1: error: bad\n  3 | y\n    | ^\n1 error generated."
    assert shorten(text) == "a.c:3:1: error: bad\n  3 | y\n    | ^"
    many = "\n".join(f"a.c:{line}:1: error: bad" for line in range(30))
    assert shorten(many).endswith("... and 18 more lines")


def test_probe_names_everything() -> None:
    facts = probe()
    assert {"Python", "platform", "ziglang", "llvmlite", "compiler", "cache", "shared memory"} <= {
        each.what for each in facts
    }
    assert all(each.detail for each in facts)


def test_the_runtime_is_one_object_without_debug_information() -> None:
    (joined,) = runtime_objects(find())
    content = joined.read_bytes()
    assert b"\0veer_access\0" in content and b"\0veer_abort\0" in content
    assert b".debug_info\0" not in content
