"""What a disk has damaged in the cache is told, and made anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.toolchain import cache as cache_module
from veer.toolchain.cache import Cache
from veer.toolchain.compiler import find


@pytest.fixture(autouse=True)
def nothing_was_looked_at() -> None:
    """As in a new process."""
    cache_module._whole.clear()


def test_a_damaged_entry_is_no_entry(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cache = Cache(tmp_path)
    path = cache.write(b"content", "unit", "abcd", ".o")
    assert cache.find("unit", "abcd", ".o") == path
    cache_module._whole.clear()
    path.write_bytes(b"c0ntent")
    assert cache.find("unit", "abcd", ".o") is None
    assert capsys.readouterr().err == f"veer: {path} was damaged on the disk; it is made anew\n"
    assert not list((tmp_path / "unit").rglob("*.*"))
    assert cache.write(b"content", "unit", "abcd", ".o") == cache.find("unit", "abcd", ".o")
    assert capsys.readouterr().err == ""


def test_an_entry_with_the_same_content_stays_the_same_file(tmp_path: Path) -> None:
    """What runs confined may read the file that it was started with, by its inode."""
    cache = Cache(tmp_path)
    path = cache.write(b"content", "unit", "abcd", ".o")
    first = path.stat().st_ino
    assert cache.write(b"content", "unit", "abcd", ".o").stat().st_ino == first
    assert cache.write(b"other", "unit", "abcd", ".o").read_bytes() == b"other"
    assert path.stat().st_ino != first
    assert cache.find("unit", "abcd", ".o") == path
    assert not list((tmp_path / "tmp").iterdir())


@pytest.mark.parametrize("text", [b"", b"\xff\xfe", b"nonsense"])
def test_a_damaged_checksum_costs_at_most_the_entry(tmp_path: Path, text: bytes) -> None:
    cache = Cache(tmp_path)
    path = cache.write(b"content", "unit", "abcd", ".o")
    path.with_name("abcd.o.sum").write_bytes(text)
    cache.find("unit", "abcd", ".o")
    cache.write(b"content", "unit", "abcd", ".o")
    cache_module._whole.clear()
    assert cache.find("unit", "abcd", ".o") == path


def test_old_entries_go_with_their_checksums(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    path = cache.write(b"content", "unit", "abcd", ".o")
    os.utime(path, (0, 0))
    assert cache.prune() == 1
    assert not [each for each in (tmp_path / "unit").rglob("*") if each.is_file()]


def borrowed(root: Path) -> Path:
    """A cache in which veer's runtime is that of the usual one: links, which stay as they are."""
    usual = find(None).cache.root
    for kind in ("runtime", "unit"):
        for path in (usual / kind).glob("*/*"):
            link = root / path.relative_to(usual)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(path)
    return root


def test_a_campaign_with_entries_of_the_cache_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is run, then what that is made of: the result stays the same."""
    source = tmp_path / "unit.c"
    source.write_text("int f(int x) { return x > 3 ? 1 : 2; }\n")
    options = BuildOptions((source,), "f"), SearchOptions(budget=60.0)
    first = campaign.run(*options)
    cache = borrowed(tmp_path / "cache")
    monkeypatch.setenv("VEER_CACHE", str(cache))
    campaign.run(*options)
    for kinds in (("executable", "program"), ("manifest", "unit", "counters")):
        cache_module._whole.clear()
        found = [path for kind in kinds for path in (cache / kind).glob("*/*")]
        own = [path for path in found if path.suffix != ".sum" and not path.is_symlink()]
        assert own, kinds
        for path in own:
            path.chmod(0o700)
            path.write_bytes(path.read_bytes()[:-9] + b"damaged!!")
        again = campaign.run(*options)
        assert (again.ending, again.branches, again.tests) == (first.ending, first.branches, first.tests), kinds
