"""The program under test as layers above the front end see it: functions, input shapes, sites, call graph, binaries."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field

from veer.model.boards import Statics
from veer.model.confinement import OFF, Confinement
from veer.model.flow import Flow
from veer.model.loops import Loop
from veer.model.sequence import CallSequence
from veer.model.specification import Watching
from veer.model.state import StateBefore
from veer.model.stubcalls import Mocks, Passed
from veer.model.suitefolder import SuiteFolder
from veer.model.types import Type
from veer.model.unitfacts import UnitFacts


class SiteKind(StrEnum):
    """What a site is. Only BRANCH, CASE and SELECT are source branches (they count for coverage and path identity)."""

    BRANCH = "branch"
    CASE = "case"  # one link of a switch: side 1 = this case
    SELECT = "select"  # `x ? 3 : 4` that the compiler folded
    CHECK = "check"  # a check that the compiler or veer put in
    CALL = "call"
    ACCESS = "access"  # a load or store, a division: where an oracle may strike
    LIBRARY = "library"  # a branch of veer's own C library


RUNTIME_FILES, WRITTEN_FILE = "/jdk", "/veer.java"
"""Where the sources of Java's runtime are said to lie, and what veer writes beside them: in no place that there is."""
OF_NO_USER = (f"{RUNTIME_FILES}/", WRITTEN_FILE)
"""How files of sites begin that are none of the user's: a bug there is told at the user's call."""
REACHED = "reached"
"""The text, and the side, of a site where a place of --find is reached."""


class Site(Struct, frozen=True):
    """A place in the program. `id` is global (base of its translation unit + index); edge = 2 * id + side.

    `items` are the coverage items of side 0 and 1, or -1: a switch of n cases has n sites; site k's side 1 is
    the item "case k", the last site's side 0 the item "default", the other sides 0 are no item (as gcov
    counts).
    """

    id: int
    kind: SiteKind
    file: str
    line: int
    column: int
    function: str
    text: str = ""  # condition text, or the callee's name, or the check's name
    sides: tuple[str, str] = ("false", "true")
    items: tuple[int, int] = (-1, -1)
    block: int = -1  # index of its basic block in the function's CFG


NEW_VERSION = "veer.new."
"""Prefix of the names of what another version of the entry defines (frontends/c/versions.py)."""


class Parameter(Struct, frozen=True):
    """A parameter of an entry. `unsupported` says why no input can be made, or is empty."""

    name: str
    type: int
    unsupported: str = ""


class Function(Struct, frozen=True):
    """A defined function, with its CFG (successors of each basic block) and the functions that it calls."""

    name: str
    file: str
    line: int
    parameters: tuple[Parameter, ...]
    returns: int  # type id, -1 = void
    is_static: bool
    variadic: bool = False
    successors: tuple[tuple[int, ...], ...] = ()
    calls: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()  # functions whose address it takes
    heeds: tuple[str, ...] = ()  # of other units: functions whose results it uses, variables
    forgets_value: bool = False  # it promises a value, and a `return;` of it gives none


class Fact(StrEnum):
    """What may be known of a function that a program calls and does not define."""

    JUMPS = "leaves functions otherwise than by their returns"
    UNWINDS = "leaves functions for the handler of an exception"
    DEFERS = "has functions called later, or beside the others"
    CALLS_BACK = "calls a function that it is given, before it returns"
    CALLS_NOTHING = "calls no function of the program"
    ALLOCATES = "gives memory, or none"
    ASKS_FILES = "asks for files"
    ASKS_TIME = "asks for the time"
    ASKS_PROCESS = "asks about the process"
    ASKS_SETTINGS = "asks for settings of the machine"
    ASKS_ZONE = "depends on the time zone"
    DRAWS = "draws from a generator that others may have set"
    SEES_KIND = "tells, or depends on, what kind of file one is"
    REFUSED = "may be refused by the machine, and never is in a run"
    SET_BEFORE = "is data of the library that somebody may have set before"
    UNSEEN = "runs where veer does not look, and may ask the machine for anything"
    PRINTS = "writes what nobody follows"


class ExternalFunction(Struct, frozen=True):
    """A function that a program calls, or a variable of a library that it reads: what its front end knows of it."""

    name: str
    facts: tuple[Fact, ...]


class Content(Struct, frozen=True):
    """What the code of a defined function is (`line`: its first one): a digest, what it calls, and the global data and
    functions that it names. No digest: it may call what its text does not name."""

    name: str
    line: int
    digest: str
    calls: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


AT_EXIT = frozenset(("atexit", "on_exit"))
"""Functions of the C library by which a program has something to do when it exits."""
EXIT_OF_STUBS = 1
"""With what a stub ends the program that stands for a function that does not return."""
USER_MAIN = "veer_user_main"
"""What the user's `main` is called where veer's own takes its place."""
FAILING_PREFIX = "veer_may_fail_"
"""What stands before a function of the C library in suites whose calls of it may fail."""


class HarnessKind(StrEnum):
    """How the unit gets its inputs (docs/design.md, section 2)."""

    FUNCTION = "function"
    PROGRAM = "program"
    KLEE = "klee"
    TESTCOMP = "testcomp"
    LIBFUZZER = "libfuzzer"
    VEER = "veer"
    SEQUENCE = "sequence"

    @property
    def passes_arguments(self) -> bool:
        """Whether the entry is called with inputs; else it takes them itself."""
        return self in (HarnessKind.FUNCTION, HarnessKind.LIBFUZZER)


STANDARD_INPUT = "stdin"
"""The name of standard input among the files that are inputs."""


class SymbolicFile(Struct, frozen=True):
    """A file whose contents are an input: at most `size` bytes, under this name in fopen; "stdin" is standard input."""

    name: str
    size: int

    @property
    def size_root(self) -> str:
        """The root input that says how many bytes there are in a run."""
        return f"size of {self.name}"


class InputFiles(Struct, frozen=True):
    """Files that the unit asks for and nobody has made: at most so many of a run may be there, of `size` bytes each."""

    most: int
    size: int


class Region(Struct, frozen=True):
    """Addresses begin .. end - 1."""

    begin: int
    end: int


class Interrupt(Struct, frozen=True):
    """A function that may be called before the first `places` volatile accesses, `most` times in a run.

    `is_apart`: another source defines it than the entry's.
    """

    function: str
    most: int
    places: int = 256
    is_apart: bool = False

    @property
    def root(self) -> str:
        """The root of the choices: at each access one, as long as there may be more calls."""
        return f"interrupt {self.function}()"

    @property
    def words(self) -> str:
        """The bound, in words."""
        calls = f"up to {self.most} call{'s' if self.most > 1 else ''} of {self.function}"
        return f"{calls} before the first {self.places} volatile accesses"


DEVICE_LOG = "veer_registers"
"""The variable in which the runtime keeps what a run writes to registers: how many writes, then address and value of
each, 8 bytes each number."""
DEVICE_LOG_SIZE = 8 + 64 * 16


class Device(Struct, frozen=True):
    """The registers of the program's machine: where they are, and how many reads of one are inputs.

    `is_anywhere`: the code computes addresses of registers from numbers that it is given.
    """

    regions: tuple[Region, ...]
    reads: int
    is_anywhere: bool = False


class Carried(Struct, frozen=True):
    """A file in the words of another compiler: its text in C, which a suite brings along under that name."""

    source: Path
    name: str
    text: str


class Program(Struct, frozen=True):
    """An instrumented executable and what is known about it."""

    entry: str
    harness: HarnessKind
    sources: tuple[Path, ...]
    executable: Path  # the instrumented executor
    functions: tuple[Function, ...]
    types: tuple[Type, ...]  # types[i].id == i
    sites: tuple[Site, ...]  # sites[i].id == i
    stubs: tuple[str, ...] = ()  # undefined functions that were given stubs
    passed: dict[str, tuple[Passed, ...]] = field(default_factory=dict)  # what stubs take
    mocks: Mocks = Mocks.NONE  # what tests expect of the calls of stubs
    ending: tuple[str, ...] = ()  # of the stubs: those that do not return, but end the program (EXIT_OF_STUBS)
    uninstrumented: tuple[str, ...] = ()
    include: Path | None = None  # the source that the suite includes (it defines the entry)
    carried: tuple[Carried, ...] = ()  # files that no compiler of the host reads as they are
    declarations: str = ""  # of an entry in C++: what the suite, which is C, holds instead of including its source
    compile_flags: tuple[str, ...] = ()
    link_flags: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()  # the bounds within which a claim holds: "max-length 8", ...
    seconds: float = 0.0
    cached: bool = False
    notes: tuple[str, ...] = field(default=())
    addresses: tuple[str, ...] = ()  # functions whose addresses are in global data
    outputs: tuple[Parameter, ...] = ()  # global variables whose values are recorded before and after the call
    zeros: tuple[tuple[str, int], ...] = ()  # undefined variables, which begin as zeros: name, bytes
    contracts: tuple[str, ...] = ()  # what is assumed of the arguments, and who says so, in words
    checks: tuple[str, ...] = ()  # what is checked beside memory: "overflow", "leak", as --check and --no-check name it
    preconditions: tuple[str, ...] = ()  # predicates that inputs must satisfy; they are no part of what is tested
    asked_by: tuple[str, ...] = ()  # who asks for each of them ("veer.toml:2: pre ok"), where that is known
    sequence: CallSequence | None = None  # what a sequence harness may call
    files: tuple[SymbolicFile, ...] = ()  # files whose contents are inputs
    input_files: InputFiles | None = None  # the same of files that runs ask for; None: there are none
    interrupt: Interrupt | None = None  # a function that may be called before volatile accesses; None: there is none
    device: Device | None = None  # registers at fixed addresses, whose values are inputs; None: it has none
    loops: tuple[Loop, ...] = ()  # that have boundaries of their own (compositional builds)
    contents: tuple[Content, ...] = ()  # of the user's functions (compositional builds)
    asked: tuple[str, ...] = ()  # functions of the C library whose answers are inputs: time, getenv
    failing: tuple[str, ...] = ()  # functions of the C library of whose calls it is an input whether they fail: malloc
    has_unasked_failures: bool = False  # of allocations, which nobody asked for (docs/decisions/0446)
    external: tuple[ExternalFunction, ...] = ()  # what is known of functions that it calls and does not define
    language: str = "c"  # its name among `veer.languages`; a result of before there were others does not say it
    facts: UnitFacts | None = None  # what the code of the whole unit shows; None: its language does not tell
    parameter_facts: UnitFacts | None = None  # where it does not: what is shown of the entry's parameters alone
    watching: Watching | None = None  # the specifications that it is watched by; None: there are none
    state: StateBefore | None = None  # what may be done to the static data that the entry reads; None: nothing
    flow: Flow | None = None  # its control-flow graph; None: its language has none to tell of
    null: str = "null"  # how its language spells a pointer to nothing
    suite_folder: SuiteFolder | None = None  # where a suite of it will stand; None: anywhere, with absolute paths
    confinement: Confinement = OFF  # of what runs it
    result_names: tuple[tuple[str, int], ...] = ()  # what the code calls numbers that it returns: ("-EINVAL", -22)
    statics: Statics | None = None  # what keeps what a run writes; None: its language does not tell
    is_for_board: bool = False  # of a suite that is being written: whether another machine runs it
    requirements: dict[str, tuple[str, ...]] = field(default_factory=dict)  # that comments at a function name
    command: tuple[str, ...] = ()  # the words of `veer test` that make that suite again, as seen from there

    def is_internal(self, function: Function) -> bool:
        """Whether only the unit's own sources name a function: it is static, or stands in no header of theirs."""
        return function.is_static or (self.facts is not None and function.name in self.facts.internal)

    def linkage(self, name: str) -> str:
        """What such a function is called: static, or else internal."""
        function = self.function(name)
        return "static" if function is not None and function.is_static else "internal"

    def passed_to(self, stub: str) -> tuple[Passed, ...]:
        """What a stub, or a function that pointers lead to, is given."""
        own = (each.passed for each in self.types if each.callback == stub)
        return self.passed[stub] if stub in self.passed else next(own, ())

    def suite_path(self, source: Path) -> str:
        """The file that a suite compiles for a source: the source, or what the suite brings along."""
        named = self.suite_folder.path(source) if self.suite_folder else str(source.absolute())
        return next((each.name for each in self.carried if each.source == source), named)

    def suite_words(self, words: Iterable[str], folder: str = "") -> list[str]:
        """Words of a command that builds a suite, with the paths that hold where it stands (`SuiteFolder.word`)."""
        return [self.suite_folder.word(word, folder) if self.suite_folder else word for word in words]

    @property
    def required(self) -> tuple[str, ...]:
        """The requirements of all that the harness calls."""
        return tuple(dict.fromkeys(each for name in self.starts for each in self.requirements.get(name, ())))

    @property
    def starts(self) -> tuple[str, ...]:
        """The functions that the harness calls: the entry, or those of the sequence."""
        if self.sequence is None:
            return (self.entry,)
        return tuple(dict.fromkeys(callee.function for callee in self.sequence.callees))

    def known_to(self, *facts: Fact) -> frozenset[str]:
        """The external functions of which one of these facts is known."""
        return frozenset(each.name for each in self.external if not {*facts}.isdisjoint(each.facts))

    def called_by_user(self, *facts: Fact) -> frozenset[str]:
        """Those of them that the user's functions call, or may call by their address. `known_to` also tells of those
        that veer's own functions call in the place of the library's: getchar, to whom no file has a name, and fopen.
        What code that is not instrumented calls nobody knows: then it is all of `known_to`."""
        if self.uninstrumented:
            return self.known_to(*facts)
        named = {name for function in self.functions for name in (*function.calls, *function.takes)}
        return self.known_to(*facts) & (named | {*self.addresses})

    @property
    def acts_at_exit(self) -> bool:
        """Whether what its main returns goes to exit in the same test, for functions of its own run there."""
        called = {name for function in self.functions for name in (*function.calls, *function.takes)}
        return self.harness is HarnessKind.PROGRAM and bool(called & AT_EXIT)

    def function(self, name: str) -> Function | None:
        """The defined function of that name."""
        return next((f for f in self.functions if f.name == name), None)
