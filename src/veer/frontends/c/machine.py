"""--target: the machine that a source is for, as far as this one can stand in for it (decision 0390).

    arm       char is unsigned, enums are as small as they can be: the compiler is told so, for veer, replays and suites
              long, size_t and pointers have 4 bytes there and 8 here: inputs stay within 32 bits, and veer says where
              the code depends on it (words.py)
    avr       int has 2 bytes there: nothing would be as it is, and veer refuses

A command of compile_commands.json names its machine by its compiler (`arm-none-eabi-gcc`), --target= or -m32.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError

MARK = "--target="
"""How a source's own flags name its machine; the compiler never sees it."""


class Machine(Struct, frozen=True):
    """A machine. `flags`: what makes this one like it; `word`: bytes of long, size_t and pointers there."""

    name: str
    title: str
    flags: tuple[str, ...] = ()
    word: int = 8

    @property
    def is_narrow(self) -> bool:
        """Whether long, size_t and pointers are smaller there."""
        return self.word < 8


_UNSIGNED = "-funsigned-char"
_SMALL = "-mlong-double-64"
HOST = Machine("host", "x86-64 Linux")
MACHINES: Mapping[str, Machine] = {
    each.name: each
    for each in (
        HOST,
        Machine("arm", "ARM of 32 bits without a system (AAPCS)", (_UNSIGNED, "-fshort-enums", _SMALL), 4),
        Machine("arm-linux", "ARM of 32 bits with Linux", (_UNSIGNED, _SMALL), 4),
        Machine("aarch64", "ARM of 64 bits", (_UNSIGNED,)),
        Machine("riscv32", "RISC-V of 32 bits", (_UNSIGNED,), 4),
        Machine("riscv64", "RISC-V of 64 bits", (_UNSIGNED,)),
        Machine("xtensa", "Xtensa (ESP32)", (_UNSIGNED, _SMALL), 4),
        Machine("i386", "x86 of 32 bits", (), 4),
    )
}
_NARROW_INT = "int has 16 bits there, and 32 here: nearly every result would be another"
_BIG_ENDIAN = "its bytes stand in the other order: what is read through a pointer of another type would be another"
REFUSED: Mapping[str, str] = dict.fromkeys(("avr", "msp430", "8051", "pic16", "z80", "stm8", "m16c"), _NARROW_INT) | (
    dict.fromkeys(("powerpc", "m68k", "sparc", "s390x", "mips"), _BIG_ENDIAN)
)
"""Machines that this one cannot stand in for, and why."""
_TRIPLES = (
    (r"arm.*linux", "arm-linux"),
    (r"aarch64|arm64", "aarch64"),
    (r"arm|thumb", "arm"),
    (r"riscv32", "riscv32"),
    (r"riscv64|riscv", "riscv64"),
    (r"xtensa", "xtensa"),
    (r"i[3-6]86", "i386"),
    (r"avr", "avr"),
    (r"msp430", "msp430"),
    (r"powerpc|ppc", "powerpc"),
    (r"m68k", "m68k"),
    (r"sparc", "sparc"),
    (r"s390", "s390x"),
    (r"mips(?!(64)?el)", "mips"),
)
_COMPILERS = {
    "armcc": "arm",
    "armclang": "arm",
    "iccarm": "arm",
    "sdcc": "8051",
    "c51": "8051",
    "iccavr": "avr",
    "icc430": "msp430",
}
_CROSS = re.compile(r"(.+)-(?:gcc|cc|clang|g\+\+)(?:-[\d.]+)?(?:\.exe)?$")


def machine_of(options: BuildOptions, source: Path | None = None) -> Machine:
    """The machine of a source: --target, else what --cflag or its own flags say, else this one.

    Without a source it is that of the sources, which must agree. Raises UsageError for a machine that is unknown, that
    cannot be had, or where two are named.
    """
    if options.targets:
        return _one(dict.fromkeys(options.targets), "--target")
    if given := named(options.cflags):
        return _one({given: None}, f"--cflag names {given}")
    flags_of = dict(options.flags_of)
    asked = {name: each for each in options.sources if (name := named(flags_of.get(str(each), ())))}
    if len(asked) > 1:
        (first, one), (second, other) = list(asked.items())[:2]
        raise UsageError(f"{one} is compiled for {first} and {other} for {second}: give --target, or one of them")
    own = named(flags_of.get(str(source), ())) if source is not None else next(iter(asked), "")
    return _one({own: None}, f"{asked.get(own, source)} is compiled for {own}") if own else HOST


def named(flags: Sequence[str]) -> str:
    """The machine that flags of a compiler name; "" where they name none."""
    found = ""
    words = iter(flags)
    for word in words:
        if word == "-m32":
            found = "i386"
        elif word.startswith(MARK) or word == "-target":
            triple = word[len(MARK) :] if word.startswith(MARK) else next(words, "")
            found = of_triple(triple) or triple
    return "" if found.startswith("x86_64") else found


def of_triple(triple: str) -> str:
    """The machine of a triple such as arm-none-eabi; "" for one that is not known, or this one."""
    if triple in MACHINES or triple in REFUSED:
        return triple
    return next((name for pattern, name in _TRIPLES if re.match(pattern, triple)), "")


def of_command(words: Sequence[str]) -> tuple[str, ...]:
    """The mark of the machine that a command of a build compiles for, or nothing."""
    compiler = Path(words[0]).name if words else ""
    cross = _CROSS.match(compiler)
    found = named(words) or _COMPILERS.get(compiler, "") or (of_triple(cross[1]) if cross else "")
    if found == "riscv64" and any(word.startswith("-march=rv32") for word in words):
        found = "riscv32"
    return (f"{MARK}{found}",) if found else ()


def without_machine(flags: Sequence[str]) -> Iterator[str]:
    """Flags but those that name a machine."""
    words = iter(flags)
    for word in words:
        if word == "-target":
            next(words, None)
        elif word != "-m32" and not word.startswith(MARK):
            yield word


def _one(names: Mapping[str, None], place: str) -> Machine:
    if len(names) > 1:
        raise UsageError(f"--target {' and --target '.join(names)} contradict each other: give one of them")
    name = next(iter(names))
    why = REFUSED.get(name)
    if why:
        raise UsageError(f"{_said(place, name)}: {why}; --target host compiles as for this machine")
    if name not in MACHINES:
        raise UsageError(f"{_said(place, name)}: there is no such target; known are {', '.join(MACHINES)}")
    return MACHINES[name]


def _said(place: str, name: str) -> str:
    return f"{place} {name}" if place == "--target" else place
