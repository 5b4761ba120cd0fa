"""All inputs of a generated program on gcc's plain build; where there is no gcc, on the build of zig's clang.

A run is a row: its path (a hash over the branches and switches that it passed), a hash over the functions that it
called by their address, how it ended and where, what it returned, and what it left in the memory that its arguments
lead to and in the file's variables.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import ziglang

from scale import marked
from scale.generator import ENTRY, Program
from scale.parameters import Vector

HERE = Path(__file__).parent
SECONDS = 30
SANITISERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
UNWRITTEN = (("-ftrivial-auto-var-init=zero",), ("-ftrivial-auto-var-init=pattern",), ("-O2",))
"""Builds that differ where a program reads a local variable that it has not written, or where it is left open what it
does."""


class CompilerError(Exception):
    """The program does not compile; the text is what the compiler said."""


@dataclass(frozen=True, slots=True)
class Row:
    """One run. `line` is that of a fault, 0 without one."""

    path: str
    called: str
    outcome: str
    line: int
    result: bytes
    written: bytes

    @property
    def ending(self) -> tuple[str, str, str, int]:
        """What a test shows of a path: its branches and called functions, and how it ends where."""
        return self.path, self.called, self.outcome, self.line

    @property
    def answer(self) -> tuple[object, ...]:
        """All but the hash over functions, whose addresses another build does not have."""
        return self.path, self.outcome, self.line, self.result, self.written


@dataclass(frozen=True, slots=True)
class Truth:
    """All runs, each with its input, and the sides of branches that they take: (line, number of the side)."""

    rows: dict[Vector, Row]
    taken: frozenset[tuple[int, int]]

    @property
    def endings(self) -> frozenset[tuple[str, str, str, int]]:
        """The paths, each with its endings."""
        return frozenset(row.ending for row in self.rows.values())

    @property
    def faults(self) -> frozenset[tuple[str, int]]:
        """Bugs that some input shows: (outcome, line)."""
        ends = {(row.outcome, row.line) for row in self.rows.values()}
        return frozenset(end for end in ends if end[0] not in ("returned", "exited"))


def compiler() -> list[str]:
    """The command of gcc, or of zig's clang."""
    gcc = shutil.which("gcc")
    return [gcc] if gcc else [str(Path(ziglang.__file__).parent / "zig"), "cc", "-fno-sanitize=all"]


def has_sanitisers() -> bool:
    """Whether gcc is there, and its sanitisers with it."""
    return sys.platform == "linux" and shutil.which("gcc") is not None


def compiled(text: str, name: str, *flags: str) -> Path:
    """The executable of a C text; it is kept by its content. Raises CompilerError."""
    folder = Path(tempfile.gettempdir()) / f"veer-scale-{os.getuid()}"
    folder.mkdir(parents=True, exist_ok=True)
    # Which functions are called is told by their addresses: they must not move from run to run.
    command = [*compiler(), "-std=gnu11", "-w", "-D__NO_CTYPE", "-no-pie", *flags]
    key = hashlib.sha256("\0".join([text, *command, (HERE / "brute.h").read_text()]).encode()).hexdigest()[:20]
    target = folder / f"{name}-{key}"
    if not target.exists():
        source, scratch = folder / f"{key}.{os.getpid()}.c", folder / f"{key}.{os.getpid()}"
        source.write_text(text)
        done = subprocess.run(
            [*command, str(source), "-o", str(scratch), "-lm"],
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        source.unlink()
        if done.returncode:
            raise CompilerError(done.stderr)
        scratch.rename(target)
    return target


def text_of(program: Program) -> str:
    """The brute force's program: the marked text, and one run of it."""
    making: list[str] = []
    writing: list[str] = []
    first = 0
    for each in program.parameters:
        making += each.making(first)
        writing += each.writing()
        first += each.slots
    arguments = ", ".join(name for each in program.parameters for name in each.names)
    call = f"{ENTRY}({arguments});"
    if program.returns != "void":
        call = f"{program.returns} bf_value = {call} bf_returns(&bf_value, sizeof bf_value);"
    lines = [*making, call, *writing, *(f"bf_writes(&{name}, sizeof {name});" for name, _ in program.observed)]
    head = f'#line 1 "program.c"\n{marked.brute(program.lines)}'
    return head + "\n".join(["static void bf_run(const long long *slot) {", *lines, "}", ""])


class Brute:
    """The executable of one program. `flags`: of its build, the sanitisers or an optimisation."""

    def __init__(self, program: Program, *flags: str) -> None:
        self.program = program
        self.executable = compiled(text_of(program), "brute", "-O0", "-include", str(HERE / "brute.h"), *flags)

    def run(self, vectors: Iterable[Vector]) -> Truth:
        """These inputs. Raises RuntimeError with what the program said if it ends before its end."""
        asked = list(dict.fromkeys(vectors))
        text = "".join(" ".join(str(_signed(value)) for value in vector) + "\n" for vector in asked)
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
        command = [str(self.executable)]
        try:
            done = subprocess.run(
                command, input=text, capture_output=True, text=True, check=False, timeout=SECONDS, env=environment
            )
        except subprocess.TimeoutExpired as late:
            raise RuntimeError(f"seed {self.program.seed}: not done after {SECONDS} s") from late
        if done.returncode:
            raise RuntimeError(f"seed {self.program.seed}: {done.returncode}\n{done.stderr[:3000]}")
        *lines, last = done.stdout.splitlines()
        taken = frozenset((int(line), int(side)) for line, _, side in (each.partition(":") for each in last.split()))
        return Truth(dict(zip(asked, map(_row, lines), strict=True)), taken)

    def all(self) -> Truth:
        """Every input of the program."""
        return self.run(self.program.vectors())


def _signed(value: int) -> int:
    """The same 64 bits as a long long, for that is what a slot is."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def _row(text: str) -> Row:
    path, called, outcome, line, result, written = text.split(" ")
    return Row(path, called, outcome, int(line), _bytes(result), _bytes(written))


def _bytes(text: str) -> bytes:
    return b"" if text == "-" else bytes.fromhex(text)


def seen_by_sanitisers(program: Program, vectors: Sequence[Vector]) -> list[bool]:
    """Whether gcc's sanitisers, or an abort, end the plain program on each of these inputs."""
    cases = []
    for number, vector in enumerate(vectors):
        values = ", ".join(
            f"{value}LL" if value != -(1 << 63) else "(-9223372036854775807LL - 1)" for value in map(_signed, vector)
        )
        cases.append(f"case {number}: {{ static const long long v[] = {{{values or '0'}}}; slot = v; break; }}")
    making: list[str] = []
    first = 0
    for each in program.parameters:
        making += each.making(first)
        first += each.slots
    arguments = ", ".join(name for each in program.parameters for name in each.names)
    main = ["int main(int argc, char **argv) {", "const long long *slot = 0;", "switch (atoi(argv[1])) {", *cases, "}"]
    text = program.text + "\n".join([*main, *making, f"{ENTRY}({arguments});", "return 0;", "}", ""])
    executable = compiled(text, "checked", "-O0", "-g", *SANITISERS)
    answers = []
    for number in range(len(vectors)):
        done = subprocess.run(
            [str(executable), str(number)],
            capture_output=True,
            check=False,
            timeout=SECONDS,
            env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1"},
        )
        said = done.stderr
        answers.append(done.returncode < 0 or b"runtime error" in said or b"AddressSanitizer" in said)
    return answers
