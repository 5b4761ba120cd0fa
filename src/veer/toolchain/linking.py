"""Links, with zig by the linker's own call where that is known.

`zig cc` looks through its cache and then calls the linker, which takes half of the time. So a first link, of a program
of nothing, notes the call that zig makes, and links of the same kind make it themselves:

    ld.lld ... -o OUTPUT .../crt1.o ... OBJECTS --as-needed .../libm.so.6 .../libc.so.6 ...
    └──── head ────┘     └─ before ─┘           └──────────────── behind ────────────────┘
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from veer.model.errors import ToolchainError
from veer.model.values import replace
from veer.toolchain.builtins import exported, without
from veer.toolchain.cache import digest
from veer.toolchain.compiler import TARGET, ZIG_TARGET, Compiled, Toolchain, run, target_flags, zig_cache

_LIBRARIES = ("-lm", "-ldl", "-lpthread")
_LINKER = "ld.lld"
_OWN, _OF_C = "libcompiler_rt.a", frozenset({"libc.so.6", "libm.so.6"})
"""The compiler's own library; those of C, of which links have stubs."""
_MACHINE = ("-target", ZIG_TARGET, "-mcpu=baseline")
"""Of zig."""
_USUAL, _APART = 0x100_0000, 0x7000_0000
"""Where an image begins: as zig has it, and behind all that an executor has at fixed addresses (wire/constants.py)."""


class LinkerCall(Struct, frozen=True):
    """The arguments of the linker around its output and its objects."""

    head: tuple[str, ...]
    before: tuple[str, ...]
    behind: tuple[str, ...]

    def arguments(self, objects: Sequence[Path], output: Path) -> tuple[str, ...]:
        """The call for these objects."""
        return (*self.head, str(output), *self.before, *map(str, objects), *self.behind)

    def shared(self, objects: Sequence[Path], output: Path) -> tuple[str, ...]:
        """The call that makes a shared library of these objects."""
        return ("-shared", "-o", str(output), *map(str, objects), *self.behind)


_CALLS = msgspec.json.Decoder(LinkerCall)


def link(
    toolchain: Toolchain, objects: Sequence[Path], output: Path, flags: Sequence[str] = (), *, is_apart: bool = False
) -> Compiled:
    """A position-dependent executable (decision 0001: all of the unit below 2 GiB).

    `is_apart`: its addresses are none that an executor has, so that what holds for those alone does not hold for it.
    """
    machine = _MACHINE if toolchain.is_zig else (f"--target={TARGET}",)
    base = _APART if is_apart else _USUAL
    begins = f"-Wl,--image-base={base:#x}" if toolchain.is_zig else f"-Wl,-Ttext-segment={base:#x}"
    options = (*machine, "-no-pie", "-O1", "-fno-sanitize=all", begins)
    arguments = (*options, *map(str, objects), *flags, *_LIBRARIES, "-o", str(output))
    is_plain = toolchain.is_zig and set(flags) <= set(_LIBRARIES) and all(path.suffix == ".o" for path in objects)
    if not is_plain:
        with _alone_at_first(toolchain):
            return run(toolchain, arguments)
    first_link(toolchain)
    known = _known_call(toolchain)
    if known is not None:
        said = _by_linker(toolchain, (*known.arguments(objects, output), f"--image-base={base:#x}"))
        if said.code == 0:
            return said
    # What fails is told by zig, in the words that are known. Files of its cache may be gone. And a program may need the
    # compiler's own library (128-bit quotients and the like): zig builds it then, 4 s of a processor.
    with _alone_at_first(toolchain):
        said = run(toolchain, (*arguments, "-v"))
    said = replace(said, messages=_noted(toolchain, said, objects, output))
    known = _known_call(toolchain) if said.code == 0 else None
    if known is not None:  # that of zig has more of its own library than it should (builtins.py)
        again = output.with_name(f"{output.name}-again")
        if _by_linker(toolchain, (*known.arguments(objects, again), f"--image-base={base:#x}")).code == 0:
            again.replace(output)
    return said


def link_shared(toolchain: Toolchain, objects: Sequence[Path], output: Path) -> Compiled:
    """A shared library for this machine."""
    first_link(toolchain)
    known = _known_call(toolchain) if toolchain.is_zig else None
    if known is not None:
        said = _by_linker(toolchain, known.shared(objects, output))
        if said.code == 0:
            return said
    with _alone_at_first(toolchain):  # without optimisation zig would make libraries of its own, 20 s of a processor
        return run(
            toolchain, (*target_flags(toolchain), "-shared", "-O2", *map(str, objects), "-lm", "-o", str(output))
        )


def join(toolchain: Toolchain, objects: Sequence[Path], output: Path) -> Compiled:
    """One object of several, so that a link of them reads one file. With zig alone."""
    return _by_linker(toolchain, ("-r", *map(str, objects), "-o", str(output)))


def _by_linker(toolchain: Toolchain, arguments: Sequence[str]) -> Compiled:
    return run(replace(toolchain, command=(toolchain.command[0], _LINKER)), arguments)


def first_link(toolchain: Toolchain) -> None:
    """Makes the C library's start files and stubs if nobody has yet, and notes the linker's call.

    zig's build-exe is asked, which leaves the compiler's own library out, nine tenths of the time: few programs need
    it. Nothing else is other than with `zig cc`. A failure is left to the link that is wanted.
    """
    if not toolchain.is_zig or _linked_stamp(toolchain).exists():
        return
    with _alone_at_first(toolchain), toolchain.cache.scratch() as scratch:
        if _linked_stamp(toolchain).exists():  # another process was first
            return
        source, made, output = scratch / "first.c", scratch / "first.o", scratch / "first"
        source.write_text("int main(void) { return 0; }\n")
        flags = ("-O1", "-fno-sanitize=all", "-c", str(source), "-o", str(made))
        if run(toolchain, (*_MACHINE, *flags)).code == 0:
            builder = replace(toolchain, command=(toolchain.command[0], "build-exe"))
            plain = (*_MACHINE, "-lc", *_LIBRARIES, "-OReleaseSafe", "-fno-compiler-rt", "--verbose-link")
            _noted(toolchain, run(builder, (str(made), *plain, f"-femit-bin={output}")), [made], output)


def _key(toolchain: Toolchain) -> str:
    return digest(
        "linker without names of C", toolchain.identity, *toolchain.command, str(zig_cache(toolchain)), ZIG_TARGET
    )


def _known_call(toolchain: Toolchain) -> LinkerCall | None:
    noted = toolchain.cache.find("runtime", _key(toolchain), ".linker")
    if noted is not None:
        with suppress(OSError, msgspec.DecodeError):
            return _CALLS.decode(noted.read_bytes())
    return None


def _noted(toolchain: Toolchain, said: Compiled, objects: Sequence[Path], output: Path) -> str:
    """Keeps the linker's call that stands among the messages; the messages without it."""
    lines = said.messages.splitlines()
    calls = [line for line in lines if line.startswith(f"{_LINKER} -") and f" {output} " in line]
    call = linker_call(calls[0], objects, output) if len(calls) == 1 and said.code == 0 else None
    if call is not None:
        with suppress(ToolchainError, OSError):
            call = replace(call, behind=_with_library_of_c(toolchain, call.behind))
            toolchain.cache.write(msgspec.json.encode(call), "runtime", _key(toolchain), ".linker")
    return "\n".join(line for line in lines if line not in calls)


def _with_library_of_c(toolchain: Toolchain, words: Sequence[str]) -> tuple[str, ...]:
    """The words, in which the compiler's own library has nothing that the C library has. Raises ToolchainError."""
    own = [word for word in words if word.endswith(_OWN)]
    if not own:
        return tuple(words)
    shared = [Path(word) for word in words if Path(word).name in _OF_C]
    names = frozenset[bytes]().union(*(exported(each.read_bytes()) for each in shared))
    archive = without(Path(own[0]).read_bytes(), names)
    made = toolchain.cache.write(archive, "runtime", digest("builtins", _key(toolchain), own[0]), ".a")
    return tuple(str(made) if word == own[0] else word for word in words)


def linker_call(line: str, objects: Sequence[Path], output: Path) -> LinkerCall | None:
    """The call in a line that zig wrote; None where it is another one than expected, or a path has a space."""
    words, own = line.split(" ")[1:], [str(path) for path in objects]
    try:
        middle, first = words.index(str(output)), words.index(own[0])
    except (ValueError, IndexError):
        return None
    if middle > first or words[first : first + len(own)] != own:
        return None
    # Of files below the working directory zig writes the path from there.
    words = [os.path.abspath(word) if "/" in word and word[0] != "-" else word for word in words]  # noqa: PTH100
    return LinkerCall(tuple(words[:middle]), tuple(words[middle + 1 : first]), tuple(words[first + len(own) :]))


def _linked_stamp(toolchain: Toolchain) -> Path:
    """A file that is there once something was linked."""
    return zig_cache(toolchain) / "linked"


@contextmanager
def _alone_at_first(toolchain: Toolchain) -> Iterator[None]:
    """The first link makes the C library's start files; two that do so at once could wait for each other."""
    stamp = _linked_stamp(toolchain)
    if not toolchain.is_zig or stamp.exists():
        yield
        return
    with toolchain.cache.lock("first-link"):
        yield
        with suppress(OSError):
            stamp.touch()
