"""Builds and runs the brute force of one program.

All is cached by content under the temporary directory, so that xdist's workers and repeated runs share it.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from brute_harness import harness
from brute_header import Expectation
from brute_rewrite import rewrite

from veer.toolchain.compiler import Compiled, find
from veer.toolchain.compiling import compile_with
from veer.toolchain.linking import link

HERE = Path(__file__).parent / "brute"
RUNTIME = ("core.c", "memory.c", "inputs.c", "library.c", "harness_api.c")
FLAGS = ("-fno-stack-protector", "-g0")
CACHE = Path(tempfile.gettempdir()) / f"veer-brute-{os.getuid()}"
TIMEOUT = 120
CHECKS = (
    "signed-integer-overflow,shift-exponent,array-bounds,returns-nonnull-attribute,nonnull-attribute,vla-bound,builtin"
)
"""What veer looks for without options; the brute force checks memory and divisors itself."""


@dataclass(frozen=True)
class Row:
    """One distinct (path, outcome, result); `result` is the returned bytes, or None."""

    path: str
    outcome: str
    result: bytes | None
    witness: str = ""


def compiled(source: Path, output: Path, *flags: str) -> None:
    """Compiles; raises RuntimeError with what the compiler said."""
    _good(compile_with(find(), (*FLAGS, *flags), source, output))


def program(source: Path, output: Path, *flags: str) -> None:
    """Compiles and links a program of one file; raises RuntimeError as `compiled`."""
    made = output.with_suffix(".o")
    compiled(source, made, *flags, "-c")
    _good(link(find(), [made], output))
    made.unlink()


def _good(said: Compiled) -> None:
    if said.code:
        raise RuntimeError(said.messages)


def _cached(key: str, suffix: str) -> Path:
    CACHE.mkdir(parents=True, exist_ok=True)
    return CACHE / (hashlib.sha256(key.encode()).hexdigest()[:24] + suffix)


def _scratch(target: Path) -> Path:
    """A name beside the target, of this process alone, with the same suffix."""
    return target.with_name(f"{target.stem}.{os.getpid()}{target.suffix}")


def runtime_objects() -> list[Path]:
    """The brute force's own C, compiled once."""
    header = (HERE / "brute.h").read_text()
    objects: list[Path] = []
    for name in RUNTIME:
        target = _cached(header + (HERE / name).read_text(), ".o")
        if not target.exists():
            scratch = _scratch(target)
            compiled(HERE / name, scratch, "-O2", "-std=gnu11", "-Wall", "-Wextra", "-c")
            scratch.rename(target)
        objects.append(target)
    return objects


def build(expectation: Expectation) -> Path:
    """The executable that runs the program on all of its inputs."""
    text = harness(expectation)
    sources = text + expectation.path.read_text() + Path(__file__).with_name("brute_rewrite.py").read_text()
    sources += "".join((HERE / name).read_text() for name in ("brute.h", *RUNTIME))
    target = _cached(CHECKS + sources, ".exe")
    if target.exists():
        return target
    scratch = _scratch(target)
    source, module, rewritten, made = (scratch.with_suffix(suffix) for suffix in (".c", ".ll", ".out.ll", ".o"))
    source.write_text(text)
    flags = ["-std=gnu11", "-D__NO_CTYPE", "-UNDEBUG", "-w", f"-I{HERE}", f"-I{HERE / 'include'}"]
    flags += [] if expectation.options.get("no_check") else [f"-fsanitize={CHECKS}", f"-fsanitize-trap={CHECKS}"]
    flags += ["-fstrict-flex-arrays=1"]
    flags += ["-Dmain=user_main"] if expectation.is_harness else []
    compiled(source, module, "-S", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", *flags)
    rewritten.write_text(rewrite(module.read_text()))
    compiled(rewritten, made, "-O0", "-w", "-c")
    _good(link(find(), [made, *runtime_objects()], scratch))
    for leftover in (source, module, rewritten, made):
        leftover.unlink()
    scratch.rename(target)
    return target


def run_all(executable: Path, *, directions: bool = False) -> list[Row]:
    """Every distinct row over all inputs, assumptions violated included.

    `directions`: paths are told apart by the directions of their branches alone, not by which objects are followed.
    """
    done = subprocess.run(
        [str(executable)], capture_output=True, text=True, timeout=TIMEOUT, check=False, env=_environment(directions)
    )
    if done.returncode:
        raise RuntimeError(f"{executable} ended with {done.returncode}: {done.stderr}")
    rows = []
    for line in done.stdout.splitlines():
        if not line.startswith("runs "):
            rows.append(_row(line))
    return rows


def feasible(executable: Path) -> list[Row]:
    """The rows that no assumption rules out."""
    return [row for row in run_all(executable) if row.outcome != "assumption"]


def _environment(directions: bool) -> dict[str, str]:
    return {**os.environ, "BRUTE_DIRECTIONS": "1"} if directions else dict(os.environ)


def replay(executable: Path, cases: list[list[str]], *, directions: bool = False) -> list[tuple[Row, int]]:
    """Runs each case (lines of brute/inputs.c's replay format): its row and how many inputs it looked up in vain."""
    text = "".join("".join(line + "\n" for line in case) + ".\n" for case in cases)
    command, environment = [str(executable), "replay"], _environment(directions)
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=TIMEOUT, check=False, env=environment
    )
    if done.returncode:
        raise RuntimeError(f"{executable} replay ended with {done.returncode}: {done.stderr}")
    answers = []
    for line in done.stdout.splitlines():
        row = _row(line)
        answers.append((Row(row.path, row.outcome, row.result), int(row.witness)))
    return answers


def _row(line: str) -> Row:
    path, outcome, result, *rest = line.split(" ", 3)
    return Row(path, outcome, None if result == "-" else bytes.fromhex(result), rest[0] if rest else "")
