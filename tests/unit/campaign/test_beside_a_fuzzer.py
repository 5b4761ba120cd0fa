"""What goes between a search and a fuzzer's folder: each input once, whole, the shortest first."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign.beside import MOST_BYTES, BesideFuzzer
from veer.campaign.fuzzers import AflPlusPlus, LibFuzzer
from veer.model.errors import StoreError
from veer.search.exchange import Given
from veer.search.existing import Existing


def beside(corpus: Path) -> BesideFuzzer:
    corpus.mkdir(exist_ok=True)
    return BesideFuzzer(LibFuzzer(corpus, corpus.parent / "crashes"), lambda file, given: None)


def all_arrived(exchange: BesideFuzzer) -> list[bytes]:
    """What arrived by now; the folder is looked at again, however long ago that was."""
    exchange._next_scan = 0.0
    found: list[Existing] = []
    while some := exchange.arrived():
        found.extend(some)
    return [each.data for each in found]


def test_each_content_arrives_once(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    exchange = beside(corpus)
    for name, data in {"a": b"longer", "b": b"new", "c": b"new", ".hidden": b"half", "empty": b""}.items():
        (corpus / name).write_bytes(data)
    (corpus / "below").mkdir()
    (corpus / "below" / "d").write_bytes(b"x")
    assert all_arrived(exchange) == [b"x", b"new", b"longer"]
    assert all_arrived(exchange) == []
    (corpus / "e").write_bytes(b"later")
    assert all_arrived(exchange) == [b"later"]


def test_a_file_that_was_being_written_is_read_again(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    exchange = beside(corpus)
    (corpus / "a").write_bytes(b"ha")
    (corpus / "b").write_bytes(b"")
    assert all_arrived(exchange) == [b"ha"]
    (corpus / "a").write_bytes(b"half no more")
    (corpus / "b").write_bytes(b"whole")
    assert all_arrived(exchange) == [b"whole", b"half no more"]


def test_what_is_given_does_not_arrive(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    exchange = beside(corpus)
    (corpus / "a").write_bytes(b"there")
    assert all_arrived(exchange) == [b"there"]
    for data in (b"there", b"mine", b"mine", b""):
        exchange.give(Given(data, is_bug=False))
    exchange.give(Given(b"boom", is_bug=True))
    assert sorted(file.read_bytes() for file in corpus.iterdir()) == [b"mine", b"there"]
    assert [file.read_bytes() for file in (tmp_path / "crashes").iterdir()] == [b"boom"]
    assert all_arrived(exchange) == []
    assert (exchange.taken, exchange.given, exchange.bugs) == (1, 1, 1)


def test_what_is_too_long_is_counted(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    exchange = beside(corpus)
    (corpus / "a").write_bytes(bytes(MOST_BYTES + 1))
    assert all_arrived(exchange) == []
    assert exchange.too_long == 1


def test_a_folder_that_vanishes_is_told(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    exchange = beside(corpus)
    assert all_arrived(exchange) == []
    corpus.rmdir()
    corpus.touch()
    with pytest.raises(StoreError, match="cannot be read any more"):
        all_arrived(exchange)
    with pytest.raises(StoreError, match="cannot be written"):
        exchange.give(Given(b"x", is_bug=False))


def test_numbers_of_afl_go_on_without_a_gap(tmp_path: Path) -> None:
    (tmp_path / "main" / "queue").mkdir(parents=True)
    (tmp_path / "main" / "queue" / "id:000000,orig:a").write_bytes(b"a")
    for session in range(2):
        fuzzer = AflPlusPlus(tmp_path)
        for number in range(2):
            assert (
                fuzzer.put(Given(b"ab"[: number + 1], is_bug=False)).name == f"id:{2 * session + number:06d},src:veer"
            )
    assert len(list(fuzzer.inputs())) == 5
    assert AflPlusPlus(tmp_path, "other").place == tmp_path / "other" / "queue"
