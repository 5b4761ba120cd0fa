"""What the instrumenter's tests share: C to prepared IR, instrumented units, executables with the mirror runtime."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from front_fixtures import toolchain

from veer.instrument.codegen import emit_object, prepare, verify
from veer.instrument.instrument import Unit, UnitOptions, base_module, instrument
from veer.toolchain.compiler import Compiled
from veer.toolchain.compiling import compile_ir, compile_object
from veer.toolchain.linking import link

PROGRAMS = Path(__file__).parent / "ir"
INCLUDE = Path(__file__).parents[2] / "src" / "veer" / "runtime" / "include"
REDIRECT = {name: f"veer_{name}" for name in ("malloc", "free", "memcpy", "memmove", "memset")}
BASE = 100
"""Number of the first site in linked executables."""
_UNIT = "ab12"


@dataclass(frozen=True)
class Ran:
    """What an executable printed, and its exit code (negative: a signal)."""

    output: str
    code: int


def prepared(folder: Path, text: str, *flags: str) -> str:
    """Prepared IR of a C text."""
    source = folder / "unit.c"
    source.write_text(text)
    return prepared_file(folder, source, *flags)


def prepared_file(folder: Path, source: Path, *flags: str) -> str:
    """Prepared IR of a C file."""
    target = folder / f"{source.stem}.ll"
    _good(compile_ir(toolchain(), source, target, ("-w", "-fno-sanitize=all", *flags)))
    return prepare(target.read_text())


def instrumented(text: str, **options: object) -> Unit:
    """An instrumented unit that LLVM finds well-formed."""
    options.setdefault("redirect", {} if options.get("mode") == "counters" else REDIRECT)
    unit = instrument(text, UnitOptions(_UNIT, **options))  # type: ignore[arg-type]
    verify(unit.text)
    return unit


def source_lines(path: str) -> list[str]:
    """The lines of a source file."""
    return Path(path).read_text().splitlines()


def executable(folder: Path, unit: Unit, runtime: str, level: int = 1) -> Path:
    """The unit linked with a C file of PROGRAMS that has the main function."""
    objects = []
    for name, text in (("unit", unit.text), ("bases", base_module({_UNIT: BASE}))):
        objects.append(folder / f"{name}-{level}-{runtime}.o")
        objects[-1].write_bytes(emit_object(text, level))
    objects.append(folder / f"{runtime}.o")
    flags = ("-O1", "-w", "-I", str(INCLUDE))
    _good(compile_object(toolchain(), PROGRAMS / f"{runtime}.c", objects[-1], flags))
    target = folder / f"{runtime}-{level}.exe"
    _good(link(toolchain(), objects, target))
    return target


def plain_executable(folder: Path, source: Path) -> Path:
    """The same program, not instrumented."""
    objects = [folder / "plain.o", folder / "plain_main.o"]
    for one, target in zip((source, PROGRAMS / "plain_main.c"), objects, strict=True):
        _good(compile_object(toolchain(), one, target, ("-O0", "-w", "-fno-sanitize=all")))
    target = folder / "plain.exe"
    _good(link(toolchain(), objects, target))
    return target


def ran(path: Path, *arguments: str) -> Ran:
    """Runs an executable."""
    done = subprocess.run([str(path), *arguments], capture_output=True, timeout=60, check=False)
    return Ran(done.stdout.decode(), done.returncode)


def _good(compiled: Compiled) -> None:
    assert compiled.code == 0, compiled.messages
