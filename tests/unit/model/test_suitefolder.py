"""Paths of a suite: relative within a project, absolute to what is elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.model.suitefolder import SuiteFolder


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("{root}/include", "../../include"),
        ("-I{root}/include", "-I../../include"),
        ("-fplugin={root}/p.so", "-fplugin=../../p.so"),
        ("{root}", "../.."),
        ("{root}s/include", "{root}s/include"),
        ("/usr/include", "/usr/include"),
        ('-DPATH="{root}/x"', '-DPATH="{root}/x"'),
        ("-Wall", "-Wall"),
        ("relative/x.c", "relative/x.c"),
    ],
)
def test_a_path_within_the_project_is_named_from_the_folder(tmp_path: Path, word: str, shown: str) -> None:
    root = tmp_path / "p"
    place = SuiteFolder(root / "out" / "suite", root)
    assert place.word(word.format(root=root)) == shown.format(root=root)


def test_another_folder_stands_before_what_is_relative(tmp_path: Path) -> None:
    place = SuiteFolder(tmp_path / "suite", tmp_path)
    assert place.word(f"-I{tmp_path}/a", "${HERE}/") == "-I${HERE}/../a"
    assert place.word("-I/usr", "${HERE}/") == "-I/usr"


def test_a_folder_outside_of_the_project_names_whole_paths(tmp_path: Path) -> None:
    place = SuiteFolder(tmp_path / "elsewhere", tmp_path / "p")
    assert place.path(tmp_path / "p" / "f.c") == str(tmp_path / "p" / "f.c")


def test_links_within_the_project_are_kept_and_those_around_it_followed(tmp_path: Path) -> None:
    real, named = tmp_path / "real", tmp_path / "named"
    (real / "src").mkdir(parents=True)
    (real / "src" / "f.c").write_text("")
    named.symlink_to(real)
    (real / "link.c").symlink_to(real / "src" / "f.c")
    place = SuiteFolder(named / "suite", named)
    assert place.path(named / "link.c") == "../link.c"
    assert place.path(named / "src" / "f.c") == "../src/f.c"
