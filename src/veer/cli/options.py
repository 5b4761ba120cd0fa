"""The options of the command line, as annotated types; their defaults stand in the commands' signatures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veer.model.options import CRITERIA, FORMATS, GOALS, INPUTS, REPORTS, STRATEGIES, WITHOUT

_CHOICE = "|"

Sources = Annotated[list[Path] | None, typer.Argument(metavar="SOURCE", help="C sources; all are compiled and linked.")]
Entry = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help="Function to test; may be given again. main: a whole program.")
]
All = Annotated[
    bool,
    typer.Option(
        "--all", help="Every function of the sources, --jobs at a time, under one budget; one table at the end."
    ),
]
CompilationDatabase = Annotated[
    Path | None,
    typer.Option(
        "--compdb",
        metavar="FILE",
        help="compile_commands.json: flags of each source, and the sources (but those with a main) if none is given.",
    ),
]
Strategy = Annotated[str, typer.Option(metavar=_CHOICE.join(STRATEGIES), help="Which open branch comes next.")]
Criterion = Annotated[
    str,
    typer.Option(
        metavar=_CHOICE.join(CRITERIA),
        help="Keep as tests what covers branches, what shows MC/DC pairs, too, or every path.",
    ),
]
Goal = Annotated[
    str, typer.Option(metavar=_CHOICE.join(GOALS), help="Whose branches the search is for: everyone's, the entry's.")
]
LookAhead = Annotated[
    bool,
    typer.Option("--look-ahead/--no-look-ahead", help="Skip paths from which no uncovered branch can be reached."),
]
MaxCallDepth = Annotated[
    int | None,
    typer.Option(metavar="N", help="Negate nothing more than N calls below the entry; what hangs on it may be missed."),
]
SolveFirst = Annotated[
    bool, typer.Option("--solve-first", help="With dfs: try every branch of a run before going deeper.")
]
Partitioned = Annotated[
    bool,
    typer.Option(
        "--partitioned",
        help="Search inputs that do not interfere one by one: n blocks of p paths take n times p runs, not p to the n.",
    ),
]
InitialPartition = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="--partitioned from these blocks: a line each, with names of its inputs."),
]
CheckedPartition = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Search by these blocks, and say where they interfere; nothing is merged."),
]
SolverNames = Annotated[
    str,
    typer.Option(
        "--solver",
        metavar="NAME[,NAME]",
        help="bitwuzla, z3 (`pip install 'veer[z3]'`); several are asked in this order.",
    ),
]
BudgetTime = Annotated[str, typer.Option(metavar="TIME", help="Time of the search: 500ms, 60s, 2m.")]
MaxRuns = Annotated[int, typer.Option(metavar="N", help="Most runs; 0 = no limit.")]
Plateau = Annotated[int, typer.Option(metavar="N", help="End after N runs without anything new; 0 = never.")]
KeepGoing = Annotated[
    bool,
    typer.Option(
        "--keep-going/--no-keep-going",
        help="Go on once all branches are covered, for bugs on paths that cover nothing new; or stop there.",
    ),
]
Jobs = Annotated[int, typer.Option(metavar="N", help="Processes that solve and run.")]
CampaignMemory = Annotated[
    int,
    typer.Option(metavar="MIB", help="Memory of the search: once it is used up, finished subtrees become counts."),
]
Without = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME[,NAME]",
        help=f"Switch off optimisations, to measure them: {', '.join(WITHOUT)}. What is found stays the same.",
        hidden=True,
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Go on with the campaign of this --out, which was stopped before it was done."),
]
MaxBranches = Annotated[int, typer.Option(metavar="N", help="Negate only the first N decisions of a path; 0 = all.")]
MaxSteps = Annotated[int, typer.Option(metavar="N", help="A run of more calls and loop rounds than this is a hang.")]
Timeout = Annotated[str, typer.Option(metavar="TIME", help="Time of one run, a backstop behind --max-steps.")]
Seed = Annotated[int, typer.Option(metavar="N", help="Seed of everything random.")]
Batch = Annotated[int, typer.Option(metavar="N", help="Open branches that are handed out at once.")]
GeneralLength = Annotated[
    int, typer.Option("--max-length", metavar="N", help="Most characters of a string, bytes of a buffer.")
]
GeneralArray = Annotated[
    int, typer.Option("--max-array", metavar="N", help="Most elements of an array behind a pointer.")
]
_OWN = "NAME=N: of the parameter NAME; may be given again."
MaxLength = Annotated[
    list[str] | None,
    typer.Option(metavar="[NAME=]N", help=f"Most characters of a string, bytes of a buffer (8). {_OWN}"),
]
MaxArray = Annotated[
    list[str] | None,
    typer.Option(metavar="[NAME=]N", help=f"Most elements of an array behind a pointer (4). {_OWN}"),
]
GraphDepth = Annotated[
    list[str] | None,
    typer.Option(metavar="[NAME=]N", help=f"Deepest chain of pointers in an input (3). {_OWN}"),
]
Eager = Annotated[
    bool, typer.Option("--eager", help="Make whole memory graphs before the call, not as they are looked at.")
]
SizeOf = Annotated[
    list[str] | None, typer.Option(metavar="BUF=LEN", help="The parameter LEN holds the length of the parameter BUF.")
]
VoidTarget = Annotated[
    list[str] | None,
    typer.Option("--void", metavar="PARAM=TYPE", help="The void * parameter PARAM leads to a TYPE, not to bytes."),
]
Globals = Annotated[bool, typer.Option("--globals", help="Make the unit's global variables inputs too.")]
Compositional = Annotated[
    bool,
    typer.Option("--compositional", help="Search by summaries of functions: their paths are added, not multiplied."),
]
Summarise = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME", help="With --compositional: only this function, or the simple loop at FILE:LINE, is summarised."
    ),
]
Precondition = Annotated[
    list[str] | None,
    typer.Option(
        "--pre",
        metavar="NAME",
        help="A predicate over the entry's parameters, or one of them: inputs for which it is 0 are no tests.",
    ),
]
Sequence = Annotated[
    str | None,
    typer.Option(
        metavar="CALLS",
        help="Instead of --entry: sequences of calls, as 'init,add*,{remove,member}' (* and {}: any number of times). "
        "What one call makes flows on to the others.",
    ),
]
MaxCalls = Annotated[int, typer.Option(metavar="N", help="Most calls of a sequence.")]
StdinSize = Annotated[int, typer.Option(metavar="N", help="Bytes of standard input of a whole program.")]
SymbolicFile = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=SIZE",
        help="Make up to SIZE bytes of the file that fopen finds under NAME an input; stdin is standard input.",
    ),
]
Inputs = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME,...",
        help=f"Make what these functions of the C library answer inputs: {', '.join(INPUTS)}.",
    ),
]
Argc = Annotated[
    int,
    typer.Option(metavar="N", help="Most arguments of a whole program, its name counted; the search tries fewer, too."),
]
ArgvSize = Annotated[int, typer.Option(metavar="N", help="Most characters of each argument of a whole program.")]
Check = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CHECK",
        help=(
            "Aim at this too: overflow, shift, divide, unsigned-overflow, conversion, float-cast, array-bounds, null, "
            "alignment, pointer, bool, enum, return, unreachable, vla, builtin, undefined (what the C standard leaves "
            "undefined), leak; may be given again."
        ),
    ),
]
Uninstrumented = Annotated[list[str] | None, typer.Option(metavar="NAME", help="Keep this function concrete.")]
Include = Annotated[list[str] | None, typer.Option("-I", metavar="DIR", help="Directory of headers.")]
Define = Annotated[list[str] | None, typer.Option("-D", metavar="NAME[=V]", help="Macro.")]
Standard = Annotated[str | None, typer.Option("--std", metavar="S", help="C standard, e.g. c99; else the compiler's.")]
CompilerFlag = Annotated[list[str] | None, typer.Option("--cflag", metavar="FLAG", help="Another compiler flag.")]
Link = Annotated[list[str] | None, typer.Option(metavar="LIB", help="Library to link: m, -lz, a file.")]
Compiler = Annotated[str | None, typer.Option("--cc", metavar="CC", help="Your own clang; veer brings a compiler.")]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Where results go; veer-out/NAME if not given.")]
JsonFile = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write summary.json here too.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")]
Format = Annotated[
    list[str] | None,
    typer.Option(
        "--format",
        metavar="FMT",
        help=f"Write this too: a suite ({', '.join(FORMATS)}) or a report ({', '.join(REPORTS[1:])}); may be given "
        "again. report.html is always written.",
    ),
]
Directory = Annotated[Path, typer.Argument(metavar="DIR", help="What `veer test` wrote, e.g. veer-out/NAME.")]
TestName = Annotated[str | None, typer.Option("--test", metavar="NAME", help="Only this test, by its name or number.")]
SuiteFormat = Annotated[
    list[str] | None, typer.Option("--format", metavar="FMT", help=f"{', '.join(FORMATS)}; may be given again.")
]
ReportFormat = Annotated[
    list[str] | None,
    typer.Option("--format", metavar="FMT", help=f"{', '.join(REPORTS)}; html if not given; may be given again."),
]
Folder = Annotated[Path | None, typer.Option("--to", metavar="FOLDER", help="Where; DIR/suite/FMT if not given.")]
