"""What `--seeds` reads, and what it says of what it cannot."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

from veer.campaign.seedfiles import digest_of, existing_inputs, longest
from veer.model.errors import UsageError
from veer.search.existing import Existing


def ktest(*objects: tuple[str, bytes]) -> bytes:
    """A .ktest file of version 3 with one argument."""

    def block(data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + data

    head = b"KTEST" + struct.pack(">II", 3, 1) + block(b"a.bc") + struct.pack(">III", 0, 0, len(objects))
    return head + b"".join(block(name.encode()) + block(data) for name, data in objects)


def test_a_folder_is_read_with_its_folders_the_shortest_first_and_each_once(tmp_path: Path) -> None:
    queue = tmp_path / "default" / "queue"
    queue.mkdir(parents=True)
    (queue / "id:000000").write_bytes(b"longer")
    (queue / "id:000001").write_bytes(b"ab")
    (queue / "id:000002").write_bytes(b"ab")
    (tmp_path / "default" / "fuzzer_stats").write_text("execs: 3")
    (queue / ".state").mkdir()
    (queue / ".state" / "hidden").write_bytes(b"no")
    found = existing_inputs([str(tmp_path)])
    assert found == (Existing("id:000001", b"ab"), Existing("id:000000", b"longer"))
    assert longest(found) == 6
    assert digest_of(found) == digest_of(existing_inputs([str(queue)])) != digest_of(found[:1])


def test_klees_files_are_objects_by_name_and_what_it_writes_beside_them_is_no_input(tmp_path: Path) -> None:
    (tmp_path / "test000001.ktest").write_bytes(ktest(("x", b"abc"), ("n", b"\1\0\0\0")))
    for other in ("test000001.assert.err", "info", "run.istats", "warnings.txt"):
        (tmp_path / other).write_text("text")
    assert existing_inputs([str(tmp_path)]) == (
        Existing("test000001.ktest", objects=(("x", b"abc"), ("n", b"\1\0\0\0"))),
    )


@pytest.mark.parametrize("size", [5, 9, 20, 40])
def test_a_damaged_ktest_file_is_named(tmp_path: Path, size: int) -> None:
    file = tmp_path / "a.ktest"
    file.write_bytes(ktest(("x", b"abc"), ("n", b"\1\0\0\0"))[:size])
    with pytest.raises(UsageError, match=r"a\.ktest begins as a \.ktest file, but is none"):
        existing_inputs([str(file)])


def test_a_ktest_file_with_a_huge_count_is_damaged(tmp_path: Path) -> None:
    file = tmp_path / "a.ktest"
    file.write_bytes(b"KTEST" + struct.pack(">II", 3, 0xFFFFFFFF))
    with pytest.raises(UsageError, match="it is damaged"):
        existing_inputs([str(file)])


def test_what_is_no_input_is_refused_by_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: File name too long"):
        existing_inputs(["a" * 5000])
    with pytest.raises(UsageError, match="nothing cannot be read: No such file or directory"):
        existing_inputs([str(tmp_path / "nothing")])
    with pytest.raises(UsageError, match="there is no file in it"):
        existing_inputs([str(tmp_path)])
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="is neither a file nor a folder"):
        existing_inputs([str(tmp_path / "pipe")])
    (tmp_path / "long").write_bytes(bytes((1 << 16) + 1))
    with pytest.raises(UsageError, match="is longer than 65,536 bytes"):
        existing_inputs([str(tmp_path / "long")])
