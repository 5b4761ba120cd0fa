"""Copies of frozen values: of msgspec's structs, as most are, and of dataclasses, where fields carry more than a value.

A struct is made at a seventh of a dataclass's time, and its class at a thirtieth (decision 0407).
"""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import msgspec

_Value = TypeVar("_Value")
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for bytes that hold no value of the type: another one, no UTF-8, brackets without an end."""


def replace(value: _Value, /, **changes: Any) -> _Value:
    """The value with other fields, as copy.replace of Python 3.13 has it. Raises TypeError for no field of its."""
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.replace(value, **changes)  # noqa: TID251
    copied: _Value = dataclasses.replace(value, **changes)  # type: ignore[type-var]  # noqa: TID251
    return copied
