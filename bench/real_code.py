"""veer on code that people use, fetched when it runs: python bench/real_code.py [--seconds 60] [NAME[=SIZE]...].

The sources come as Debian source packages (apt-get source) into --work, never into the repository; the harnesses are
ours (subjects/*_harness.c): each gives a parser, or zlib's inflate, at most 8 symbolic bytes, or as many as NAME=SIZE
says. Programs of ours are `expression`, an evaluator of expressions over doubles, and `sip`, a parser of messages like
SIP's. `run`, `ladder` and `smt` are shares of the search's time (measuring.py); `concretised` and `fixed` (to one value
after the other) are shares of the operations on symbolic data.

With --branches, other tools beside veer: the branches that gcov counts where all of a tool's inputs are run again, and
in brackets its runs (of veer: concolic, mutated).
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from common import SUBJECTS, Printer, ledger_text
from fuzzers import branches_by_gcov, fuzzers
from measuring import measure

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.errors import VeerError
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.suite.recorded_bytes import stream

WORK = Path("/tmp/veer-real-code")


@dataclass(frozen=True)
class Subject:
    """A parser: its Debian source package, the C files that it consists of, and how it wants to be compiled.

    Without a package it is a file of ours, subjects/NAME.c or `file`.
    """

    package: str = ""
    files: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    include: tuple[str, ...] = (".",)
    file: Path | None = None
    entry: str = "main"
    headers: tuple[str, str] | None = None  # (directory that an installation would have, where its files lie)
    own: tuple[str, ...] = ()  # units of ours beside the harness
    generated: tuple[str, ...] = ()  # headers that its configure would write; empty here


_YAJL = tuple(f"src/{name}.c" for name in ("yajl", "yajl_alloc", "yajl_buf", "yajl_encode", "yajl_lex", "yajl_parser"))
_YAML = tuple(f"src/{name}.c" for name in ("api", "parser", "reader", "scanner"))
_YAML_FLAGS = (
    "-DYAML_VERSION_MAJOR=0",
    "-DYAML_VERSION_MINOR=2",
    "-DYAML_VERSION_PATCH=5",
    '-DYAML_VERSION_STRING="0.2.5"',
)
_EXPAT = tuple(f"expat/lib/{name}.c" for name in ("xmlparse", "xmlrole", "xmltok"))
_EXPAT_FLAGS = ("-DXML_NS", "-DXML_DTD", "-DXML_CONTEXT_BYTES=1024", "-DBYTEORDER=1234", "-DXML_POOR_ENTROPY")
_INFLATE = ("inflate.c", "inftrees.c", "inffast.c", "zutil.c", "adler32.c", "crc32.c")
SUBJECTS_BY_NAME = {
    "cjson": Subject("cjson", ("cJSON.c",)),
    "http_parser": Subject("http-parser", ("http_parser.c",)),
    "zlib": Subject("zlib", _INFLATE),
    "inih": Subject("libinih", ("ini.c",)),
    "expression": Subject(),
    "sip": Subject(file=SUBJECTS.parent / "smart" / "sip.c", entry="packet"),
    "yajl": Subject("yajl", _YAJL, include=("src", "include"), headers=("include/yajl", "src/api")),
    "jsmn": Subject("jsmn", own=("jsmn_unit.c",)),
    "hiredis": Subject("hiredis", ("read.c", "sds.c", "alloc.c")),
    "libyaml": Subject("libyaml", _YAML, flags=_YAML_FLAGS, include=("include", "src")),
    "lz4": Subject("lz4", ("lib/lz4.c",), include=("lib",)),
    "libcsv": Subject("libcsv", ("libcsv.c",)),
    "expat": Subject(
        "expat", _EXPAT, flags=_EXPAT_FLAGS, include=("expat/lib",), generated=("expat/lib/expat_config.h",)
    ),
}


ROWS = ("cjson=10", "cjson=100", "inih=12", "sip=12", "http_parser", "zlib", "yajl", "expression")
BRANCH_ROWS = (
    *("cjson=64", "inih=32", "http_parser=64", "zlib=64", "yajl=32", "jsmn=32", "hiredis=32", "libyaml=32"),
    *("lz4=32", "libcsv=32", "expat=64"),
)
COLUMNS = (
    *(("code", 12), ("paths", 10), ("seconds", 7), ("paths/s", 8), ("run", 5), ("ladder", 6), ("smt", 5)),
    *(("diverged", 12), ("concretised", 11), ("fixed", 7), ("bugs", 8), ("branches", 8), ("ending", 9), ("ledger", 0)),
)


def apt_directories(work: Path) -> list[str]:
    """A private apt configuration: the machine's own sources, asked for source packages; nothing of it changes."""
    parts = work / "apt" / "sources.list.d"
    parts.mkdir(parents=True, exist_ok=True)
    (work / "apt" / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    for listed in (Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("debian*")):
        if listed.is_file():
            text = re.sub(r"^deb(?=\s)", "deb-src", listed.read_text(), flags=re.MULTILINE)
            (parts / listed.name).with_suffix(listed.suffix or ".list").write_text(
                text.replace("Types: deb\n", "Types: deb-src\n")
            )
    return [
        *("-o", "Dir::Etc::SourceList=/dev/null"),
        *("-o", f"Dir::Etc::SourceParts={parts}"),
        *("-o", f"Dir::State::Lists={work / 'apt' / 'lists'}"),
        *("-o", "APT::Sandbox::User=root"),
    ]


def fetch(subject: Subject, work: Path) -> Path:
    """The unpacked source package; raises CalledProcessError when apt cannot get it, VeerError when it holds none."""
    home = work / subject.package
    if not home.exists():
        options = apt_directories(work)
        if not any((work / "apt" / "lists").glob("*Sources*")):
            subprocess.run(["apt-get", *options, "update"], check=True, capture_output=True, timeout=300)
        home.mkdir(parents=True)
        command = ["apt-get", *options, "source", "--download-only", subject.package]
        try:
            subprocess.run(command, check=True, capture_output=True, cwd=home, timeout=300)
        except subprocess.CalledProcessError:
            if not list(home.glob("*.orig.tar.*")):  # without it the package's own changes are missing, no more
                shutil.rmtree(home)
                raise
        try:
            for archive in home.glob("*.orig.tar.*"):
                if archive.suffix != ".asc":
                    subprocess.run(["tar", "xf", archive.name], check=True, cwd=home, timeout=60)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            for leftover in home.iterdir():
                if leftover.is_file():
                    leftover.unlink()
            home.rmdir()
            raise
    source = next((path for path in home.iterdir() if path.is_dir()), None)
    if source is None:
        raise VeerError(f"{home} holds no sources: unpack {subject.package} there, or remove it and call again")
    if subject.headers and not (link := source / subject.headers[0]).exists():
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(source / subject.headers[1])
    for header in subject.generated:
        (source / header).touch()
    return source


def options(name: str, subject: Subject, work: Path) -> BuildOptions:
    """How the harness and the parser are built together; fetches what is not ours."""
    if not subject.package:
        return BuildOptions(sources=(subject.file or SUBJECTS / f"{name}.c",), entry=subject.entry)
    source = fetch(subject, work)
    files = (*(SUBJECTS / file for file in subject.own), *(source / file for file in subject.files))
    return BuildOptions(
        sources=(SUBJECTS / f"{name}_harness.c", *files),
        entry="main",
        include=tuple(str(source / directory) for directory in subject.include),
        cflags=subject.flags,
    )


def measured(name: str, build: BuildOptions, search: SearchOptions) -> list[object]:
    """One line of the table. Raises VeerError."""
    result, one = measure(build, search)
    covered = sum(branch.state == "covered" for branch in result.branches)
    bugs = ",".join(sorted({bug.outcome.key for bug in result.bugs})) or "-"
    operations = max(result.operations.total, 1)
    return [
        *(name, f"{one.paths:,}", f"{one.search:.1f}", f"{one.speed:,.0f}"),
        *(f"{100 * one.share('run'):.0f} %", f"{100 * one.share('ladder'):.0f} %", f"{100 * one.share('smt'):.0f} %"),
        f"{result.diverged} ({100 * result.diverged / max(result.runs, 1):.3f} %)",
        f"{100 * result.operations.concretised / operations:.2f} %",
        f"{100 * result.operations.pinned / operations:.2f} %",
        *(bugs, f"{covered}/{len(result.branches)}", result.ending.kind, ledger_text(result)),
    ]


def compared(name: str, size: int, build: BuildOptions, seconds: float) -> list[object]:
    """One line of the second table. Raises VeerError."""
    cells: list[object] = []
    for hybrid in (True, False):
        result = campaign.run(build, SearchOptions(budget=seconds, hybrid=hybrid))
        inputs = [stream(result.program, test.inputs) for test in result.tests]
        cells.append(f"{branches_by_gcov(build, inputs)[0]} ({result.runs:,}, {result.mutated_runs:,})")
    total = 0
    for fuzz in fuzzers().values():
        with tempfile.TemporaryDirectory(prefix="veer-fuzz-") as scratch:
            found = fuzz(build, seconds, size, Path(scratch))
        taken, total = branches_by_gcov(build, found.inputs)
        cells.append(f"{taken} ({found.runs:,})")
    return [f"{name} {size}", f"{seconds:.0f}", *cells, total or "-"]


def print_compared(names: Sequence[str], given: argparse.Namespace) -> None:
    """The second table: branches by gcov that all inputs of a tool take, after searches of the same time."""
    titles = ("veer", "no hybrid", *fuzzers())
    printer = Printer((("code", 14), ("seconds", 7), *((title, 26) for title in titles), ("of", 5)))
    for each in names:
        name, _, size = each.partition("=")
        try:
            build = options(name, SUBJECTS_BY_NAME[name], given.work)
            build = replace(build, cflags=(*build.cflags, f"-DSIZE={size}"))
            for seconds in given.times:
                printer.row(compared(name, int(size), build, seconds))
        except subprocess.CalledProcessError as error:
            lines = (error.stderr or b"").decode(errors="replace").strip().splitlines()
            print(f"{name}: {' '.join(lines[-1:])}", file=sys.stderr)
        except VeerError as error:
            print(f"{name}: {error}", file=sys.stderr)


def main() -> None:
    """Fetches, runs, prints the table line by line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(ROWS), metavar="NAME[=SIZE]")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--work", type=Path, default=WORK)
    parser.add_argument("--strategy", default="rarest")
    parser.add_argument("--branches", action="store_true", help="veer beside libFuzzer and AFL++, by gcov")
    parser.add_argument("--times", type=float, nargs="+", default=[10.0, 60.0], help="seconds of each search")
    given = parser.parse_args()
    if given.branches:
        print_compared(given.names if given.names != list(ROWS) else BRANCH_ROWS, given)
        return
    printer = Printer(COLUMNS)
    for each in given.names:
        name, _, size = each.partition("=")
        try:
            build = options(name, SUBJECTS_BY_NAME[name], given.work)
            build = replace(build, cflags=(*build.cflags, f"-DSIZE={size}")) if size else build
            search = SearchOptions(budget=given.seconds, strategy=given.strategy)
            printer.row(measured(f"{name} {size}".rstrip(), build, search))
        except subprocess.CalledProcessError as error:
            lines = (error.stderr or b"").decode().strip().splitlines()
            print(f"{name}: {' '.join(lines[-1:])}; unpack it as {given.work}/{name}/... yourself", file=sys.stderr)
        except VeerError as error:
            print(f"{name}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
