"""What a caller and a builder's process tell each other: JSON by msgspec, and errors by class and sentence."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from veer.model.errors import (
    EndlessSourceError,
    ExecutorError,
    StoreError,
    ToolchainError,
    UnsupportedInputError,
    UsageError,
    VeerError,
)

Value = TypeVar("Value")
_ERRORS: dict[str, type[VeerError]] = {
    kind.__name__: kind
    for kind in (
        VeerError,
        UsageError,
        UnsupportedInputError,
        ToolchainError,
        EndlessSourceError,
        ExecutorError,
        StoreError,
    )
}


def error_of(name: str, sentence: str) -> VeerError:
    """The error that another process met; a ToolchainError where its class is not known."""
    return _ERRORS.get(name, ToolchainError)(sentence)


def encode(value: object) -> bytes:
    """JSON of these values; paths as strings."""
    return msgspec.json.encode(value, enc_hook=_to_json)


def decode(data: bytes, kind: type[Value]) -> Value:
    """The value back. Raises msgspec.DecodeError."""
    any_kind: Any = kind
    value: Value = _decoder(any_kind).decode(data)
    return value


@cache
def _decoder(kind: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind, dec_hook=_from_json)


def _to_json(value: object) -> object:
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, frozenset):
        return sorted(value)
    raise NotImplementedError(type(value).__name__)


def _from_json(kind: type[Any], value: Any) -> Any:
    if kind is Path:
        return Path(value)
    raise NotImplementedError(kind.__name__)
