"""veer.toml and the options that are contracts."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign.contracts import named, of_function, option_terms, project_terms
from veer.model.buildoptions import GivenTerms
from veer.model.errors import UsageError


def terms(folder: Path, text: str) -> tuple[GivenTerms, ...]:
    """What a veer.toml beside the source says."""
    (folder / "veer.toml").write_text(text)
    return project_terms([folder / "unit.c"])


def test_a_table_for_each_function_with_the_lines_of_its_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = """
[function.f]
nonnull = ["p", "q"]
range = { pct = "0..100", x = "1..2" }
[function.g]
constructor = true
length = { buf = "n", key = 16 }
[function.g.range]
z = "..5"
"""
    assert terms(tmp_path, text) == (
        GivenTerms("f", "nonnull(p, q)", "veer.toml:3"),
        GivenTerms("f", "range(pct, 0..100)", "veer.toml:4"),
        GivenTerms("f", "range(x, 1..2)", "veer.toml:4"),
        GivenTerms("g", "constructor", "veer.toml:6"),
        GivenTerms("g", "length(buf, n)", "veer.toml:7"),
        GivenTerms("g", "length(key, 16)", "veer.toml:7"),
        GivenTerms("g", "range(z, ..5)", "veer.toml:8"),
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[function.f]\n\nrange = 3\n", "veer.toml:3: range is written like"),
        ("[function]\nf = 3\n", "write a table for each function"),
        ("[function.f\n", "is no TOML"),
    ],
)
def test_mistakes_are_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, sentence: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=sentence):
        terms(tmp_path, text)


def test_the_working_directorys_file_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "src"
    inner.mkdir()
    (tmp_path / "veer.toml").write_text("[function.f]\nnonnull = 'far'\n")
    monkeypatch.chdir(inner)
    assert project_terms([inner / "unit.c"])[0].terms == "nonnull(far)"
    (inner / "veer.toml").write_text("[function.f]\nnonnull = 'near'\n")
    assert project_terms([inner / "unit.c"])[0].terms == "nonnull(near)"


def test_options_name_a_parameter(tmp_path: Path) -> None:
    found = option_terms(["p"], ["pct=0..100"])
    assert [named(each) for each in found] == ["p", "pct"]
    assert of_function(found, "f", ["pct"]) == (GivenTerms("", "range(pct, 0..100)", "--range pct=0..100"),)
    with pytest.raises(UsageError, match=r"write --range PARAM=LO\.\.HI"):
        option_terms([], ["0..100"])
    with pytest.raises(UsageError, match=r"--range n=9.*the range has no value"):
        option_terms([], ["n=9..3"])
