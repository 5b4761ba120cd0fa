"""The commands with their arguments, options and help: a table. What one does is in the module of its name.

That module is imported when the command is called: `veer --help` is quick.
"""

from __future__ import annotations

from typing import Any

from veer.cli.arguments import Argument, Command
from veer.model.buildoptions import BuildOptions
from veer.model.option import Kind, Option
from veer.model.options import BUILD, OUTPUT, SEARCH


def _own(kind: Kind, name: str, help: str, metavar: str | None = None, **more: Any) -> Option:
    """An option of a command alone, which is no option of a campaign. `more` are fields of Option."""
    default = more.pop("default", None)
    return Option(name, name, kind, default, help, metavar, **more)


_DEFAULT = BuildOptions((), "")
_SOURCES = Argument(
    "sources", "SOURCE", "Sources; all are compiled and linked. Those of veer.toml if none is given.", True, True
)
_DIRECTORY = Argument("directory", "DIR", "What `veer test` wrote, e.g. veer-out/NAME.")
_DATABASE = _own(
    Kind.FILE,
    "compdb",
    "compile_commands.json: flags of each source, and the sources (but those with a main) if none is given.",
)
_TEST = (
    _own(Kind.TEXTS, "entry", "Function to test; may be given again. main: a whole program.", "NAME"),
    _own(
        Kind.SWITCH,
        "all",
        "Every function of the sources, --jobs at a time, under one budget; so it is without --entry.",
    ),
    _own(Kind.SWITCH, "fresh", "Of all functions: test them again, though nothing has changed since the last run."),
    _DATABASE,
    _own(Kind.FILE, "resume", "Go on with the campaign of this --out, which was stopped before it was done.", "DIR"),
)
_LIST = (
    _own(Kind.SWITCH, "json", "Print a JSON array with an object for each function (docs/reports.md)."),
    _own(Kind.NUMBER, "max_length", "Most characters of a string, bytes of a buffer.", default=_DEFAULT.max_length),
    _own(Kind.NUMBER, "max_array", "Most elements of an array behind a pointer.", default=_DEFAULT.max_array),
    _DATABASE,
    *(each for each in BUILD if each.name in ("include", "define", "prelude", "target", "std", "cflag", "cc")),
    *(each for each in BUILD if each.name in ("arch", "base", "ram", "classpath")),
)
_COMPARE = (
    _own(Kind.TEXTS, "entry", "The function, which both versions define.", "NAME"),
    _own(Kind.FILE, "out", "Output directory; veer-out/compare-NAME if not given.", "DIR"),
    _own(Kind.SWITCH, "quiet", "Print nothing but errors."),
    _DATABASE,
)
BESIDE_A_FUZZER = frozenset((
    "strategy", "max_runs", "max_branches", "max_steps", "timeout", "solver", "seed", "hybrid", "campaign_memory",
    "sandbox", "read", "sockets", "without", "max_length", "size_of", "stdin_size", "file_size", "symbolic_file",
    "pre", "check", "no_check", "uninstrumented", "include", "define", "prelude", "target", "std", "cflag", "link",
    "cc",
))  # fmt: skip
"""Options that leave inputs what they are for a fuzzer: bytes."""
_FUZZ = (
    _own(Kind.FILE, "afl", "AFL++'s directory, what afl-fuzz has as -o, with -M or -S (docs/fuzzing.md).", "DIR"),
    _own(Kind.FILE, "libfuzzer", "libFuzzer's corpus, which it reads again while it runs (-reload=1).", "CORPUS"),
    _own(Kind.TEXT, "entry", "What the fuzzer runs; LLVMFuzzerTestOneInput, or main, if not given."),
    _own(Kind.TEXT, "name", "With --afl: veer's folder among those of its instances.", default="veer"),
    _own(Kind.FILE, "crashes", "With --libfuzzer: where inputs of bugs go; veer-out/fuzz-NAME if not given.", "DIR"),
    _own(Kind.TIME, "budget", "End after this time; if not given, it goes on until Ctrl-C."),
    _own(Kind.SWITCH, "once", "End once nothing is left to do; if not given, it waits for more inputs."),
    _own(Kind.SWITCH, "quiet", "Print nothing but errors."),
    _DATABASE,
)
_EXPORT = (
    _own(Kind.NAMES, "format", "{}; may be given again.", "FMT", groups=("veer.suites",)),
    _own(Kind.FILE, "to", "Where; DIR/suite/FMT if not given.", "FOLDER"),
)

COMMANDS = (
    Command(
        "test",
        "Explore functions path by path; write their tests and their bugs.",
        "veer.cli.test_command",
        _SOURCES,
        (*_TEST, *SEARCH, *BUILD, *OUTPUT),
        "veer.cli.ahead",
    ),
    Command(
        "list", "List the functions that could be an entry, and their inputs.", "veer.cli.list_command", _SOURCES, _LIST
    ),
    Command(
        "replay",
        "Run recorded inputs on the plain build. Exit code 1: a test ended otherwise than it was recorded.",
        "veer.cli.replay_command",
        _DIRECTORY,
        (
            _own(Kind.TEXT, "test", "Only this test, by its name or number.", "NAME"),
            *(each for each in SEARCH if each.name in ("sandbox", "read", "sockets")),
        ),
    ),
    Command(
        "compare",
        "Find the inputs on which two versions of a function differ. Exit code 1: they do.",
        "veer.cli.compare_command",
        Argument(
            "versions",
            "VERSION",
            "Two versions: files, folders, git revisions (HEAD~1, HEAD~1:FILE). Behind them the sources within "
            "folders and revisions, where it is not one alone that defines the function.",
            many=True,
            words="OLD NEW [SOURCE]...",
        ),
        (*_COMPARE, *SEARCH, *BUILD),
    ),
    Command(
        "fuzz-helper",
        "Beside a running AFL++ or libFuzzer: take its inputs, give back those for what it is stuck on.",
        "veer.cli.fuzz_helper_command",
        _SOURCES,
        (*_FUZZ, *(each for each in (*SEARCH, *BUILD) if each.name in BESIDE_A_FUZZER)),
    ),
    Command(
        "export",
        "Write the suite in another format. Files that veer did not write are left alone.",
        "veer.cli.export_command",
        _DIRECTORY,
        _EXPORT,
    ),
    Command(
        "update",
        "Make committed suites again, and tell which tests changed. Exit code 1: some did, and nothing was written.",
        "veer.cli.update_command",
        Argument("suites", "SUITE", "A suite as veer wrote it, or the folder of several.", many=True),
        (_own(Kind.SWITCH, "accept", "Write what changed; lines between `veer: keep` marks stay."),),
    ),
    Command(
        "report",
        "Write the HTML report, or another one, from what DIR holds; github is printed, too.",
        "veer.cli.report_command",
        _DIRECTORY,
        (_own(Kind.NAMES, "format", "{}; html if not given; may be given again.", "FMT", groups=("veer.reports",)),),
    ),
    Command(
        "init",
        "Write a veer.toml for the project in the working directory: then `veer test` alone tests it.",
        "veer.cli.init_command",
        Argument(
            "sources", "SOURCE", "Sources to test; those of the folder if none is given.", many=True, is_optional=True
        ),
    ),
    Command(
        "doctor",
        "Say what is there and what is missing. Exit code 1: something that veer needs is missing.",
        "veer.cli.doctor_command",
    ),
    Command(
        "completion",
        "Print what makes a shell complete veer's commands and options.",
        "veer.cli.completion_command",
        Argument("shell", "SHELL", 'bash, zsh or fish: eval "$(veer completion bash)" in ~/.bashrc switches it on.'),
    ),
    Command("man", "Print the manual page: veer man | man -l -", "veer.cli.man_command"),
)
"""In the order of `veer --help`."""
