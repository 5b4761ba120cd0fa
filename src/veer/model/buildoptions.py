"""The options that decide what is built, and what its inputs are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from veer.model.option import Kind, Paths, option
from veer.model.ownstruct import OwnStruct

INPUTS = ("time", "clock", "clock_gettime", "gettimeofday", "getenv", "rand", "random")
"""Functions of the C library whose answers can be inputs."""
FAIL: Mapping[str, tuple[str, ...]] = {
    "malloc": ("malloc", "calloc", "realloc", "strdup", "strndup"),
    "io": ("fopen", "read", "write"),
}
"""What can fail on request, and the functions of the C library that do then."""
MEMORY = "malloc"
"""Which of them are allocations."""
OwnBound = tuple[str, str, int]
"""A bound of one parameter: "max-length", "max-array" or "graph-depth", the parameter's name, the number."""
_OWN = "NAME=N: of the parameter NAME; may be given again."


@dataclass(frozen=True, slots=True)
class GivenTerms:
    """A part of a contract that the user gives: for which function ("" = the entry), its terms, where it stands.

    GivenTerms("scale", "range(percent, 0..100)", "veer.toml:3")
    """

    function: str
    terms: str
    place: str


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What decides the instrumented executable."""

    sources: tuple[Path, ...]
    entry: str
    seed_size: int = 0  # bytes of the longest input that exists already; bounds that nobody gave are as large
    max_length: int = option(
        Kind.BOUND, f"Most characters of a string, bytes of a buffer (8). {_OWN}", default=8, metavar="[NAME=]N"
    )
    max_array: int = option(
        Kind.BOUND, f"Most elements of an array behind a pointer (4). {_OWN}", default=4, metavar="[NAME=]N"
    )
    graph_depth: int = option(
        Kind.BOUND, f"Deepest chain of pointers in an input (3). {_OWN}", default=3, metavar="[NAME=]N"
    )
    own_bounds: tuple[OwnBound, ...] = ()  # of single parameters, in the place of the three above
    eager: bool = option(
        Kind.SWITCH, "Make whole memory graphs before the call, not as they are looked at.", default=False
    )
    size_of: tuple[str, ...] = option(
        Kind.TEXTS, "The parameter LEN holds the length of the parameter BUF.", default=(), metavar="BUF=LEN"
    )
    void: tuple[str, ...] = option(
        Kind.TEXTS,
        "The void * parameter PARAM leads to a TYPE; void: to bytes, whatever the code takes it for.",
        default=(),
        metavar="PARAM=TYPE",
    )
    not_null: tuple[str, ...] = option(
        Kind.NAMES, "The pointer PARAM is never null; may be given again.", default=(), name="nonnull", metavar="PARAM"
    )
    ranges: tuple[str, ...] = option(
        Kind.TEXTS,
        "The integer PARAM is one of LO..HI; may be given again.",
        default=(),
        name="range",
        metavar="PARAM=LO..HI",
    )
    contracts: tuple[GivenTerms, ...] = ()  # of these two and veer.toml: frontends/c/contracts/terms.py
    prototype: str = option(
        Kind.TEXT,
        "Of machine code: what the entry takes and returns, as 'int f(const char *s, int n)'.",
        default="",
        metavar="TEXT",
    )
    arch: str = option(
        Kind.TEXT, "Of a raw image, Intel HEX or S-records: the architecture.", default="", metavar="NAME"
    )
    base: str = option(
        Kind.TEXT, "Of a raw image (.bin): the address of its first byte.", default="", metavar="ADDRESS"
    )
    ram: tuple[str, ...] = option(
        Kind.TEXTS, "Of such a file: writable memory; may be given again.", default=(), metavar="BEGIN:SIZE"
    )
    find: tuple[str, ...] = option(
        Kind.TEXTS,
        "Search for an input that reaches FILE:LINE, of machine code an address, too, and end there; given again: one "
        "of them is enough.",
        default=(),
        metavar="PLACE",
    )
    avoid: tuple[str, ...] = option(
        Kind.TEXTS,
        "Give up runs that come to FILE:LINE (or address) before a place of --find; may be given again.",
        default=(),
        metavar="PLACE",
    )
    jump_targets: tuple[tuple[int, int], ...] = ()  # of machine code: indirect jumps, and where runs saw them go
    globals: bool = option(Kind.SWITCH, "Make the unit's global variables inputs too.", default=False)
    summarise: tuple[str, ...] = option(
        Kind.NAMES,
        "With --compositional: only this function, or the simple loop at FILE:LINE, is summarised.",
        default=(),
    )
    preconditions: tuple[str, ...] = option(
        Kind.NAMES,
        "A predicate over the entry's parameters, or one of them: inputs for which it is 0 are no tests.",
        default=(),
        name="pre",
    )
    specifications: tuple[str, ...] = option(
        Kind.TEXTS,
        "What must hold of calls and returns: a file of specifications (docs/specifications.md); may be given again.",
        default=(),
        name="spec",
        metavar="FILE",
        paths=Paths.ALL,
    )
    sequence: str = option(
        Kind.TEXT,
        "Instead of --entry: sequences of calls, as 'init,add*,{remove,member}' (* and {}: any number of times). "
        "What one call makes flows on to the others.",
        default="",
        metavar="CALLS",
    )
    against: tuple[Path, ...] = ()  # sources of another version of the entry, on the same inputs (`veer compare`)
    own_structs: tuple[OwnStruct, ...] = ()  # of a sequence that is to bring a bug about (docs/severity.md)
    max_calls: int = option(Kind.NUMBER, "Most calls of a sequence.", default=5, least=1)
    stdin_size: int = option(Kind.NUMBER, "Most bytes of standard input, of what reads it.", default=8, least=0)
    argv_size: int = option(Kind.NUMBER, "Most characters of each argument of a whole program.", default=8, least=0)
    argc: int = option(
        Kind.NUMBER,
        "Most arguments of a whole program, its name counted; the search tries fewer, too.",
        default=3,
        least=1,
    )
    input_files: int = option(
        Kind.NUMBER,
        "Most files that a run asks for, nobody has made, and may be there all the same, with any content; 0: none.",
        default=2,
        least=0,
    )
    file_size: int = option(Kind.NUMBER, "Most bytes of each of these files.", default=8, least=0)
    register_reads: int = option(
        Kind.NUMBER,
        "Most reads of one register of the program's machine that are inputs: behind them it keeps its value. "
        "Registers are at addresses that the code names; 0: there are none.",
        default=4,
        least=0,
    )
    regions: tuple[str, ...] = option(
        Kind.TEXTS,
        "There are registers in the SIZE bytes from ADDRESS on, which the code may not name; may be given again.",
        default=(),
        name="region",
        metavar="ADDRESS:SIZE",
    )
    interrupt: str = option(
        Kind.TEXT,
        "This function may be called before each volatile access of the entry, as an interrupt would come.",
        default="",
        metavar="NAME",
    )
    interrupt_calls: int = option(
        Kind.NUMBER, "Most calls of the function of --interrupt in a run.", default=1, least=1
    )
    mocks: bool = option(
        Kind.SWITCH,
        "Tests expect how often functions are called that nobody defines, and with what; or only how often, where they "
        "return numbers.",
        default=True,
        flags=("--mocks/--no-mocks",),
    )
    mock_order: bool = option(
        Kind.SWITCH, "Tests expect the order of the calls of different such functions, too.", default=False
    )
    files: tuple[str, ...] = option(
        Kind.TEXTS,
        "Make up to SIZE bytes of the file that fopen finds under NAME an input; stdin is standard input.",
        default=(),
        name="symbolic_file",
        metavar="NAME=SIZE",
    )
    inputs: tuple[str, ...] = option(
        Kind.NAMES,
        f"Make what these functions of the C library answer inputs: {', '.join(INPUTS)}; but with none, getenv "
        "always is, and clocks are where that covers more.",
        default=(),
        metavar="NAME,...",
        choices=(*INPUTS, "none"),
        unknown="its answers cannot be inputs",
    )
    fail: tuple[str, ...] = option(
        Kind.NAMES,
        "Let calls fail as they may: malloc (calloc, realloc, strdup), io (fopen, read, write; short ones, too). "
        "Each failure is an input.",
        default=(),
        metavar="WHAT,...",
        choices=tuple(FAIL),
        unknown="that cannot be made to fail",
    )
    unasked_failures: bool = False  # allocations fail, too, since a branch was open without (docs/decisions/0446)
    checks: tuple[str, ...] = option(
        Kind.NAMES,
        "Aim at this too: shift-base, float-divide, unsigned-overflow, conversion, float-cast, null, alignment, "
        "pointer, bool, enum, unreachable, undefined (what the C standard leaves undefined); may be given again.",
        default=(),
        name="check",
        metavar="CHECK",
    )
    no_checks: tuple[str, ...] = option(
        Kind.NAMES,
        "Do not look for this: overflow, shift, divide, array-bounds, return, vla, builtin, leak, "
        "uninitialised, all; may be given again.",
        default=(),
        name="no_check",
        metavar="CHECK",
    )
    uninstrumented: tuple[str, ...] = option(Kind.NAMES, "Keep this function concrete.", default=())
    include: tuple[str, ...] = option(
        Kind.TEXTS, "Directory of headers.", default=(), metavar="DIR", flags=("-I",), paths=Paths.ALL
    )
    define: tuple[str, ...] = option(Kind.TEXTS, "Macro.", default=(), metavar="NAME[=V]", flags=("-D",))
    preludes: tuple[str, ...] = option(
        Kind.TEXTS,
        "A header that comes before each source: a file, or veer's own for the words of another compiler: c51, armcc, "
        "iar, sdcc, cmsis; may be given again.",
        default=(),
        name="prelude",
        metavar="FILE",
        paths=Paths.FILES,
    )
    targets: tuple[str, ...] = option(
        Kind.NAMES,
        "The machine that the sources are for: arm, arm-linux, aarch64, riscv32, riscv64, xtensa, i386. Its "
        "characters and enumerations hold, and inputs stay within its words. Else this machine, or what --compdb says.",
        default=(),
        name="target",
        metavar="NAME",
    )
    std: str | None = option(Kind.TEXT, "C standard, e.g. c99; else the compiler's.", default=None, metavar="S")
    cflags: tuple[str, ...] = option(
        Kind.TEXTS, "Another compiler flag.", default=(), name="cflag", metavar="FLAG", paths=Paths.FLAGS
    )
    link: tuple[str, ...] = option(
        Kind.TEXTS, "Library to link: m, -lz, a file.", default=(), metavar="LIB", paths=Paths.FILES
    )
    class_path: tuple[str, ...] = option(
        Kind.TEXTS,
        "Java: a jar or a folder with the classes that the unit needs, or a folder of jars; may be given again.",
        default=(),
        name="classpath",
        metavar="PATH",
        paths=Paths.ALL,
    )
    cc: str | None = option(Kind.TEXT, "Your own clang; veer brings a compiler.", default=None, metavar="CC")
    flags_of: tuple[tuple[str, tuple[str, ...]], ...] = ()  # flags of single sources, by absolute path (--compdb)
    partitioned: bool = False  # with FlowTest's flow map: a search by blocks needs it
    compositional: bool = False  # functions record what crosses their boundaries: a search by summaries needs it
    has_fast_path: bool = True  # the unit's functions have a copy of their own for concrete data
    loops: bool = True  # with `compositional`: simple loops have boundaries of their own, and closed forms
