"""`veer fuzz-helper`: inputs for what a running fuzzer is stuck on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from rich.console import Console

from veer.campaign.beside import MOST_BYTES, BesideFuzzer
from veer.campaign.fuzzers import NAME, AflPlusPlus, Fuzzer, LibFuzzer
from veer.campaign.fuzzhelp import Helped, help_fuzzer
from veer.campaign.keywords import Options
from veer.campaign.requests import build_options, search_options
from veer.campaign.settings import settings
from veer.campaign.sources import project
from veer.cli.arguments import Given
from veer.cli.commands import BESIDE_A_FUZZER
from veer.cli.exit_codes import INTERRUPTED, NOTHING_FOUND
from veer.cli.test_command import of_a_campaign
from veer.model.buildoptions import BuildOptions
from veer.model.ending import EndingKind
from veer.model.errors import StoreError, UsageError
from veer.model.values import replace
from veer.report.terminal import ProgressDisplay
from veer.report.words import brief, duration, number
from veer.search import exchange
from veer.store.held import held

_FUZZ_TARGET = "LLVMFuzzerTestOneInput"
_NEVER = "8760h"
_USUAL_SIZE = 4096  # bytes, as libFuzzer's -max_len
_BOUNDS = ("max_length", "stdin_size", "file_size")
_OF_PROJECTS = BESIDE_A_FUZZER - {"max_runs", "check", "no_check"}
"""What veer.toml says for tests, and for this."""
_AS_A_FUZZER_RUNS_IT = {"argc": 1, "input_files": 0}
"""A program is called without arguments, and finds no files but those that there are."""


def run(given: Given) -> int:
    """Does what the command line asks for; 0 when the budget is spent, 130 after Ctrl-C."""
    known = settings(given.get("sources", ()))
    sources, flags_of = project(
        given.get("sources") or known.sources, given.get("compdb", known.compdb), [str(given.get("entry", "main"))]
    )
    entry = given.get("entry") or _entry(sources)
    out = Path("veer-out") / f"fuzz-{entry}"
    fuzzer = _fuzzer(given, out)
    quiet, console = bool(given.get("quiet")), Console(emoji=False, highlight=False)
    of_project = {name: value for name, value in known.of(entry, {}).items() if name in _OF_PROJECTS}
    asked = _asked({**of_a_campaign(of_project), **of_a_campaign(given)})

    def say(file: Path, one: exchange.Given) -> None:
        if not quiet:
            what = "a bug" if one.is_bug else "new branches"
            console.print(f"{what}: {number(len(one.data), 'byte')} in {file}", markup=False, soft_wrap=True)

    build, search = build_options(sources, entry, asked, flags_of), replace(search_options(asked), growing=())
    with held(fuzzer.crashes):
        beside = BesideFuzzer(fuzzer, say, waits="once" not in given)
        build = _with_room(build, asked, beside.longest())
        try:
            with ProgressDisplay(Console(stderr=True, emoji=False, highlight=False), quiet=quiet) as display:
                found = help_fuzzer(build, search, beside, display)
        except StoreError:
            _print(_sums(beside, fuzzer), quiet=quiet)
            raise
    _print((*_told(found), *_sums(beside, fuzzer)), quiet=quiet)
    return INTERRUPTED if found.kind is EndingKind.STOPPED else NOTHING_FOUND


def _asked(given: Mapping[str, Any]) -> Options:
    """The options, with what holds for fuzzers where the user says nothing: no end, and runs end at errors of memory
    alone, as the fuzzer's own do."""
    options = {"budget": _NEVER, **given, **_AS_A_FUZZER_RUNS_IT}
    if not options.get("check") and not options.get("no_check"):
        options["no_check"] = ["all"]
    return cast(Options, options)


def _with_room(build: BuildOptions, asked: Options, longest: int) -> BuildOptions:
    """The options of the build, with bounds that hold what the fuzzer has, and usually makes, where the user gives
    none."""
    size = max(_USUAL_SIZE, longest)
    return replace(build, seed_size=size, **dict.fromkeys((name for name in _BOUNDS if asked.get(name) is None), size))


def _entry(sources: Sequence[Path]) -> str:
    """The fuzz target, if the sources have one, else main."""
    word = re.compile(rf"\b{_FUZZ_TARGET}\s*\(")
    texts = (file.read_text(errors="replace") for file in sources if file.is_file())
    return _FUZZ_TARGET if any(word.search(text) for text in texts) else "main"


def _fuzzer(given: Given, out: Path) -> Fuzzer:
    """The fuzzer that the user names. Raises UsageError."""
    if ("afl" in given) == ("libfuzzer" in given):
        raise UsageError("beside which fuzzer? give --afl DIR (what afl-fuzz has as -o), or --libfuzzer CORPUS")
    if "afl" in given and "crashes" in given:
        raise UsageError("--crashes is for --libfuzzer: beside AFL++ they go to its directory; leave it out")
    if "libfuzzer" in given and "name" in given:
        raise UsageError("--name is for --afl: libFuzzer's corpus has no folder for each instance; leave it out")
    try:
        if "afl" in given:
            return AflPlusPlus(given["afl"], given.get("name", NAME))
        return LibFuzzer(given["libfuzzer"], given.get("crashes", out))
    except OSError as error:
        raise UsageError(
            f"{error.filename}: {error.strerror}; give another folder, or change its permissions"
        ) from None


def _told(found: Helped) -> tuple[str, ...]:
    """How it ended, in a line, and what is to be said of the program."""
    notes = tuple(f"note      {note}" for note in found.notes if not note.startswith("--argc"))
    covered = f"{found.covered} of {found.branches} branches"
    return (
        *notes,
        f"{brief(found.runs)} runs in {duration(found.seconds)}, {covered} covered, the fuzzer's inputs included",
        f"ended     {found.kind.sentence}",
    )


def _sums(beside: BesideFuzzer, fuzzer: Fuzzer) -> tuple[str, ...]:
    """How many inputs went to and fro."""
    lines = [
        f"taken     {number(beside.taken, 'input')} of the fuzzer",
        f"given     {number(beside.given, 'input')} that cover something new, in {fuzzer.place}",
    ]
    if beside.bugs:
        lines.append(
            f"bugs      {number(beside.bugs, 'input')}, in {fuzzer.crashes}: run them on a build with sanitizers"
        )
    if beside.refusals:
        lines.append(f"left out  {number(beside.refusals, 'input')}: the entry takes no such one within its bounds")
    if beside.too_long:
        lines.append(f"left out  {number(beside.too_long, 'input')} of more than {MOST_BYTES:,} bytes")
    return tuple(lines)


def _print(lines: Sequence[str], *, quiet: bool) -> None:
    if not quiet:
        print(*lines, sep="\n")
