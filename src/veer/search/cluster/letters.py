"""What a coordinator and a searcher far away say to each other: one answer for each letter.

    coordinator                                    searcher
      Start: a part, an errand, digests of files ─►
      ◄─────────────── Lacking: digests ─────────── the node has not got these files
      Files: their contents ──────────────────────►  stores them for all searchers of the node
      Look: coverage, "give a part away", "stop" ─►
      ◄───────────── Told: how far it is ────────── every tenth of a second, while it searches
      ◄─────────────────── Commit ───────────────── what is final, and where to go on from

A commit is the only thing that counts. It has the findings since the last one, and the part as it is now: who takes it
up goes on behind these findings. So a searcher that dies costs what it did since its last commit, and nothing is
counted twice. A part that is given away comes in the same letter as the part without it.
"""

from __future__ import annotations

import zlib
from typing import Any, TypeVar

import msgspec

from veer.model.ending import EndingKind
from veer.model.errors import ExecutorError
from veer.model.values import replace
from veer.search.parallel.encoding import PlainFindings, decoded, encoded, made_by, plain_decoded
from veer.search.parallel.protocol import Errand

_Value = TypeVar("_Value")
_SHORT = 4096  # bytes that are not worth a compression
_PLAIN, _PACKED = b"p", b"z"


class Digests(msgspec.Struct, frozen=True):
    """Of the files that a search runs: SHA-256 in hexadecimal digits; empty: there is no such file."""

    executable: str
    engine: str = ""
    launcher: str = ""

    def all(self) -> tuple[str, ...]:
        """Those that there are."""
        return tuple(filter(None, (self.executable, self.engine, self.launcher)))


class Found(msgspec.Struct):
    """Findings, packed but for the identities of paths, which are random numbers: to pack them takes long, and makes
    them no smaller."""

    packed: bytes
    hashes: bytes


class Start(msgspec.Struct, tag=True):
    """A part to be searched, packed. `age`: of the campaign, in nanoseconds; `commits`: seconds between commits, at
    least."""

    part: bytes
    errand: Errand
    digests: Digests
    age: int
    commits: float


class Files(msgspec.Struct, tag=True):
    """Contents of files by their digests."""

    contents: dict[str, bytes]


class Look(msgspec.Struct, tag=True):
    """Asks how far it is. `edges`: what is covered elsewhere, a byte an edge, empty: nothing new."""

    edges: bytes = b""
    splits: bool = False
    stops: bool = False


class Lacking(msgspec.Struct, tag=True):
    """The digests of files that are not there yet; none: now they are."""

    digests: tuple[str, ...]


class Told(msgspec.Struct, tag=True):
    """How far the search of the part is since its last commit (see Status). `edges`, `reports`: None: as before."""

    runs: int
    paths: int
    news: int
    open_branches: int
    edges: bytes | None = None
    reports: bytes | None = None


class Commit(msgspec.Struct, tag=True):
    """What is final: findings since the last commit, the part behind them (None: it is searched to its end), and the
    part that was given away, if one was asked for and there was enough. Both parts are packed: nobody looks into them
    before somebody goes on with them.

    `kind`: how the search ended, None: it goes on; `state`: see Ended; `runs`: all of its memory; `edges`: as covered;
    `note`: what the user should know of the node.
    """

    findings: list[Found]
    part: bytes | None
    gift: bytes | None
    kind: EndingKind | None
    state: dict[str, Any]
    runs: int
    open_branches: int
    edges: bytes
    note: str = ""


class Broke(msgspec.Struct, tag=True):
    """The search broke: why."""

    why: str


Letter = Start | Files | Look | Lacking | Told | Commit | Broke


class _Envelope(msgspec.Struct):
    made_by: str
    letter: Letter


class _Stamp(msgspec.Struct):
    made_by: str


def written(letter: Letter) -> bytes:
    """A letter as bytes."""
    return encoded(_Envelope(made_by(), letter))


def read(data: bytes) -> Letter:
    """The letter. Raises ExecutorError for what another version of veer wrote, and for what is damaged."""
    decoded(data, _Stamp)  # before all else: another version may have other letters
    return decoded(data, _Envelope).letter


def packed(value: msgspec.Struct) -> bytes:
    """What is sent within a letter; nobody unpacks it on the way. Short ones are left as they are."""
    data = encoded(value)
    return _PLAIN + data if len(data) < _SHORT else _PACKED + zlib.compress(data, 1)


def unpacked(data: bytes, kind: type[_Value]) -> _Value:
    """The value that `packed` was given. Raises ExecutorError for what is damaged."""
    try:
        plain = zlib.decompress(data[1:]) if data[:1] == _PACKED else data[1:]
    except zlib.error as error:
        raise ExecutorError(f"what a worker was sent is damaged: {error}") from error
    return plain_decoded(plain, kind)


def found_of(findings: PlainFindings) -> Found:
    """Findings as they are sent."""
    return Found(packed(replace(findings, hashes=b"")), findings.hashes)


def findings_in(found: Found) -> PlainFindings:
    """The findings that `found_of` was given. Raises ExecutorError for what is damaged."""
    return replace(unpacked(found.packed, PlainFindings), hashes=found.hashes)
