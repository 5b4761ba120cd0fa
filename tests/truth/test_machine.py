"""What a unit asks of the machine: tests neither see nor change the machine's files, and a claim names the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled
from veer_side import explore

from veer.model.ending import Claim
from veer.model.options import BuildOptions, SearchOptions
from veer.model.result import Result

HEADERS = """
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <math.h>
#include <netdb.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>
#include <wordexp.h>
"""
CHANGES = {
    "mkdir": 'mkdir("PLACE/made", 0700)',
    "rmdir": 'rmdir("PLACE/folder")',
    "symlink": 'symlink("PLACE", "PLACE/made")',
    "link": 'link("PLACE/file", "PLACE/made")',
    "mkdtemp": "mkdtemp(name) != NULL",
    "mkostemp": "mkostemp(name, 0)",
    "system": 'system("touch PLACE/made")',
    "syscall": 'syscall(SYS_mkdir, "PLACE/made", 0700)',
}
SIGHTS = {
    "opendir": 'opendir("PLACE") != NULL',
    "scandir": 'scandir("PLACE", &entries, NULL, NULL)',
    "glob": 'glob("PLACE/*", 0, NULL, &found)',
    "nftw": 'nftw("PLACE", visit, 3, 0)',
    "realpath": 'realpath("PLACE/folder/..", NULL) != NULL',
    "readlink": 'readlink("/proc/self/exe", name, 10)',
    "statvfs": 'statvfs("PLACE", &system_of_files)',
    "wordexp": 'wordexp("PLACE/*", &words, 0)',
}
PASSING = {
    "getpid": "getpid() > 1",
    "getpwuid": "getpwuid(0) != NULL",
    "gethostbyname": 'gethostbyname("localhost") != NULL',
    "localtime": "localtime(&(time_t){0})->tm_hour",
    "getpagesize": "getpagesize() == 4096",
    "getrandom": "getrandom(name, 1, 0) == 1",
}
UNSEEN = {"dlopen": 'dlopen("libm.so.6", RTLD_NOW) != NULL', "dladdr": "dladdr(name, &about)"}
HARMLESS = {
    "sqrt": "(int)sqrt(4.0)",
    "rand": "rand() > 0",
    "wcslen": 'wcslen(L"abc") == 3',
    "fnmatch": 'fnmatch("a*", "ab", 0) == 0',
    "strerror": "strerror(2) != NULL",
}


KEPT = (
    *("mkdir", "link", "mkdtemp", "system", "syscall"),
    *("opendir", "nftw", "readlink", "wordexp"),
    *("getpid", "gethostbyname", "getrandom"),
    *("sqrt", "fnmatch", "strerror"),
)
"""Some of each kind."""


def searched(directory: Path, expression: str) -> Result:
    """Two paths, one of which makes the call."""
    (directory / "place" / "folder").mkdir(parents=True)
    (directory / "place" / "file").write_text("x")
    body = f"""
        static int visit(const char *path, const struct stat *status, int flag, struct FTW *place) {{ return 0; }}
        int f(int x) {{
            char name[] = "PLACE/nameXXXXXX";
            struct dirent **entries; glob_t found; struct statvfs system_of_files; wordexp_t words; Dl_info about;
            (void)name, (void)entries, (void)found, (void)system_of_files, (void)words, (void)about, (void)visit;
            if (x != 3) return 5;
            return {expression} ? 1 : 0;
        }}
        """
    source = directory / "unit.c"
    source.write_text(HEADERS + body.replace("PLACE", str(directory / "place")))
    return explore(BuildOptions((source,), "f"), SearchOptions(budget=20.0), directory / "out")


def listed(place: Path) -> set[tuple[str, int, int]]:
    """What is there: names, modes, seconds of the last change."""
    return {(str(each), each.lstat().st_mode, int(each.lstat().st_mtime)) for each in place.rglob("*")}


@pytest.mark.parametrize("name", sampled([*CHANGES, *SIGHTS], lambda name: name in KEPT))
def test_what_sees_or_changes_the_machines_files_is_neither_followed_nor_done(tmp_path: Path, name: str) -> None:
    result = searched(tmp_path, {**CHANGES, **SIGHTS}[name])
    there = {(Path(path).name, mode & 0o7777) for path, mode, _ in listed(tmp_path / "place")}
    assert {each for each, _ in there} == {"folder", "file"}, "neither the search nor a replay makes the call"
    assert ("file", 0) not in there
    assert min(seconds for _, _, seconds in listed(tmp_path / "place")) > 1
    assert result.ending.claim is Claim.NONE
    assert any(entry.kind == "refused" and entry.detail.endswith(f": {name}") for entry in result.ledger)
    assert [test.returned for test in result.tests] == [(5).to_bytes(4, "little")], "the other path has its test"
    branches = {(branch.side, str(branch.state)) for branch in result.branches if branch.text == "x != 3"}
    assert branches == {("true", "covered"), ("false", "covered")}, "what the run covered before counts"


@pytest.mark.parametrize("name", sampled(PASSING, lambda name: name in KEPT))
def test_a_claim_names_whoever_asks_the_machine(tmp_path: Path, name: str) -> None:
    result = searched(tmp_path, PASSING[name])
    assert result.ending.claim is Claim.PATHS
    assert f"the environment as it was ({name})" in result.ending.within


@pytest.mark.parametrize("name", UNSEEN)
def test_a_claim_names_functions_of_which_nothing_is_known(tmp_path: Path, name: str) -> None:
    result = searched(tmp_path, UNSEEN[name])
    assert result.ending.claim is Claim.PATHS
    assert f"uninstrumented functions as they ran ({name})" in result.ending.within


@pytest.mark.parametrize("name", sampled(HARMLESS, lambda name: name in KEPT))
def test_a_function_that_asks_for_nothing_is_no_bound(tmp_path: Path, name: str) -> None:
    result = searched(tmp_path, HARMLESS[name])
    assert result.ending.claim is Claim.PATHS
    assert result.ending.within == ()
