"""A whole Result as JSON and back (DIR/result.json): reports and suites are made again without running anything.

The JSON follows the values of `model/` field by field; bytes are hexadecimal, an outcome is its key. What an older
veer did not write gets its default, what a newer one wrote is ignored.
"""

from __future__ import annotations

import struct
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from veer.model.errors import StoreError, UsageError
from veer.model.outcome import Outcome, outcome_of
from veer.model.result import Result
from veer.store.names import require_names
from veer.store.sizes import require_sizes

WHOLE = "result.json"
_NO_SENSE = (
    *(msgspec.DecodeError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError),
    *(RecursionError, StopIteration, MemoryError, struct.error),
)
"""What comes of values that do not belong together."""
_MOST_SHOWN = 200
_JSON_KNOWS = frozenset((str, int, float, bool, type(None)))


def encode(result: Result) -> bytes:
    """The JSON text of a result."""
    return msgspec.json.encode(plain(result)) + b"\n"


def read_whole(out: Path) -> Result:
    """The result that a directory holds. Raises UsageError when there is none, StoreError when it is damaged."""
    file = out / WHOLE
    try:
        with of_what_was_read(file):
            found = _restored(Result, msgspec.json.decode(file.read_bytes()))
            assert isinstance(found, Result)
            require_names(found)
            require_sizes(found)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(f"{out} holds no {WHOLE}; give the directory that `veer test` wrote (its --out)") from error
    except OSError as error:
        raise StoreError(f"{file} cannot be read: {error.strerror}") from error
    return found


@contextmanager
def of_what_was_read(file: Path) -> Iterator[None]:
    """What is made of a file that may say anything. Raises StoreError where it makes no sense."""
    try:
        yield
    except _NO_SENSE as error:
        why = str(error)[:_MOST_SHOWN] or type(error).__name__
        raise StoreError(f"{file} is damaged ({why}); run `veer test` again") from error


def plain(value: Any) -> Any:
    """A value of the model as JSON knows it."""
    kind: Any = type(value)
    return value if kind in _JSON_KNOWS else _encoder(kind)(value)


@cache
def _encoder(kind: Any) -> Callable[[Any], Any]:
    """What makes JSON of values of this type: it is asked of each of some thousand values of a result."""
    if issubclass(kind, Outcome):
        return lambda value: value.key
    if issubclass(kind, Enum):
        return lambda value: value.value
    if _has_fields(kind):
        names = tuple(_fields(kind))
        return lambda value: {name: plain(getattr(value, name)) for name in names}
    if issubclass(kind, bytes):
        return lambda value: value.hex()
    if issubclass(kind, Path):
        return str
    if issubclass(kind, tuple | list):
        return lambda value: [plain(item) for item in value]
    if issubclass(kind, frozenset):
        return lambda value: sorted(map(plain, value), key=msgspec.json.encode)
    if issubclass(kind, dict):
        return lambda value: {str(key): plain(item) for key, item in value.items()}
    return lambda value: value


def _restored(kind: Any, value: Any) -> Any:
    """A value of this annotated type from what `plain` made of it."""
    return _reader(kind)(value)


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """What restores values of this type: it is asked for each of some thousand values of a result."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return lambda value: None if value is None else _restored(_alternative(arguments, value), value)
    if origin is tuple:
        return _tuple_reader(arguments)
    if origin is frozenset:
        return lambda value: frozenset(_restored(arguments[0], item) for item in value)
    if origin is dict:
        key_kind, item_kind = arguments
        return lambda value: {_restored(key_kind, key): _restored(item_kind, item) for key, item in _items(value, kind)}
    if _has_fields(kind):
        return lambda value: _value(kind, value)
    if kind is Outcome:
        return outcome_of
    if kind is bytes:
        return bytes.fromhex
    if kind is Path or (isinstance(kind, type) and issubclass(kind, Enum)):
        made: Callable[[Any], Any] = kind
        return made
    if kind in _JSON_KNOWS:
        return partial(_known, kind, (int, float) if kind is float else kind)
    return lambda value: value


def _tuple_reader(arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    if len(arguments) == 2 and arguments[1] is ...:
        item_kind = arguments[0]

        def row(value: Any) -> Any:
            read = _reader(item_kind)
            return tuple([read(item) for item in value])

        return row
    return lambda value: tuple(_restored(kind, item) for kind, item in zip(arguments, value, strict=True))


def _items(value: Any, kind: Any) -> Any:
    if not isinstance(value, dict):
        raise TypeError(f"{str(value)[:20]!r} is no {kind}")
    return value.items()


def _known(kind: Any, kinds: Any, value: Any) -> Any:
    if not isinstance(value, kinds):
        raise TypeError(f"{str(value)[:20]!r} is no {kind.__name__}")
    return value


def _value(kind: Any, value: Any) -> Any:
    if not isinstance(value, dict):
        raise TypeError(f"{str(value)[:20]!r} is no {kind.__name__}")
    given = {}
    for name, read, is_required in _field_readers(kind):
        if name in value:
            given[name] = read(value[name])
        elif is_required:
            missing = [name for name, is_required in _fields(kind).items() if is_required and name not in value]
            raise KeyError(f"{kind.__name__} lacks {', '.join(missing)}")
    return kind(**given)


@cache
def _field_readers(kind: Any) -> tuple[tuple[str, Callable[[Any], Any], bool], ...]:
    """The fields, each with what restores it, and whether it has no default."""
    hints = _hints(kind)
    return tuple((name, _late(hints[name]), is_required) for name, is_required in _fields(kind).items())


def _late(kind: Any) -> Callable[[Any], Any]:
    """The reader of a type, looked for when it is used: types may hold themselves."""
    return _reader(kind) if not _has_fields(kind) else partial(_value, kind)


@cache
def _has_fields(kind: Any) -> bool:
    return isinstance(kind, type) and (issubclass(kind, msgspec.Struct) or is_dataclass(kind))


@cache
def _fields(kind: Any) -> dict[str, bool]:
    """The fields of a struct or a dataclass, each with whether it has no default."""
    if issubclass(kind, msgspec.Struct):
        # Defaults are those of the last fields. msgspec.structs.fields reads the annotations of all of them.
        names, defaults = kind.__struct_fields__, kind.__struct_defaults__
        without = len(names) - len(defaults)
        return dict(zip(names, [*[True] * without, *(each is msgspec.NODEFAULT for each in defaults)], strict=True))
    return {each.name: each.default is MISSING and each.default_factory is MISSING for each in fields(kind)}


def _alternative(kinds: tuple[Any, ...], value: Any) -> Any:
    """Which of the types of a union made this value: of those with fields, the one that has its keys."""
    possible = [kind for kind in kinds if kind is not type(None)]
    if isinstance(value, dict):
        for kind in possible:
            if _has_fields(kind) and value.keys() <= _fields(kind).keys():
                return kind
    return possible[0]


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
