"""Functions of the unit that have the name of a C library function which the suite itself calls.

    int dup(int)              the unit's own, which may do anything
    libc_fcntl(1, ...)        must be the library's: a suite that calls the unit's crashes before its first test

The templates declare what they call as `extern int libc_close(int) __asm__("close");`. The header that suites include
says it by a macro (templates/veer_support.h): where the unit takes such a symbol, the declaration becomes a pointer
that is looked up behind the executable, whether the unit's function is static or not.
"""

from __future__ import annotations

import re

from veer.model.program import Program

_DECLARED = re.compile(
    r"^extern (?P<result>[^\n]*?)(?P<name>(?:libc|veer_k)_\w+)(?P<parameters>\([^\n]*\))"
    r' __asm__\("(?P<symbol>\w+)"\);$',
    re.MULTILINE,
)
_HEAD = "/* The included source has functions of these names; the C library's own come behind the executable. */\n"


def through_macro(text: str) -> str:
    """The text with such declarations in the words of the macro."""
    return _DECLARED.sub(
        lambda each: f"VEER_LIBRARY({each['symbol']}, {each['result'].strip()}, {each['name']}, {each['parameters']})",
        text,
    )


def looked_up(program: Program, text: str) -> str:
    """The lines of a suite that name the library functions of this text which the unit hides; "" without any."""
    taken = {function.name for function in program.functions}
    hidden = sorted({declared["symbol"] for declared in _DECLARED.finditer(text)} & taken)
    return _HEAD + "".join(f"#define VEER_HIDES_{symbol} ~,\n" for symbol in hidden) if hidden else ""
