"""veer on code that people use, fetched when it runs: python bench/real_code.py [--seconds 60] [NAME[=SIZE]...].

The sources come as Debian source packages (apt-get source) into --work, never into the repository; the harnesses are
ours (subjects/*_harness.c): each gives a parser, or zlib's inflate, at most 8 symbolic bytes, or as many as NAME=SIZE
says. Programs of ours are `expression`, an evaluator of expressions over doubles, and `sip`, a parser of messages like
SIP's. `run`, `ladder` and `smt` are shares of the search's time (measuring.py); `concretised` and `fixed` (to one value
after the other) are shares of the operations on symbolic data.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from common import SUBJECTS, Printer, ledger_text
from measuring import measure

from veer.model.errors import VeerError
from veer.model.options import BuildOptions, SearchOptions
from veer.model.values import replace

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


_YAJL = tuple(f"src/{name}.c" for name in ("yajl", "yajl_alloc", "yajl_buf", "yajl_encode", "yajl_lex", "yajl_parser"))
_INFLATE = ("inflate.c", "inftrees.c", "inffast.c", "zutil.c", "adler32.c", "crc32.c")
SUBJECTS_BY_NAME = {
    "cjson": Subject("cjson", ("cJSON.c",)),
    "http_parser": Subject("http-parser", ("http_parser.c",)),
    "zlib": Subject("zlib", _INFLATE),
    "inih": Subject("libinih", ("ini.c",)),
    "expression": Subject(),
    "sip": Subject(file=SUBJECTS.parent / "smart" / "sip.c", entry="packet"),
    "yajl": Subject("yajl", _YAJL, include=("src", "include"), headers=("include/yajl", "src/api")),
}


ROWS = ("cjson=10", "cjson=100", "inih=12", "sip=12", "http_parser", "zlib", "yajl", "expression")
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
    """The unpacked source package; raises CalledProcessError when apt cannot get it."""
    home = work / subject.package
    if not home.exists():
        options = apt_directories(work)
        if not any((work / "apt" / "lists").glob("*Sources*")):
            subprocess.run(["apt-get", *options, "update"], check=True, capture_output=True, timeout=300)
        home.mkdir(parents=True)
        command = ["apt-get", *options, "source", "--download-only", subject.package]
        try:
            subprocess.run(command, check=True, capture_output=True, cwd=home, timeout=300)
            for archive in home.glob("*.orig.tar.*"):
                if archive.suffix != ".asc":
                    subprocess.run(["tar", "xf", archive.name], check=True, cwd=home, timeout=60)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            for leftover in home.iterdir():
                if leftover.is_file():
                    leftover.unlink()
            home.rmdir()
            raise
    source = next(path for path in home.iterdir() if path.is_dir())
    if subject.headers and not (link := source / subject.headers[0]).exists():
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(source / subject.headers[1])
    return source


def options(name: str, subject: Subject, work: Path) -> BuildOptions:
    """How the harness and the parser are built together; fetches what is not ours."""
    if not subject.package:
        return BuildOptions(sources=(subject.file or SUBJECTS / f"{name}.c",), entry=subject.entry)
    source = fetch(subject, work)
    files = tuple(source / file for file in subject.files)
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


def main() -> None:
    """Fetches, runs, prints the table line by line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(ROWS), metavar="NAME[=SIZE]")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--work", type=Path, default=WORK)
    parser.add_argument("--strategy", default="rarest")
    given = parser.parse_args()
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
