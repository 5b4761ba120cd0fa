"""What the functions of a unit give to the C library: pointers as open files, texts as formats.

fread(buf, 1, n, tar->stream)                              mtar_t.stream is a stream
vsnprintf(to, n, format, list)                             so that what calls log("%d") has to fit
static int put(void *to) { return fputs("x", to); }        and what put() is given is a stream, too
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veer.frontends.c.contracts.functionbody import Called
from veer.frontends.c.contracts.origins import Origins
from veer.model.unitfacts import Place, parameter_place

_FIRST = ("fclose", "fgetc", "getc", "fseek", "ftell", "fflush", "feof", "ferror", "rewind", "clearerr", "fileno")
_FIRST_TOO = ("fprintf", "vfprintf", "fscanf", "vfscanf", "setvbuf", "fseeko", "ftello", "fgetpos", "fsetpos")
_STREAMS: Mapping[str, int] = dict.fromkeys((*_FIRST, *_FIRST_TOO), 0) | {
    "fputs": 1,
    "fputc": 1,
    "putc": 1,
    "ungetc": 1,
    "fgets": 2,
    "getline": 2,
    "fread": 3,
    "fwrite": 3,
}
"""Function → which of its arguments is a stream."""
_FORMATS: Mapping[str, int] = {"vprintf": 0, "vfprintf": 1, "vsprintf": 1, "vasprintf": 1, "vsnprintf": 2}


def given_as_streams(functions: Sequence[Origins], parameters: Mapping[str, Sequence[str]]) -> frozenset[Place]:
    """The places whose pointers go to the library as streams."""
    return _given(functions, parameters, _STREAMS)


def streams_by_function(
    functions: Sequence[Origins], streams: frozenset[Place]
) -> tuple[tuple[str, frozenset[Place]], ...]:
    """The functions that give the library streams themselves, each with where it has these from."""
    found: dict[str, set[Place]] = {}
    for function in functions:
        for called in function.body.calls():
            at = _STREAMS.get(called.function)
            if at is not None and at < len(called.arguments):
                found.setdefault(function.name, set()).update(function.of(called.arguments[at]) & streams)
    return tuple((name, frozenset(places)) for name, places in sorted(found.items()))


def given_as_formats(functions: Sequence[Origins], parameters: Mapping[str, Sequence[str]]) -> frozenset[Place]:
    """The places whose texts are formats of arguments that the unit's callers pass."""
    return _given(functions, parameters, _FORMATS)


def _given(
    functions: Sequence[Origins], parameters: Mapping[str, Sequence[str]], takers: Mapping[str, int]
) -> frozenset[Place]:
    found: set[Place] = set()
    grown = True
    while grown:
        before = len(found)
        for function in functions:
            for called in function.body.calls():
                for value in _arguments(called, parameters, takers, found):
                    found |= function.of(value)
        grown = len(found) > before
    return frozenset(found)


def _arguments(
    called: Called, parameters: Mapping[str, Sequence[str]], takers: Mapping[str, int], found: set[Place]
) -> Iterator[str]:
    """The arguments of a call that go to one of the takers, by way of functions of the unit, too."""
    at = takers.get(called.function)
    if at is not None and at < len(called.arguments):
        yield called.arguments[at]
    for name, value in zip(parameters.get(called.function, ()), called.arguments, strict=False):
        if parameter_place(called.function, name) in found:
            yield value
