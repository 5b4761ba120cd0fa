"""Which parameter counts what a pointer leads to, by name and place."""

from __future__ import annotations

import pytest

from veer.frontends.machine.lengths import lengths


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("b:p n:n", {"p": "n"}),
        ("p:a n:count", {"a": "count"}),
        ("b:src b:dst n:compressedSize n:dstCapacity", {"src": "compressedSize", "dst": "dstCapacity"}),
        ("b:source b:dest n:inputSize n:maxOutputSize", {"source": "inputSize", "dest": "maxOutputSize"}),
        ("b:a n:a_len b:b n:b_len", {"a": "a_len", "b": "b_len"}),
        ("n:n b:p", {}),
        ("b:p n:flags", {}),
        ("b:source b:dest n:offset n:maxOutputSize", {}),
        ("-:fixed n:n", {}),
        ("b:dst -:ratio n:dstCapacity", {"dst": "dstCapacity"}),
        ("b:c n:num", {"c": "num"}),
    ],
)
def test_lengths_by_name_and_place(parameters: str, expected: dict[str, str]) -> None:
    words = [word.partition(":") for word in parameters.split()]
    names = [name for _, _, name in words]
    found = lengths(names, "".join(kind for kind, _, _ in words))
    assert {names[buffer]: names[length] for buffer, length in found.items()} == expected
