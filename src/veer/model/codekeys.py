"""What tells whether a function's results stand after a change: digests of all that they came of (decision 0483)."""

from __future__ import annotations

from msgspec import Struct, field


class CodeKey(Struct, frozen=True):
    """Of one build. `code`: of its harness and all that this reaches; `judged`: of what else the unit says of bugs."""

    code: str
    judged: str


class FunctionPlace(Struct, frozen=True):
    """The lines of a function; `first` is the first one of the comment right above it, `line` that of its name."""

    name: str
    file: str
    first: int
    line: int
    last: int


class CodeKeys(Struct, frozen=True):
    """The keys of several builds in their order (None: that cannot be built), where the functions of the program are,
    and the digests of the files that were read; `rest`: of the lines of a file that lie in no function, where its lines
    are counted as they stand."""

    keys: tuple[CodeKey | None, ...]
    functions: tuple[FunctionPlace, ...]
    files: dict[str, str]
    rest: dict[str, str] = field(default_factory=dict)
