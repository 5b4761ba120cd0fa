"""`veer compare`: the inputs on which two versions of a function differ."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from veer.campaign.compare import compare
from veer.campaign.comparisons import deliver_comparison
from veer.campaign.requests import build_options, search_options
from veer.campaign.settings import settings
from veer.campaign.sources import project
from veer.campaign.trees import Tree, flags_of, in_one_language, trees
from veer.cli.arguments import Given
from veer.cli.exit_codes import DIFFERENT, INTERRUPTED, NOTHING_FOUND
from veer.cli.test_command import of_a_campaign
from veer.model.comparison import Comparison
from veer.model.ending import EndingKind
from veer.model.errors import UsageError
from veer.model.values import replace
from veer.report.comparison import show
from veer.report.terminal import ProgressDisplay
from veer.store.held import held


def run(given: Given) -> int:
    """Does what the command line asks for; the exit code says whether the versions differ."""
    words = [str(each) for each in given.get("versions", ())]
    if len(words) < 2:
        raise UsageError("veer compare takes two versions, OLD and NEW: files, folders or git revisions")
    entry = _entry(given)
    old, new = trees(words[0], words[1], words[2:], entry)
    old, new, headers = in_one_language(old, new)
    known = settings(old.sources if old.root is None else ())
    asked = of_a_campaign(known.of(entry, {name: value for name, value in given.items() if name != "versions"}))
    include = (*(asked.pop("include", ()) or ()), *headers)
    flags = _known_flags(old, given)
    build = build_options(old.sources, entry, asked, (*flags_of(old, include, flags), *flags_of(new, include, flags)))
    build = replace(build, against=new.sources)
    out = given.get("out") or Path("veer-out") / f"compare-{entry}"
    quiet = bool(given.get("quiet"))
    with held(out):
        with ProgressDisplay(Console(stderr=True, emoji=False, highlight=False), quiet=quiet) as display:
            found = compare(build, search_options(asked), (old.name, new.name), display)
        files = deliver_comparison(found, out, new.sources)
    if not quiet:
        show(found, Console(emoji=False, highlight=False), files)
    return _exit_code(found)


def _entry(given: Given) -> str:
    names = given.get("entry", ())
    if len(names) != 1 or "," in names[0]:
        raise UsageError("which function? give one --entry NAME; both versions define it")
    return str(names[0])


def _known_flags(tree: Tree, given: Given) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if "compdb" not in given:
        return ()
    return project(None, given["compdb"], given["entry"])[1]


def _exit_code(found: Comparison) -> int:
    if found.ending.kind is EndingKind.STOPPED:
        return INTERRUPTED
    return DIFFERENT if found.differences else NOTHING_FOUND
