"""Everything that veer raises on purpose: one sentence each, what is wrong, where, how to mend it."""

from __future__ import annotations


class VeerError(Exception):
    """Base of all. `exit_code` is what the command line ends with (docs/design.md, section 4)."""

    exit_code = 3


class UsageError(VeerError):
    """The call or its input was wrong: a missing file, a syntax error in the C, an unknown entry, an empty budget."""

    exit_code = 2


class UnsupportedInputError(UsageError):
    """An entry has a parameter for which veer cannot make inputs."""


class MissingExtraError(UsageError):
    """A package that veer installs only where it is asked for is not there. `extra`: its name in pyproject.toml."""

    def __init__(self, said: str, extra: str) -> None:
        super().__init__(said)
        self.extra = extra


class ToolchainError(VeerError):
    """The compiler, linker or a file system refused something that should have worked."""


class NoCompilerError(ToolchainError):
    """A suite that nobody compiled, for the compiler of its language is not there."""


class EndlessSourceError(ToolchainError):
    """A source for which the compiler needs more than it may have, or that includes what is no file."""

    exit_code = 2


class ExecutorError(VeerError):
    """An executor could not be started or kept alive."""


class DamagedMemoryError(ExecutorError):
    """The program under test wrote into the memory that veer shares with it."""


class StoreError(VeerError):
    """The output directory cannot be written or read (a full disk, no permission, not a veer directory)."""
