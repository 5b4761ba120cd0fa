"""A program of many files: how long until it is instrumented, and again after one function has changed.

python bench/large_build.py [--repeat 2]: Lua 5.4, 32 files (Debian's source package, fetched as real_code.py does).
Veer's runtime is in the cache already, the units of its C library that Lua calls are not. Seconds on the wall, CPU
seconds of all processes (a quarter of them is what four free cores need at best), units that were generated, and the
memory of the largest process.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import tempfile
import time
from pathlib import Path

import real_code
from common import Printer

from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.toolchain import compiler
from veer.toolchain.cache import Cache

ENTRY, FILE = "luaO_str2num", "lobject.c"
EDITED = ("ltable.c", r"(\bluaH_next \([^)]*\) \{\n)", r"\1  if (t == 0) return 0;\n")
COLUMNS = (("build", 22), ("wall s", 7), ("CPU s", 7), ("CPU s / 4", 9), ("units", 6), ("MiB", 5), ("load", 6))


def sources(folder: Path) -> tuple[Path, ...]:
    """All of Lua but the two programs around it."""
    files = sorted(path for path in folder.glob("*.c") if path.name not in ("lua.c", "luac.c"))
    return tuple(sorted(files, key=lambda path: path.name != FILE))


def built(printer: Printer, name: str, folder: Path, toolchain: compiler.Toolchain) -> None:
    """One build and its line."""
    options = BuildOptions(sources=sources(folder), entry=ENTRY, cflags=("-DLUA_COMPAT_5_3", "-DLUA_USE_POSIX"))
    before, start = _cpu(), time.monotonic()
    units = _units(toolchain.cache)
    front_end.build(options, toolchain)
    wall, cpu = time.monotonic() - start, _cpu() - before
    made = _units(toolchain.cache) - units
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    printer.row((name, f"{wall:.2f}", f"{cpu:.2f}", f"{cpu / 4:.2f}", made, memory, f"{os.getloadavg()[0]:.1f}"))


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _units(cache: Cache) -> int:
    return len(list((cache.root / "unit").glob("*/*.o")))


def warm(folder: Path, toolchain: compiler.Toolchain) -> None:
    """Veer's C library, its runtime and zig's own first link."""
    (folder / "warm.c").write_text("int warm(char c) { return c == 'a'; }\n")
    front_end.build(BuildOptions(sources=(folder / "warm.c",), entry="warm"), toolchain)


def main() -> None:
    """Builds, edits, builds again; prints each line when it is measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--work", type=Path, default=real_code.WORK)
    given = parser.parse_args()
    fetched = real_code.fetch(real_code.Subject("lua5.4"), given.work) / "src"
    printer = Printer(COLUMNS)
    for _ in range(given.repeat):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "src"
            shutil.copytree(fetched, folder)
            toolchain = compiler.find(None, Cache(Path(scratch) / "cache"))
            warm(Path(scratch), toolchain)
            built(printer, f"{len(sources(folder))} files", folder, toolchain)
            built(printer, "again", folder, toolchain)
            name, pattern, text = EDITED
            (folder / name).write_text(re.sub(pattern, text, (folder / name).read_text(), count=1))
            built(printer, "one function changed", folder, toolchain)


if __name__ == "__main__":
    main()
