"""Options that would change nothing: said, rather than passed over."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from veer.frontends.c.analysis import ALL_FUNCTIONS, compile_modules
from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.irtext import declared_functions, defined_functions
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.program import HarnessKind
from veer.toolchain.compiler import Toolchain


def require_uninstrumented(modules: Sequence[Module], options: BuildOptions, toolchain: Toolchain) -> None:
    """Raises UsageError for an `--uninstrumented` function that the sources neither define nor call."""
    unknown = _unknown(modules, options)
    if not unknown:
        return
    complete = compile_modules(options, toolchain, ALL_FUNCTIONS)  # a static one that nobody calls is only there
    unknown = _unknown(complete, options)
    if not unknown:
        return
    near = difflib.get_close_matches(unknown[0], sorted(_functions(complete)), 3, 0.5)
    sources = ", ".join(module.source.name for module in modules)
    more = f"did you mean {' or '.join(near)}?" if near else f"`veer list {sources}` shows the functions"
    raise UsageError(f"--uninstrumented {unknown[0]}: it is neither defined nor called in {sources}: {more}")


def idle_files(options: BuildOptions) -> Iterator[str]:
    """What is to be said of the sizes of files where the entry has none."""
    default = BuildOptions(options.sources, options.entry)
    for option, is_given in (
        ("--input-files", options.input_files > default.input_files),
        ("--file-size", options.file_size not in (default.file_size, options.seed_size)),
    ):
        if is_given and options.input_files:
            yield f"{option} changes nothing: {options.entry} asks for no file"


def idle_sizes(options: BuildOptions, kind: HarnessKind, *, takes_arguments: bool, reads_input: bool) -> Iterator[str]:
    """What is to be said of the sizes of a program's inputs where the entry is none, or has no parameters."""
    default = BuildOptions(options.sources, options.entry)
    is_program = kind is HarnessKind.PROGRAM
    if options.stdin_size not in (default.stdin_size, options.seed_size) and not reads_input:
        is_given = kind in (HarnessKind.FUNCTION, HarnessKind.PROGRAM)
        other = "it does not read standard input" if is_given else "it makes its inputs itself"
        yield f"--stdin-size changes nothing: the entry is a {kind} harness, and {other}"
    why = "main has no parameters" if is_program else f"the entry is a {kind} harness"
    for option, is_given in (
        ("--argv-size", options.argv_size != default.argv_size),
        ("--argc", options.argc != default.argc),
    ):
        if is_given and not takes_arguments:
            yield f"{option} changes nothing: {why}, and argv is an input of main(int, char **)"


def _functions(modules: Sequence[Module]) -> set[str]:
    return {name for module in modules for name in (*defined_functions(module.ir), *declared_functions(module.ir))}


def _unknown(modules: Sequence[Module], options: BuildOptions) -> list[str]:
    known = _functions(modules)
    return [
        name
        for name in options.uninstrumented
        if name not in known and not any(f"@llvm.{name}." in module.ir for module in modules)
    ]
