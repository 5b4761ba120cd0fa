"""Files whose contents are inputs of the unit: those of --symbolic-file NAME=SIZE, and those that it asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer.frontends.c.harness import Plan
from veer.frontends.c.library_facts import FACTS
from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.irtext import declared_functions
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.program import STANDARD_INPUT, Fact, HarnessKind, InputFiles, SymbolicFile
from veer.model.types import BoundKind, ExtentKind, Type, TypeKind

MOST_FILES = 7
MOST_ASKED = 16
MOST_BYTES = 4096
"""Of all files together that an option names, and of each other one (runtime/libc/input_files.c has room for all)."""
MOST_ASKED_BYTES = 2 * MOST_BYTES


def symbolic_files(options: BuildOptions, *, reads_input: bool = False) -> tuple[SymbolicFile, ...]:
    """The files, in the order of the options; behind them standard input, where it is read. Raises UsageError."""
    files = tuple(_parse(text) for text in options.files)
    if reads_input and options.stdin_size and not _has_input(files):
        files += (SymbolicFile(STANDARD_INPUT, options.stdin_size),)
    names = [file.name for file in files]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"--symbolic-file {twice} is given twice: name each file once")
    if sum(file.name != STANDARD_INPUT for file in files) > MOST_FILES:
        raise UsageError(f"--symbolic-file: {len(files)} files are more than veer follows; give at most {MOST_FILES}")
    if sum(file.size for file in files) > MOST_BYTES:
        raise UsageError(
            f"--symbolic-file, --stdin-size: the files have more than {MOST_BYTES} bytes together; give smaller sizes"
        )
    if files and options.sequence:
        raise UsageError("--symbolic-file is not for --sequence: give one --entry that makes the calls")
    return files


def input_files(
    modules: Sequence[Module], parameters: Sequence[Type], options: BuildOptions, kind: HarnessKind
) -> InputFiles | None:
    """The files that the entry asks for and nobody makes; None where nothing asks for a file and no parameter, of these
    types, is one, or none may be there.

    Harnesses that fetch their own inputs say themselves what is one. Raises UsageError for more than there is room for.
    """
    if not options.input_files or kind not in (HarnessKind.FUNCTION, HarnessKind.PROGRAM):
        return None
    called = {name for module in modules for name in declared_functions(module.ir)}
    asks = any(Fact.ASKS_FILES in FACTS.get(name, ()) for name in called)
    opened = sum(each.extent is ExtentKind.OPEN for each in parameters)
    if not asks and not opened:
        return None
    most = options.input_files + opened
    if options.input_files > MOST_ASKED:
        raise UsageError(f"--input-files {options.input_files}: veer follows at most {MOST_ASKED}; give fewer")
    if options.file_size > MOST_BYTES or most * options.file_size > MOST_ASKED_BYTES:
        raise UsageError(
            f"--file-size {options.file_size}: a file has at most {MOST_BYTES} bytes, and {most} files "
            f"{MOST_ASKED_BYTES} together; give a smaller size or fewer --input-files"
        )
    return InputFiles(options.input_files, options.file_size)


def bounds_of_files(plan: Plan, options: BuildOptions) -> Iterator[str]:
    """How many bytes each file may have, and how many there are, as the options that say so."""
    if plan.input_files is not None:
        yield f"{BoundKind.FILE} {plan.input_files.size}"
        yield f"{BoundKind.FILES} {plan.input_files.most}"
        for parameter in plan.entry.parameters if plan.kind is HarnessKind.FUNCTION else ():
            row = plan.types[parameter.type]
            if row.extent is ExtentKind.OPEN:
                none = "" if not row.nullable else " or NULL" if row.kind is TypeKind.POINTER else " or -1"
                yield f"{parameter.name} is open at the beginning of a regular file{none}"
    for file in plan.files:
        is_usual = file.name == STANDARD_INPUT and all(text.rpartition("=")[0] != file.name for text in options.files)
        yield f"stdin-size {file.size}" if is_usual else f"symbolic-file {file.name}={file.size}"


def _has_input(files: Sequence[SymbolicFile]) -> bool:
    return any(file.name == STANDARD_INPUT for file in files)


def _parse(text: str) -> SymbolicFile:
    name, _, size = text.rpartition("=")
    if not name or not size.isdecimal() or int(size) == 0:
        raise UsageError(f"--symbolic-file {text}: give NAME=SIZE, such as config.txt=16")
    return SymbolicFile(name, int(size))
