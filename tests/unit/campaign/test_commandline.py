"""The options of a result as words, as seen from a folder, ask for the same options again."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from veer.campaign.commandline import placed, words
from veer.campaign.keywords import Options
from veer.campaign.requests import build_options, search_options
from veer.cli.commands import COMMANDS
from veer.model.buildoptions import BuildOptions
from veer.model.options import BUILD, SEARCH
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.suitefolder import SuiteFolder

TEST = next(each for each in COMMANDS if each.name == "test")


def asked(given: dict[str, Any], sources: tuple[Path, ...]) -> tuple[BuildOptions, SearchOptions]:
    options = cast(Options, {name: value for name, value in given.items() if name in Options.__annotations__})
    entry = given.get("entry", [""])[0]
    return build_options(sources, entry, options), search_options(options)


def again(given: list[str], root: Path) -> tuple[tuple[BuildOptions, SearchOptions], ...]:
    """What these words ask for in the folder `src`, and what their result's own words ask for in the folder `tests`."""
    for name in ("src", "tests", "include"):
        (root / name).mkdir()
    source = root / "src" / "f.c"
    source.write_text("")
    (root / "src" / "extra.h").write_text("")
    first = asked(dict(TEST.parse(["f.c", *given])), (source,))
    program = SimpleNamespace(sources=(source,), entry=first[0].entry)
    result = SimpleNamespace(options={**asdict(first[0]), **asdict(first[1])}, program=program)
    found = placed(TEST.parse(words(cast(Result, result), SuiteFolder(root / "tests", root))), root / "tests")
    assert [Path(each).resolve() for each in found["sources"]] == [source]
    return first, asked(found, (source,))


CASES = {
    "nothing": [],
    "bounds": ["--max-length", "8", "--max-length", "text=3", "--max-array", "2"],
    "none grows": ["--no-grow", "--graph-depth", "2"],
    "switches": ["--no-keep-going", "--globals", "--no-shrink", "--no-mocks"],
    "numbers": ["--budget", "500ms", "--seed", "7", "--campaign-memory", "512", "--max-runs", "9", "--timeout", "2s"],
    "texts": ["-D", "A=1", "-D", "B", "--std", "c99", "--cflag", "-O2", "--link", "m", "--strategy", "dfs"],
    "names": ["--inputs", "time,getenv", "--fail", "malloc", "--no-check", "overflow", "--without", "slice,pins"],
    "contracts": ["--nonnull", "p", "--range", "n=1..4"],
    "criterion": ["--criterion", "mcdc", "--goal", "entry"],
    "partitioned": ["--partitioned"],
    "compositional": ["--compositional", "--summarise", "g"],
    "quotes": ["-D", 'TEXT="a b"', "--cflag", "-DX='y'"],
}


@pytest.mark.parametrize("name", CASES)
def test_words_ask_for_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p").mkdir()
    monkeypatch.chdir(tmp_path)
    before, after = again(["--entry", "f", *CASES[name]], tmp_path / "p")
    assert after == before


def test_paths_are_as_seen_from_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "p"
    root.mkdir()
    monkeypatch.chdir(root)
    _, after = again(["--entry", "f", "-I", "include", "--cflag", "-Iinclude"], root)
    assert [Path(each).resolve() for each in after[0].include] == [root / "include"]
    assert after[0].cflags == (f"-I{root / 'tests' / '../include'}",)


def test_a_call_sequence_names_no_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p").mkdir()
    monkeypatch.chdir(tmp_path)
    before, after = again(["--sequence", "init,add*"], tmp_path / "p")
    assert after == before


def test_every_option_has_a_field_or_is_grow() -> None:
    """Another option without a field would be left out of the words, silently."""
    values = {**asdict(SearchOptions()), **asdict(BuildOptions((), ""))}
    others = {each.name for each in (*SEARCH, *BUILD) if each.field not in values}
    assert others == {"grow"}
