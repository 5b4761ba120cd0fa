"""Compiles, with zig by its clang's own call where that is known.

`zig cc` looks through its cache, and starts itself again as clang's driver, which makes the compiler's arguments of the
flags: a third of the time of a small source. So the first compilation with some flags notes these arguments, and later
ones with the same flags call the compiler themselves:

    zig -cc1 ... -main-file-name NAME ... -o OUTPUT -x LANGUAGE SOURCE
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from veer.model.errors import EndlessSourceError, ToolchainError
from veer.model.values import replace
from veer.toolchain.cache import digest
from veer.toolchain.compiler import (
    IR_FLAGS,
    LENIENT,
    Compiled,
    Toolchain,
    for_source,
    run,
    target_flags,
    zig_cache,
)

_PROPER = "-cc1"
_NAME, _OUTPUT, _SOURCE = "\0name", "\0output", "\0source"
"""What stands in a noted call for what each compilation has of its own; no argument of a process can hold a NUL."""
_DROPPED = ("-dependency-file", "-MT")
"""With the word behind it: of zig's own list of what was read."""
_ENVIRONMENT = (
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "SOURCE_DATE_EPOCH",
    "CCC_OVERRIDE_OPTIONS",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "PWD",
    "ZIG_LIB_DIR",
)
"""What the driver makes arguments of, flags left aside."""
_OTHERWISE = re.compile(r"@|--?config|-v$|-###|.*=native$")
"""Flags that mean something else on another day or machine, or print what a first call is read from."""


class CompilerCall(Struct, frozen=True):
    """The arguments of the compiler itself."""

    words: tuple[str, ...]

    def arguments(self, source: Path, output: Path) -> tuple[str, ...]:
        """The call for this source."""
        own = {_NAME: source.name, _OUTPUT: str(output), _SOURCE: str(source)}
        return tuple(own.get(word, word) for word in self.words)


_CALLS = msgspec.json.Decoder(CompilerCall)


def compile_ir(toolchain: Toolchain, source: Path, output: Path, flags: Sequence[str] = ()) -> Compiled:
    """LLVM IR at -O0 with debug info. `flags` come last, so that the user's win. A failure is in the returned code.

    All compilations raise ToolchainError when the compiler cannot be started or dies, or reads what is no file.
    """
    return compile_with(toolchain, (*IR_FLAGS, *LENIENT, "-H", *flags), source, output)


def print_tree(toolchain: Toolchain, source: Path, output: Path, flags: Sequence[str] = ()) -> Compiled:
    """The syntax tree as C source, function bodies left out: what is declared, every macro and constant done."""
    printing = ("-S", "-emit-llvm", "-O0", "-w", "-Xclang", "-ast-print", "-Xclang", "-skip-function-bodies")
    defined = ("-UNDEBUG", "-U_FORTIFY_SOURCE", "-D__NO_CTYPE")
    return compile_with(toolchain, (*printing, *defined, *LENIENT, *flags), source, output)


def compile_object(toolchain: Toolchain, source: Path, output: Path, flags: Sequence[str] = ()) -> Compiled:
    """An object file of plain, uninstrumented code."""
    return compile_with(toolchain, (*LENIENT, "-c", *flags), source, output)


def compile_with(toolchain: Toolchain, flags: Sequence[str], source: Path, output: Path) -> Compiled:
    """What these flags ask for, beside those of the machine."""
    chain = for_source(toolchain, source)
    options = (*target_flags(chain), *flags)
    arguments = (*options, str(source), "-o", str(output))
    if not chain.is_zig or any(_OTHERWISE.match(flag) for flag in options):
        return run(chain, arguments)
    key = _key(chain, options, source)
    known = _known_call(chain, key)
    if known is not None:
        said = run(replace(chain, command=(chain.command[0], _PROPER)), known.arguments(source, output))
    else:
        said = run(chain, (*arguments, "-v"))
        if said.code == 0:
            said = _noted(chain, key, said, source)
    if said.code:  # is told by zig, in the words that are known; and its files may have moved
        return run(chain, arguments)
    _require_files(source, said.headers)
    return said


def _require_files(source: Path, headers: Iterable[Path]) -> None:
    """The compiler takes a device for an empty file; who reads it later may never come to its end."""
    other = next((path for path in headers if not path.is_file() and str(path) != os.devnull), None)
    if other is not None:
        raise EndlessSourceError(f"{source} includes {other}, which is no regular file: include a copy of it")


def _key(toolchain: Toolchain, options: Sequence[str], source: Path) -> str:
    environment = [f"{name}={os.environ.get(name, '')}" for name in _ENVIRONMENT]
    place = (str(zig_cache(toolchain)), str(Path.cwd()), source.suffix)
    return digest("compiler", toolchain.identity, *toolchain.command, *place, *environment, *options)


def _known_call(toolchain: Toolchain, key: str) -> CompilerCall | None:
    noted = toolchain.cache.find("runtime", key, ".compiler")
    if noted is not None:
        with suppress(OSError, msgspec.DecodeError):
            return _CALLS.decode(noted.read_bytes())
    return None


def _noted(toolchain: Toolchain, key: str, said: Compiled, source: Path) -> Compiled:
    """Keeps the compiler's call that stands in what -v says; the same without what -v says."""
    messages, verbose = split(said.messages)
    calls = [line for line in verbose if f'" {_PROPER} ' in line]
    call = compiler_call(calls[0], source) if len(calls) == 1 else None
    if call is not None:
        with suppress(ToolchainError):
            toolchain.cache.write(msgspec.json.encode(call), "runtime", key, ".compiler")
    return replace(said, messages="\n".join(messages))


def split(messages: str) -> tuple[list[str], list[str]]:
    """The lines of a compiler that was called with -v: those that it says in any case, and those of -v."""
    own: list[str] = []
    verbose: list[str] = []
    is_verbose = False
    for line in messages.splitlines():
        is_verbose = is_verbose or line.startswith("clang version ")
        is_linkers = line.startswith("ld.lld -")
        (verbose if is_verbose or is_linkers else own).append(line)
        is_verbose = is_verbose and line != "End of search list."
    return own, verbose


def compiler_call(line: str, source: Path) -> CompilerCall | None:
    """The call in a line that zig's clang wrote; None where it is another one than expected."""
    if "\\$" in line or "`" in line:  # which a shell reads otherwise than clang has written it
        return None
    with suppress(ValueError):
        words = shlex.split(line)[2:]
        if words[-1:] != [str(source)] or words.count("-o") != 1 or words.count("-main-file-name") != 1:
            return None
        made = words[words.index("-o") + 1]
        kept = _without_list(words)
        kept[-1] = _SOURCE
        kept[kept.index("-o") + 1] = _OUTPUT
        kept[kept.index("-main-file-name") + 1] = _NAME
        # A word that names these once more would be wrong for another source.
        folder, stem = str(Path(made).parent), Path(made).stem
        if not any(folder in word or stem in word or str(source) in word for word in kept):
            return CompilerCall(tuple(word for word in kept if word not in ("-v", "-MV")))
    return None


def _without_list(words: Sequence[str]) -> list[str]:
    """The arguments without those that ask for a list of the files that were read."""
    kept: list[str] = []
    following = iter(words)
    for word in following:
        if word in _DROPPED:
            next(following, "")
        else:
            kept.append(word)
    return kept
