"""What a user names as a source and is none: one sentence for each."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from veer.campaign.sources import source_files
from veer.model.errors import UsageError


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (b"two\nlines.c", r"has the character '\\n', which compilers do not take; rename it"),
        (b"back\\slash.c", r"has the character '\\\\', which compilers do not take; rename it"),
        (b'double"quote.c', r"has the character '\"', which compilers do not take; rename it"),
        (b"latin\xff.c", r"is not UTF-8; rename it"),
    ],
)
def test_a_name_that_compilers_do_not_take(tmp_path: Path, name: bytes, sentence: str) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
    path.write_text("")
    with pytest.raises(UsageError, match=sentence):
        source_files([path])


@pytest.mark.parametrize("name", ["quote'd.c", "a b.c", "größe.c", "$HOME.c"])
def test_a_name_that_they_take(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("")
    assert source_files([path]) == (path,)


def test_a_pipe_is_no_source(tmp_path: Path) -> None:
    path = tmp_path / "pipe.c"
    os.mkfifo(path)
    with pytest.raises(UsageError, match=r"pipe\.c is no file but a pipe or a device; give a file"):
        source_files([path])


def test_a_directory_of_several_languages_is_that_of_the_first(tmp_path: Path) -> None:
    for name in ("Main.java", "deep/Other.java"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert source_files([tmp_path]) == (tmp_path / "Main.java", tmp_path / "deep/Other.java")
    (tmp_path / "unit.c").write_text("")
    with pytest.raises(UsageError, match=r"is a directory; give the C sources in it"):
        source_files([tmp_path])


def test_class_files_beside_java_sources_are_no_sources(tmp_path: Path) -> None:
    for name in ("Main.java", "Main.class", "deep/Other.class", "lib.jar"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert source_files([tmp_path]) == (tmp_path / "Main.java",)
    (tmp_path / "Main.java").unlink()
    assert source_files([tmp_path]) == (tmp_path / "Main.class", tmp_path / "deep/Other.class")
