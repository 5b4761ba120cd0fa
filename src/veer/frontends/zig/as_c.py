"""A Zig source as C, by Zig's own back end: so that `veer compare` runs it beside a version in C.

`export fn f(x: c_int) c_int` becomes `int32_t f(int32_t)`, with Zig's checks in it: one that fails ends by a trap.
"""

from __future__ import annotations

from pathlib import Path

from veer.model.errors import UsageError
from veer.toolchain.cache import digest
from veer.toolchain.compiler import Toolchain, run, shorten
from veer.toolchain.runtime import front_end_version

_ROOT = """pub const panic = @import("std").debug.no_panic;
comptime {
    _ = @import("unit");
}
"""


def as_c(source: Path, toolchain: Toolchain) -> tuple[Path, Path]:
    """The source as a file of C in the cache, and the folder of the header that it includes.

    Raises UsageError for a source that does not compile, ToolchainError.
    """
    content = digest(toolchain.identity, front_end_version(), str(source.absolute()), source.read_bytes())
    made = toolchain.cache.root / "zig-as-c" / content[:2] / content / f"{source.stem}.c"
    made.parent.mkdir(parents=True, exist_ok=True)
    root = made.parent / "root.zig"
    root.write_text(_ROOT)
    zig = Toolchain((toolchain.command[0],), toolchain.identity, toolchain.cache)
    modules = ("--dep", "unit", f"-Mroot={root}", f"-Munit={source.absolute()}")
    done = run(zig, ("build-obj", "-ofmt=c", "-OReleaseSafe", *modules, f"-femit-bin={made}"))
    if done.code:
        raise UsageError(f"{source} does not become C:\n{shorten(done.messages)}")
    return made, Path(toolchain.command[0]).parent / "lib"
