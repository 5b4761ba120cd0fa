"""The sentence that says how far bounds grew."""

from __future__ import annotations

import pytest

from veer.model.growth import Growth, GrowthEnd
from veer.report.words import growth_sentence


@pytest.mark.parametrize(
    ("growth", "sentence"),
    [
        (None, ""),
        (
            Growth(("max-length 16", "max-array 8"), (), 2, GrowthEnd.NOTHING_NEW),
            "the bounds grew to max-length 16, max-array 8, larger inputs showed nothing new",
        ),
        (
            Growth(("max-length 16",), ("max-length 32",), 3, GrowthEnd.UNFINISHED),
            "the bounds grew to max-length 16, the search within max-length 32 was not finished",
        ),
        (
            Growth((), ("max-length 16",), 2, GrowthEnd.UNFINISHED),
            "the search within max-length 16 was not finished",
        ),
        (
            Growth(("max-length 16",), (), 2, GrowthEnd.NOT_MET),
            "the bounds grew to max-length 16, no run came to them",
        ),
    ],
)
def test_it_says_how_far_and_why_no_further(growth: Growth | None, sentence: str) -> None:
    assert growth_sentence(growth) == sentence
