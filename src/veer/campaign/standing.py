"""Which functions' results of the last run of a project stand, function by function (decision 0483).

A function's results stand where its options are as they were, its folder holds what was written there, and the key of
each build that they rest on is what it was (frontends/protocol.py, `Keyed`). Then they are taken, at today's lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from veer.campaign import session
from veer.campaign.moved import Lines, UnknownLineError, moved, quoting
from veer.campaign.requirements import with_requirements
from veer.frontends.llvm.exchange import encode
from veer.frontends.protocol import Keyed, Language
from veer.model.buildoptions import BuildOptions
from veer.model.codekeys import CodeKey, CodeKeys, FunctionPlace
from veer.model.errors import VeerError
from veer.model.folders import digest_of_folder
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.store.whole import read_whole
from veer.toolchain.cache import digest, digest_file


class Asked(Struct, frozen=True):
    """What is asked of one function: how it is built and searched, and where its results lie."""

    build: BuildOptions
    search: SearchOptions
    out: Path


class KeptFunction(Struct, frozen=True):
    """What a function's results rest on. `asked`: a digest of its options; `keys`: of its own build and those `beside`
    it; `folders`: the names of those that hold its results, each with a digest; `is_judged`: it has bugs."""

    asked: str
    keys: tuple[CodeKey, ...]
    beside: tuple[BuildOptions, ...]
    folders: dict[str, str]
    is_judged: bool


class KeptRun(Struct, frozen=True):
    """What a run leaves for the next one: its functions by name, where those of the sources stood, and what the files
    held. `common`: a digest of what all functions have in common beside the code; `rest`: as in CodeKeys; `why_not`:
    why something is not left, "" where it is."""

    common: str = ""
    functions: dict[str, KeptFunction] = field(default_factory=dict)
    places: tuple[FunctionPlace, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    rest: dict[str, str] = field(default_factory=dict)
    why_not: str = ""

    def functions_of(self, file: str) -> tuple[FunctionPlace, ...]:
        """Where the functions of a file stood."""
        return tuple(each for each in self.places if each.file == file)


NOTHING_KEPT = KeptRun()


class Standing(Struct, frozen=True):
    """The functions whose results stand, and what the code is today; `last` is the run that they are of. `own`: the
    keys of all functions' own builds, by name."""

    names: frozenset[str] = frozenset()
    last: KeptRun = NOTHING_KEPT
    now: CodeKeys = CodeKeys((), (), {})
    own: dict[str, CodeKey] = field(default_factory=dict)

    def results(
        self, asked: Asked, write: Callable[[Result, Path], object], show: Callable[[Result, Path], object]
    ) -> tuple[Result, ...]:
        """The results of a function that stands, its own first; () where they say something of a line of which nobody
        knows where it is now. `write`: writes one whose lines may have moved; `show`: the reports of one that only
        quotes other lines."""
        kept, found = self.last.functions[asked.build.entry], []
        changed = {path for path, content in self.now.files.items() if self.last.files.get(path) != content}
        lines = Lines(self.last.places, self.now.functions, changed, self.now.files)
        for name in kept.folders:
            folder = asked.out.with_name(name)
            try:
                result = read_whole(folder)
                touched = changed & result.files.keys()
                if touched and all(self._is_still(file) for file in touched):
                    result = quoting(result, self.now.files)
                    show(result, folder)
                elif touched:
                    result = with_requirements(moved(result, lines, self.now.files))
                    write(result, folder)
            except (VeerError, UnknownLineError):
                return ()
            found.append(result)
        return tuple(found)

    def _is_still(self, file: str) -> bool:
        """Whether only bodies of functions changed in a file: no line moved, and what lies in no function is as it was.
        The functions of a result that stands are as they were, so that all it says is true as it is."""
        before, now = self.last.rest.get(file), self.now.rest.get(file)
        places = tuple(each for each in self.now.functions if each.file == file)
        return before is not None and before == now and places == self.last.functions_of(file)


def standing(last: KeptRun, every: Sequence[Asked], language: Language) -> Standing:
    """Those of these functions whose results stand. Raises ToolchainError."""
    candidates = {each.build.entry for each in every if _is_as_it_was(last.functions.get(each.build.entry), each)}
    if not candidates or not isinstance(language, Keyed):
        return Standing()
    builds = [
        _builds(last.functions[each.build.entry], each) if each.build.entry in candidates else (_own(each),)
        for each in every
    ]
    now = language.keys([each for of_one in builds for each in of_one])
    if now is None:
        return Standing()
    keys, names, own = iter(now.keys), set(), {}
    for each, of_one in zip(every, builds, strict=True):
        name, found = each.build.entry, [next(keys) for _ in of_one]
        if found[0] is not None:
            own[name] = found[0]
        if name in candidates and _stands(last.functions[name], found):
            names.add(name)
    return Standing(frozenset(names), last, now, own)


def _is_as_it_was(kept: KeptFunction | None, asked: Asked) -> bool:
    """Whether what is asked of a function is what was asked, and its folders hold what was written."""
    return (
        kept is not None
        and kept.asked == _digest(asked)
        and all(digest_of_folder(asked.out.with_name(name)) == content for name, content in kept.folders.items())
    )


def _stands(kept: KeptFunction, now: Sequence[CodeKey | None]) -> bool:
    return len(now) == len(kept.keys) and all(
        key is not None and key.code == before.code and (key.judged == before.judged or not kept.is_judged)
        for key, before in zip(now, kept.keys, strict=True)
    )


def _digest(asked: Asked) -> str:
    """Of the options but the contracts, which show in the keys; how many processes work changes no result."""
    build = replace(_own(asked), contracts=())
    return digest(encode(build), encode(replace(asked.search, jobs=1, cluster="", joins_late=False)))


def _own(asked: Asked) -> BuildOptions:
    return session.instrumented(asked.build, asked.search)


def _builds(kept: KeptFunction, asked: Asked) -> tuple[BuildOptions, ...]:
    """All that the results rest on, with the contracts of today."""
    own = _own(asked)
    contracts = tuple(replace(each, function=each.function or own.entry) for each in own.contracts)
    return (own, *(replace(each, contracts=contracts) for each in kept.beside))


def kept_run(
    common: str,
    every: Iterable[tuple[Asked, Sequence[Result]]],
    standing: Standing,
    language: Language,
) -> KeptRun:
    """What this run leaves. `every`: the functions that came to their end, each with its results, its own first.

    Nothing is left of a function one of whose files has changed during the run.
    """
    tested = list(every)
    if not isinstance(language, Keyed) or not tested:
        return NOTHING_KEPT
    functions: dict[str, KeptFunction] = {}
    unknown = []
    for asked, results in tested:
        name, before = asked.build.entry, standing.last.functions.get(asked.build.entry)
        if not _are_of(standing.now.files, results):
            unknown.append((asked, results))
        elif name in standing.names and before is not None:
            functions[name] = replace(before, folders=_folders(asked, results))
        elif name in standing.own and [_own(asked)] == [build for each in results for build in each.builds]:
            functions[name] = _kept(asked, results, (standing.own[name],))
        else:
            unknown.append((asked, results))
    now, why_not = standing.now, ""
    if unknown:
        builds = [build for _, results in unknown for each in results for build in each.builds]
        try:
            found = language.keys(builds)
        except VeerError as error:
            found, why_not = None, str(error)
        if found is None or (functions and found.files != now.files):
            return replace(_left(common, functions, now) if functions else NOTHING_KEPT, why_not=why_not)
        now, keys = found, iter(found.keys)
        for asked, results in unknown:
            own = [next(keys) for each in results for _ in each.builds]
            if None not in own and _are_of(now.files, results):
                functions[asked.build.entry] = _kept(asked, results, tuple(key for key in own if key is not None))
    return _left(common, functions, now)


def _left(common: str, functions: dict[str, KeptFunction], now: CodeKeys) -> KeptRun:
    return KeptRun(common, functions, now.functions, now.files, now.rest)


def _kept(asked: Asked, results: Sequence[Result], keys: tuple[CodeKey, ...]) -> KeptFunction:
    beside = [build for each in results for build in each.builds][1:]
    is_judged = any(each.bugs for each in results)
    return KeptFunction(_digest(asked), keys, tuple(beside), _folders(asked, results), is_judged)


def _are_of(files: Mapping[str, str], results: Sequence[Result]) -> bool:
    """Whether the results are of files with this content; those of veer's own, or of the system, may not be there."""
    read = {path: content for result in results for path, content in result.files.items()}
    return bool(files) and all(
        files[path] == content if path in files else digest_file(Path(path)) == content
        for path, content in read.items()
    )


def _folders(asked: Asked, results: Sequence[Result]) -> dict[str, str]:
    names = [asked.out.name, *(result.program.entry for result in results[1:])]
    return {name: digest_of_folder(asked.out.with_name(name)) for name in names}
