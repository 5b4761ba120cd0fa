"""Compilations: by the compiler's own call, with the same result to the byte as by zig's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from front_fixtures import toolchain

from veer.model.values import replace
from veer.toolchain import compiling
from veer.toolchain.cache import Cache
from veer.toolchain.compiler import Compiled, Toolchain, run
from veer.toolchain.compiling import compile_ir, compile_object, compiler_call, print_tree

KINDS = {"unit.ll": compile_ir, "tree.c": print_tree, "unit.o": compile_object}


@pytest.mark.parametrize("made", KINDS)
def test_zig_is_asked_once_how_it_compiles(made: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.h").write_text("#define SEVEN 7\n")
    text = '#include "own.h"\n#include <string.h>\nint f(const char *s) { return strlen(s) == SEVEN + N; }\n'
    names = ("one.c", "two words.c", "three.c")
    for name in names:
        (tmp_path / name).write_text(text)
    own, compiled = replace(toolchain(), cache=Cache(tmp_path / "cache")), KINDS[made]
    called: list[str] = []

    def noted(compiler_: Toolchain, arguments: Sequence[str]) -> Compiled:
        called.append(compiler_.command[1])
        return run(compiler_, arguments)

    def bytes_of(name: str, *flags: str) -> tuple[bytes, Compiled]:
        said = compiled(own, tmp_path / name, tmp_path / made, ("-g", *flags))
        assert said.code == 0, said.messages
        return (tmp_path / made).read_bytes(), said

    monkeypatch.setattr(compiling, "run", noted)
    with monkeypatch.context() as asking:
        asking.setattr(compiling, "_known_call", lambda *_: None)
        by_zig = [bytes_of(name, "-DN=1 + 1") for name in names]
    called.clear()
    direct = [bytes_of(name, "-DN=1 + 1") for name in names]
    assert called == ["-cc1"] * 3
    assert [said for _, said in direct] == [said for _, said in by_zig]
    if made == "unit.o":
        direct = [(copied(own, content, tmp_path), said) for content, said in direct]
    assert [content for content, _ in direct] == [content for content, _ in by_zig]
    other, _ = bytes_of("one.c", "-DN=3")
    assert called[3:] == ["cc"], "other flags are another call"
    assert other != by_zig[0][0] or made == "tree.c"
    monkeypatch.setenv("CPATH", str(tmp_path))
    bytes_of("one.c", "-DN=3")
    assert called[4:] == ["cc"], "so is another search path"


def copied(own: Toolchain, content: bytes, folder: Path) -> bytes:
    """An object as zig copies it with its linker."""
    (folder / "direct.o").write_bytes(content)
    known = "-r --error-limit=0 -mllvm -float-abi=hard --build-id=none --image-base=16777216 --eh-frame-hdr -znow"
    rest = ("-m", "elf_x86_64", "-static", "-o", str(folder / "copy.o"), str(folder / "direct.o"))
    assert run(replace(own, command=(own.command[0], "ld.lld")), (*known.split(), *rest)).code == 0
    return (folder / "copy.o").read_bytes()


def test_what_does_not_compile_is_told_by_zig(tmp_path: Path) -> None:
    own = replace(toolchain(), cache=Cache(tmp_path / "cache"))
    source = tmp_path / "unit.c"
    told = []
    for text in ("int f(void) { return lost; }\n", "int f;\n", "int f(void) { return lost; }\n"):
        source.write_text(text)
        told.append(compile_ir(own, source, tmp_path / "unit.ll"))
    assert [said.code != 0 for said in told] == [True, False, True]
    assert "use of undeclared identifier 'lost'" in told[0].messages
    assert told[0].messages == told[2].messages and "clang version" not in told[0].messages


def test_a_call_of_another_kind_is_not_noted() -> None:
    read = "-dependency-file l/tmp/5-u.o.d -MT l/tmp/5-u.o"
    line = f' "/zig" -cc1 -triple x -main-file-name u.c {read} -o l/tmp/5-u.o -x c u.c'
    known = compiler_call(line, Path("u.c"))
    assert known is not None
    arguments = known.arguments(Path("/a b.c"), Path("/a.o"))
    assert arguments == ("-triple", "x", "-main-file-name", "a b.c", "-o", "/a.o", "-x", "c", "/a b.c")
    assert compiler_call(line, Path("other.c")) is None
    assert compiler_call(line.replace("-triple x", "-coverage-notes-file=l/tmp/5-u.gcno"), Path("u.c")) is None
    assert compiler_call(line.replace("-triple x", '-D "X=\\$"'), Path("u.c")) is None
