"""The versions that `veer compare` is given: files, folders, git revisions."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from veer.campaign.trees import _defines, flags_of, trees
from veer.model.errors import UsageError


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=veer", "-c", "user.email=veer@localhost")
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two commits of a project; the working directory is its root."""
    monkeypatch.setenv("VEER_CACHE", str(tmp_path / "cache"))
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "include").mkdir()
    (root / "include" / "limit.h").write_text("#define LIMIT 10\n")
    (root / "src" / "a.c").write_text("int f(int x)\n{\n    return x;\n}\n")
    (root / "src" / "b.c").write_text("int f(int x);\nint g(int x) { return f(x); }\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    (root / "src" / "a.c").write_text("int f(int x)\n{\n    return x + 1;\n}\n")
    git(root, "commit", "-qam", "two")
    monkeypatch.chdir(root)
    return root


def test_files_are_versions(tmp_path: Path) -> None:
    for name in ("old.c", "new.c"):
        (tmp_path / name).write_text("int f(void) { return 1; }\n")
    old, new = trees(str(tmp_path / "old.c"), str(tmp_path / "new.c"), (), "f")
    assert (old.sources, new.sources) == ((tmp_path / "old.c",), (tmp_path / "new.c",))


def test_revisions_are_unpacked_and_the_defining_file_is_found(repository: Path) -> None:
    old, new = trees("HEAD~1", "HEAD", (), "f")
    assert [each.sources[0].name for each in (old, new)] == ["a.c", "a.c"]
    assert "x + 1" not in old.sources[0].read_text() and "x + 1" in new.sources[0].read_text()
    assert repository not in old.sources[0].parents
    again, _ = trees("HEAD~1", "HEAD", (), "f")
    assert again == old


def test_a_file_of_a_revision_and_the_working_folder(repository: Path) -> None:
    (repository / "src" / "a.c").write_text("int f(int x) { return 2 * x; }\n")
    old, new = trees("HEAD:src/a.c", ".", (), "f")
    assert "x + 1" in old.sources[0].read_text() and new.sources == (repository / "src" / "a.c",)


def test_sources_behind_the_versions(repository: Path) -> None:
    old, new = trees("HEAD~1", ".", ("src/a.c", "src/b.c"), "g")
    assert [source.name for source in old.sources] == ["a.c", "b.c"] == [source.name for source in new.sources]


def test_headers_and_flags_are_those_of_each_version(repository: Path) -> None:
    old, new = trees("HEAD~1", ".", (), "f")
    known = ((str(repository / "src" / "a.c"), (f"-I{repository}/include", "-DX=1")),)
    ((source, flags),) = flags_of(old, ("include",), known)
    assert old.root is not None
    assert source == str(old.sources[0])
    assert flags == (f"-I{old.root}/include", "-DX=1", "-I", f"{old.root}/include")
    ((_, flags),) = flags_of(new, ("include",), known)
    assert flags == (f"-I{repository}/include", "-DX=1", "-I", f"{repository}/include")


@pytest.mark.parametrize(
    ("old", "named", "entry", "sentence"),
    [
        ("HEAD~9", (), "f", "there is no such file, folder or git revision"),
        ("HEAD:src/none.c", (), "f", "the commit has no file src/none.c"),
        ("HEAD", ("none.c",), "f", "HEAD has no file none.c"),
        ("HEAD", (), "none", "no source defines none"),
    ],
)
def test_what_is_no_version_is_told(
    repository: Path, old: str, named: tuple[str, ...], entry: str, sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        trees(old, "HEAD", named, entry)


def test_several_definitions_need_a_name(repository: Path) -> None:
    (repository / "other.c").write_text("int f(int x) { return x; }\n")
    with pytest.raises(UsageError, match=r"several files define f \(other.c, src/a.c\)"):
        trees(".", "HEAD", (), "f")


@pytest.mark.parametrize(
    ("text", "defines"),
    [
        ("char *f(char *s) {", True),
        ("const char\n*f(char *s)\n{", True),
        ("API(int) f(int x)\n{", True),
        ("__attribute__((noinline)) static int f(int x) /* so */ {", True),
        ("export fn f(x: c_int) c_int {", True),
        ("struct cell *f(void) __attribute__((pure));\nint g(void) {", False),
        ("    if (f(x)) {", False),
        ("    while (a && f(x)) {", False),
        ("    y = f(x); {", False),
        ("/* f(x) { */ int g;", False),
        ("#define F int f(x) {", False),
        ("int off(int x) {", False),
    ],
)
def test_what_text_defines_a_function(text: str, defines: bool) -> None:
    assert _defines(f"int a;\n{text}\n", "f") == defines
