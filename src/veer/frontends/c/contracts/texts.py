"""Which arguments the C library takes for texts, whatever their length: it looks for their NUL.

strlen(pat), fopen(name, "r")       pat, name
printf("%d %s\\n", n, name)          name; not so with "%.*s", where a number says how far it may look
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from veer.frontends.c.contracts.functionbody import Called
from veer.frontends.c.formats import FORMAT_PLACES

_TEXTS: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("strlen", "strdup", "strchr", "strrchr", "puts", "perror", "getenv"), (0,)),
    **dict.fromkeys(("atoi", "atol", "atoll", "atof", "strtol", "strtoul", "strtoll", "strtoull"), (0,)),
    **dict.fromkeys(("strtod", "strtof", "strtold", "strtoimax", "strtoumax", "sscanf", "fputs"), (0,)),
    **dict.fromkeys(("strcmp", "strcasecmp", "strstr", "strcasestr", "strspn", "strcspn", "strpbrk"), (0, 1)),
    **dict.fromkeys(("strcpy", "strcat", "stpcpy"), (1,)),
    **dict.fromkeys(("open", "creat", "access", "stat", "lstat", "unlink", "remove", "mkdir", "rmdir", "chdir"), (0,)),
    **dict.fromkeys(("opendir", "system", "basename", "dirname"), (0,)),
    **dict.fromkeys(("fopen", "freopen", "popen", "rename", "link", "symlink", "setenv"), (0, 1)),
}
_CONVERSION = re.compile(r"%[-+ #0']*(\*|\d*)(?:\.(\*|\d*))?(?:hh|h|ll|l|j|z|t|q|L)?([a-zA-Z%])")


def texts_of(called: Called, literals: Mapping[str, str]) -> Iterator[str]:
    """The arguments of a call that are texts. `literals`: the module's, by their names in the IR."""
    for place in _TEXTS.get(called.function, ()):
        if place < len(called.arguments):
            yield called.arguments[place]
    at = FORMAT_PLACES.get(called.function)
    if at is not None and at < len(called.arguments):
        yield from _shown(literals.get(called.arguments[at], ""), called.arguments[at + 1 :])


def _shown(text: str, arguments: tuple[str, ...]) -> Iterator[str]:
    """The arguments that `%s` shows."""
    place = 0
    for width, precision, letter in _CONVERSION.findall(text):
        place += (width == "*") + (precision == "*")
        if letter == "s" and not precision and place < len(arguments):
            yield arguments[place]
        place += letter not in "%m"
