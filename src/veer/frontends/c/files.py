"""--symbolic-file NAME=SIZE: files whose contents are inputs of the unit."""

from __future__ import annotations

from veer.model.errors import UsageError
from veer.model.options import BuildOptions
from veer.model.program import SymbolicFile

MOST_FILES = 7
MOST_BYTES = 4096
"""Of all files together (runtime/libc/stream.c)."""
STANDARD_INPUT = "stdin"


def symbolic_files(options: BuildOptions) -> tuple[SymbolicFile, ...]:
    """The files, in the order of the options. Raises UsageError."""
    files = tuple(_parse(text) for text in options.files)
    names = [file.name for file in files]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"--symbolic-file {twice} is given twice: name each file once")
    if len(files) > MOST_FILES:
        raise UsageError(f"--symbolic-file: {len(files)} files are more than veer follows; give at most {MOST_FILES}")
    if sum(file.size for file in files) > MOST_BYTES:
        raise UsageError(f"--symbolic-file: the files have more than {MOST_BYTES} bytes together; give smaller sizes")
    if files and options.sequence:
        raise UsageError("--symbolic-file is not for --sequence: give one --entry that makes the calls")
    return files


def _parse(text: str) -> SymbolicFile:
    name, _, size = text.rpartition("=")
    if not name or not size.isdecimal() or int(size) == 0:
        raise UsageError(f"--symbolic-file {text}: give NAME=SIZE, such as config.txt=16")
    return SymbolicFile(name, int(size))
