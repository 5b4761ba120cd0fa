"""`veer test --all`: every function, in turn or several at a time, under one budget, with one table and one summary."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from veer.campaign import firstbuild
from veer.campaign.contracts import named, of_function
from veer.campaign.forks import before_forks
from veer.campaign.languages import language_of
from veer.campaign.projects import project_root
from veer.campaign.standing import KeptRun, Standing, standing
from veer.cli.beginning import lines_of, quick_ones_first
from veer.cli.every import Every
from veer.cli.exit_codes import INTERRUPTED
from veer.cli.running import TestOne, tested_anew
from veer.cli.taking import Taking
from veer.cli.tally import Show, Tally
from veer.cli.tested import Task, Tested, is_whole
from veer.frontends.llvm import builderprocess
from veer.frontends.protocol import Entry, Keyed, Language
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.progress import Progress
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity
from veer.model.survey import Row
from veer.model.values import replace
from veer.search.cluster.workers import gathered
from veer.store import writer
from veer.toolchain import compiler


def test_all(
    options: Callable[[str], tuple[BuildOptions, SearchOptions]],
    out: Path,
    test_one: TestOne,
    *,
    fail_on: Severity,
    formats: Sequence[str] = (),
    show: Show = lambda _: None,
    last: KeptRun | None = None,
) -> Every:
    """Every function that the sources define, `search.jobs` at a time.

    `options`: those of a function, or with "" what holds for all. What is left of a function's share of the time goes
    to those after it. `show` is told how far it is. `formats`: of reports and suites that were asked for; `last`: what
    may stand of the last run.
    """
    build, search = options("")
    search = gathered(search)
    if last is not None or search.jobs > 1:
        builderprocess.start()  # it loads while sources are read here
    language = language_of(build.sources)
    with _read_ahead(last, build, language):
        entries = _entries(build, language)
    writer.prepare(out)
    start = time.monotonic()
    places = [f"{Path(each.file).name}:{each.line}" for each in entries]
    _require_parameters(build, entries)
    tasks = [
        _task(each, options(each.name), out, place, fail_on)
        for each, place in zip(entries, places, strict=True)
        if not each.why_not
    ]
    stands = _standing(last, tasks, (build, search)) if last is not None else Standing()
    standing_ones = [number for number, each in enumerate(tasks) if each.build.entry in stands.names]
    taking = Taking(stands, tasks, standing_ones, formats)
    tally = Tally(len(tasks), show, stood=len(standing_ones))
    if said := firstbuild.sentence(compiler.find(build.cc)):
        show(Progress("compile", 0.0, note=said))

    def tested(numbers: Sequence[int]) -> dict[int, Tested]:
        some = [tasks[number] for number in numbers]
        again = tested_anew(some, (build, search), test_one, tally, len(tasks))
        return dict(zip(numbers, again, strict=False))

    lines = lines_of([each for each in entries if not each.why_not])
    new = [number for number in range(len(tasks)) if number not in set(standing_ones)]
    found = _found(quick_ones_first(new, lines, search.jobs), standing_ones, taking, tested)
    stood = frozenset(tasks[number].build.entry for number in standing_ones if number in found)
    done = _done(entries, places, found)
    return Every(
        tuple(each.row for each in done),
        tuple(each.result for each in done if each.result is not None),
        out,
        tuple(formats),
        time.monotonic() - start,
        max((each.code for each in done), default=INTERRUPTED),
        tuple(each.files for each in done if each.result is not None),
        tuple((tasks[number].asked, each) for number, each in sorted(found.items()) if is_whole(each)),
        replace(stands, names=stood),
        language,
    )


def _found(
    new: Sequence[int],
    standing_ones: Sequence[int],
    taking: Taking,
    tested: Callable[[Sequence[int]], dict[int, Tested]],
) -> dict[int, Tested]:
    """What became of all tasks, by number: new ones are tested, what stands is taken, and tested where it cannot be."""
    found = tested(new) | taking.results()
    if INTERRUPTED not in {each.code for each in found.values()}:
        found |= tested([number for number in standing_ones if number not in found])
    return found


def _done(entries: Sequence[Entry], places: Sequence[str], found: Mapping[int, Tested]) -> list[Tested]:
    """What became of all, in their order. `found`: of those that can be tested, by their number among these; those that
    are not there were not begun."""
    numbers = iter(range(len(entries)))
    every = [
        Tested(Row(each.name, place, f"cannot be an entry: {_of_its_row(each.name, each.why_not)}"))
        if each.why_not
        else found.get(next(numbers)) or _not_begun(each.name, place)
        for each, place in zip(entries, places, strict=True)
    ]
    return [one for each in every for one in (each, each.also) if one is not None]


def _not_begun(name: str, place: str) -> Tested:
    return Tested(Row(name, place, "not begun when the run was stopped"), INTERRUPTED)


def _of_its_row(name: str, sentence: str) -> str:
    """The sentence, in a row that begins with the name."""
    return f"it{sentence.removeprefix(name)}" if sentence.startswith(f"{name} ") else sentence


def _require_parameters(build: BuildOptions, entries: Sequence[Entry]) -> None:
    """Raises UsageError for what is said of a parameter that no function has."""
    names = {each.name for entry in entries for each in entry.inputs}
    for terms in build.contracts:
        if not terms.function and named(terms) not in names:
            raise UsageError(f"{terms.place}: no function of the sources has a parameter {named(terms)!r}")


@contextlib.contextmanager
def _read_ahead(last: KeptRun | None, build: BuildOptions, language: Language) -> Iterator[None]:
    """Has the builder read the sources while they are listed here: it will be asked for keys of functions. What goes
    wrong is told by who asks."""
    beside = ThreadPoolExecutor(1)
    if last is not None and last.functions and isinstance(language, Keyed):
        beside.submit(language.keys, [replace(build, entry=next(iter(last.functions)), contracts=())])
    try:
        yield
    finally:
        beside.shutdown(wait=False)


def _standing(last: KeptRun, tasks: Sequence[Task], general: tuple[BuildOptions, SearchOptions]) -> Standing:
    """What stands of the last run; while that is asked, what forks will use is loaded. Of namesakes nothing stands."""
    names = Counter(each.build.entry for each in tasks)
    asked = [each.asked for each in tasks if names[each.build.entry] == 1]
    with ThreadPoolExecutor(1) as beside:
        answer = beside.submit(standing, last, asked, language_of(general[0].sources))
        before_forks(*general)
        return answer.result()


def _entries(build: BuildOptions, language: Language) -> Sequence[Entry]:
    """The functions that the sources define; where they define none, those of the project's headers that they include.

    Raises UsageError where there is none either.
    """
    of_functions = tuple(terms for terms in build.contracts if terms.function)
    sources, every = build.sources, language.entries(replace(build, contracts=of_functions))
    found = [each for each in every if Path(each.file) in sources]
    root = project_root(sources)
    found = found or [each for each in every if Path(each.file).is_relative_to(root)]
    if not found:
        named = ", ".join(map(str, sources))
        hint = "name the sources that do, or switch on what makes its header do so"
        raise UsageError(f"--all: {named} defines no function, nor does a header in {root} that it includes; {hint}")
    return found


def _task(entry: Entry, options: tuple[BuildOptions, SearchOptions], out: Path, place: str, fail_on: Severity) -> Task:
    """How one function is tested: of `--nonnull` and `--range` only those count that name a parameter of its own."""
    build, search = options
    contracts = of_function(build.contracts, entry.name, [each.name for each in entry.inputs])
    return Task(replace(build, entry=entry.name, contracts=contracts), search, out / entry.name, place, fail_on)
