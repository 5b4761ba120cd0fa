"""Functions of the unit that have the name of a C library function which the suite itself calls.

    int dup(int)              the unit's own, which may do anything
    libc_fcntl(1, ...)        must be the library's: a suite that calls the unit's crashes before its first test

The templates declare what they call as `extern int libc_close(int) __asm__("close");`. Where the unit takes such a
symbol, the declaration becomes a pointer that is looked up behind the executable, whether the unit's function is static
or not.
"""

from __future__ import annotations

import re

from veer.model.program import Program

_DECLARED = re.compile(r'^extern ([^\n]*?)((?:libc|veer_k)_\w+)(\([^\n]*\)) __asm__\("(\w+)"\);$', re.MULTILINE)
_LOOK_UP = """
/* The included source has functions of these names; the C library's own come behind the executable. */
extern void *libc_dlsym(void *, const char *) __asm__("dlsym");
__attribute__((constructor)) static void veer_look_up(void)
{
%s
}
"""


def apart_from_library(program: Program, text: str) -> str:
    """The text of a suite's support, with the library functions that the unit hides looked up at the start."""
    taken = {function.name for function in program.functions}
    hidden = {declared[2]: declared[4] for declared in _DECLARED.finditer(text) if declared[4] in taken}
    if not hidden:
        return text

    def declare(declared: re.Match[str]) -> str:
        return f"static {declared[1]}(*{declared[2]}){declared[3]};" if declared[2] in hidden else declared[0]

    # (void *)-1 is RTLD_NEXT.
    found = "\n".join(f'    {name} = libc_dlsym((void *)-1, "{symbol}");' for name, symbol in hidden.items())
    return _DECLARED.sub(declare, text) + _LOOK_UP % found
