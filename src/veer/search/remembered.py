"""Results that are asked for again and again of the same frozen value: what a program leads to, its graph, its goals.

A program of Java has a thousand functions and a hundred thousand sites: what hangs on it alone is found once, and not
by each search, each bound and each note.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

_MOST = 3
"""Values whose results are kept: a program, and its other builds."""
_Value = TypeVar("_Value")
_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def remembered(
    function: Callable[Concatenate[_Value, _Given], _Result],
) -> Callable[Concatenate[_Value, _Given], _Result]:
    """The function, which finds the result of a value (the same object) and of equal further arguments once."""
    known: deque[tuple[_Value, dict[object, _Result]]] = deque(maxlen=_MOST)

    @wraps(function)
    def found(value: _Value, /, *given: _Given.args, **named: _Given.kwargs) -> _Result:
        results = next((results for one, results in known if one is value), None)
        if results is None:
            results = {}
            known.append((value, results))
        key = (given, tuple(sorted(named.items())))
        if key not in results:
            results[key] = function(value, *given, **named)
        return results[key]

    return found
