"""`--format corpus` while the search goes on: each input that covers something new is a file as soon as it is found.

DIR/suite/corpus/corpus/new_000001     until the search ends; then the tests' own files take their place
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from veer.campaign.deliver import place_within
from veer.model.errors import StoreError
from veer.search.exchange import Given
from veer.search.existing import Existing
from veer.store.export import begin_suite, change_suite

_FORMAT = "corpus"


def streamed(out: Path, entry: str, formats: Collection[str]) -> StreamedCorpus | None:
    """What writes the corpus of this campaign meanwhile, if one was asked for."""
    return StreamedCorpus(place_within(out)(_FORMAT), entry) if _FORMAT in formats else None


class StreamedCorpus:
    """An exchange that only takes (search/exchange.py). Where a file cannot be written it is silent from then on: the
    export behind the search tells of that."""

    def __init__(self, folder: Path, entry: str) -> None:
        self._folder = folder
        self._entry = entry
        self._written: set[bytes] = set()  # a search within larger bounds comes to the same inputs again
        self._is_broken = False

    def arrived(self) -> Sequence[Existing]:
        """See Exchange: none."""
        return ()

    def refused(self, existing: Existing) -> None:
        """See Exchange."""

    def give(self, given: Given) -> None:
        """See Exchange."""
        content = bytes([given.is_bug]) + given.data
        if self._is_broken or content in self._written:
            return
        try:
            if not self._written:
                begin_suite(self._folder)
            self._written.add(content)
            name = f"{'crashes' if given.is_bug else _FORMAT}/new_{len(self._written):06d}"
            change_suite(self._folder, {name: given.data}, (), self._entry)
        except StoreError:
            self._is_broken = True

    def wait(self) -> bool:
        """See Exchange: nothing will come."""
        return False
