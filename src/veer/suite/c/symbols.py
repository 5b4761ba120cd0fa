"""Functions of a suite that stand for others, by the names of their symbols.

    long veer_as_time(long *where) __asm__("time");
    long veer_as_time(long *where) { return veer_answer_time(where); }

So the program's other sources get the same, and the declarations of the user's headers do not matter. Such a body is
one call and has no branches (interfaces.py says why).
"""

from __future__ import annotations

from typing import NamedTuple


class Stand(NamedTuple):
    """How a function is defined: the type of its result, its parameters, and what it returns."""

    result: str
    parameters: str
    returns: str


def defined(symbol: str, stand: Stand) -> str:
    """The definition of what is called when that symbol is."""
    space = "" if stand.result.endswith("*") else " "
    head = f"{stand.result}{space}veer_as_{symbol}({stand.parameters})"
    return f'{head} __asm__("{symbol}");\n{head} {{ return {stand.returns}; }}\n'
