"""`--format corpus` writes what it finds while it searches, and leaves the tests' own files at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign.streaming import StreamedCorpus
from veer.cli import test_command
from veer.cli.app import main
from veer.search.exchange import Given
from veer.store.export import write_suite

TARGET = """#include <stdlib.h>
int f(const unsigned char *p, unsigned long n) {
    if (n != 9) return 1;
    for (int k = 0; k < 8; k++)
        if (p[k] != "12345678"[k]) return 2;
    if (!p[8]) abort();
    return 3;
}"""


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.name[0] != "." and file.is_file()
    }


def test_what_is_found_is_there_at_once_and_replaced_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "mine").write_bytes(b"not veer's")
    corpus = StreamedCorpus(tmp_path, "f")
    for data in (b"a", b"a", b"b"):
        corpus.give(Given(data, is_bug=False))
    corpus.give(Given(b"b", is_bug=True))
    own = {"corpus/mine": b"not veer's"}
    assert files(tmp_path) == {**own, "corpus/new_000001": b"a", "corpus/new_000002": b"b", "crashes/new_000003": b"b"}
    write_suite(tmp_path, {"corpus/test_001": b"a"}, "f")
    assert files(tmp_path) == {**own, "corpus/test_001": b"a"}


def test_a_folder_that_cannot_be_written_is_no_end_of_the_search(tmp_path: Path) -> None:
    (tmp_path / "corpus").write_bytes(b"a file")
    corpus = StreamedCorpus(tmp_path, "f")
    for data in (b"a", b"b"):
        corpus.give(Given(data, is_bug=False))
    assert files(tmp_path) == {"corpus": b"a file"}


def test_a_search_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, out, before = tmp_path / "unit.c", tmp_path / "out", {}
    source.write_text(TARGET)
    folder, deliver = out / "suite" / "corpus", test_command.deliver

    def looked(*given: object, **more: object) -> object:
        before.update(files(folder))
        return deliver(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(test_command, "deliver", looked)
    words = ["--entry", "f", "--out", str(out), "--format", "corpus", "--no-hybrid", "--max-length", "12", "--quiet"]
    assert main(["test", str(source), *words]) == 1
    after = files(folder)
    assert any(data[:8] == b"12345678" for name, data in before.items() if name.startswith("corpus/new_"))
    assert any(name.startswith("crashes/new_") for name in before)
    assert after and not any("new_" in name for name in after)
    assert {data for name, data in after.items() if name.startswith("crashes/")} == {b"12345678\0"}
