"""Which parameter counts what a pointer leads to, by name and place."""

from __future__ import annotations

import pytest

from veer.frontends.machine.lengths import lengths


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("b:p s:n", {"p": "n"}),
        ("p:a s:count", {"a": "count"}),
        ("b:src b:dst s:compressedSize s:dstCapacity", {"src": "compressedSize", "dst": "dstCapacity"}),
        ("b:source b:dest s:inputSize s:maxOutputSize", {"source": "inputSize", "dest": "maxOutputSize"}),
        ("b:a s:a_len b:b s:b_len", {"a": "a_len", "b": "b_len"}),
        ("s:n b:p", {}),
        ("b:p -:flags", {}),
        ("b:source b:dest -:offset s:maxOutputSize", {}),
        ("-:fixed s:n", {}),
        ("b:dst -:ratio s:dstCapacity", {"dst": "dstCapacity"}),
        ("b:c s:num", {"c": "num"}),
        ("s:input_length b:input p:output", {"input": "input_length"}),
        ("b:dst b:src s:dsize", {"dst": "dsize"}),
        ("b:key b:text s:tlen s:klen", {"key": "klen", "text": "tlen"}),
        ("b:data b:dst s:dlen", {}),
        ("b:text -:tlen", {}),
        ("t:ring s:len", {}),
        ("t:ring s:skip_count", {}),
        ("t:points s:n", {"points": "n"}),
        ("t:point s:point_size", {"point": "point_size"}),
        ("t:ring b:data s:len", {"data": "len"}),
    ],
)
def test_lengths_by_name_and_place(parameters: str, expected: dict[str, str]) -> None:
    words = [word.partition(":") for word in parameters.split()]
    names = [name for _, _, name in words]
    found = lengths(names, "".join(kind for kind, _, _ in words))
    assert {names[buffer]: names[length] for buffer, length in found.items()} == expected
