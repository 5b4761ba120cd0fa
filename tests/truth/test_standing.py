"""What is taken from a project's last run after a change: all that a run from nothing would find, and no more is tested
again than what the change may have changed.

Each case changes one thing of a project that was tested, tests it again where it was, and from nothing in another
directory. Which functions were tested again is known; the products are compared.
"""

from __future__ import annotations

import html
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from products import shown
from sampling import sampled

from veer.campaign import run as campaign
from veer.cli.app import main
from veer.model.buildoptions import BuildOptions
from veer.model.sequence import parse
from veer.toolchain.cache import digest_file

HEADER = """#ifndef RING_H
#define RING_H
#define LIMIT 8
enum kind { KIND_NONE, KIND_ODD, KIND_EVEN };
struct ring { int data[4]; unsigned head; };
struct pair { int low, high; };
int ring_put(struct ring *ring, int value);
#endif
"""
RING = """#include "ring.h"
#include <stddef.h>

static int level = 3;

static int step(int n) { return n > LIMIT ? 1 : 2; }

/* Wraps around. */
static unsigned wrap(unsigned n)
{
    return n % 4u;
}

int ring_put(struct ring *ring, int value)
{
    if (ring == NULL)
        return -1;
    ring->data[wrap(ring->head)] = value;
    return 0;
}

int above(int n)
{
    if (n > level)
        return 1;
    return 0;
}

enum kind kind_of(int n)
{
    if (n == 0)
        return KIND_NONE;
    return n % 2 ? KIND_ODD : KIND_EVEN;
}

int part_of(int whole, int parts)
{
    return whole / parts;
}
"""
TEXT = """#include "ring.h"

static int one(int n) { return n == 5; }
static int two(int n) { return n == 7; }
static int (*const table[])(int) = {one, two};

int by_table(unsigned i, int n)
{
    return i < 2 ? table[i](n) : -1;
}

int span(const struct pair *pair)
{
    if (pair == 0 || pair->low > pair->high)
        return -1;
    return pair->low == 4;
}

int limited(int n)
{
    return n > LIMIT ? LIMIT : n;
}

int scale(int percent)
{
    return percent > 50 ? 2 : 1;
}
"""
SETTINGS = """[function.scale]
range = { percent = "0..100" }
"""
EVERY = frozenset(
    ("step", "wrap", "ring_put", "above", "kind_of", "part_of", "one", "two", "by_table", "span", "limited", "scale")
)
OF_RING = frozenset(("step", "wrap", "ring_put", "above", "kind_of", "part_of"))
FORMATS = ("sarif", "junit", "lcov", "cobertura")


class Project:
    """A folder with sources; `tested` runs veer on it, and says what was tested."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._tested: list[str] = []
        plainly = campaign.run

        def noted(build: BuildOptions, *rest: Any, **more: Any) -> Any:
            if not build.sequence or not parse(build.sequence):
                self._tested.append(build.entry)
            return plainly(build, *rest, **more)

        monkeypatch.setattr(campaign, "run", noted)
        for name, text in (("ring.h", HEADER), ("ring.c", RING), ("text.c", TEXT), ("veer.toml", SETTINGS)):
            (folder / name).write_text(text)

    def change(self, name: str, before: str, after: str) -> None:
        file = self.folder / name
        assert before in file.read_text(), before
        file.write_text(file.read_text().replace(before, after, 1))

    def tested(self, out: str, *words: str) -> frozenset[str]:
        self._tested.clear()
        formats = [word for name in FORMATS for word in ("--format", name)]
        main(["test", "ring.c", "text.c", "--out", out, "--budget", "300s", "--quiet", *formats, *words])
        return frozenset(self._tested)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, tested once."""
    folder = tmp_path_factory.mktemp("before")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert Project(folder, patch).tested("product-a") == EVERY
    return folder


@pytest.fixture
def project(before: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    """That project as it was, at its place: other paths would be another program."""
    aside = before.with_name("aside")
    shutil.copytree(before, aside)
    monkeypatch.chdir(before)
    yield Project(before, monkeypatch)
    shutil.rmtree(before)
    aside.rename(before)


SHORT = frozenset(("body of a callee", "field", "contract", "lines alone", "function in a table", "bug"))
"""The cases of a short check."""
Change = Callable[[Project], object]
CASES: dict[str, tuple[Change, frozenset[str]]] = {
    "body of a function": (lambda p: p.change("ring.c", "n > level", "n >= level"), frozenset(("above",))),
    "body of a callee": (lambda p: p.change("ring.c", "n % 4u", "(n + 1u) % 4u"), frozenset(("wrap", "ring_put"))),
    "function in a table": (lambda p: p.change("text.c", "n == 7", "n == 9"), frozenset(("two", "by_table"))),
    "table": (lambda p: p.change("text.c", "{one, two}", "{two, one}"), frozenset(("by_table",))),
    "initial value": (lambda p: p.change("ring.c", "level = 3", "level = 4"), frozenset(("above",))),
    "field": (lambda p: p.change("ring.h", "int low, high", "int low, high; char tag"), frozenset(("span",))),
    "macro": (lambda p: p.change("ring.h", "LIMIT 8", "LIMIT 9"), frozenset(("step", "limited"))),
    "enumerator": (
        lambda p: p.change("ring.h", "KIND_ODD, KIND_EVEN", "KIND_EVEN, KIND_ODD"),
        frozenset(("kind_of",)),
    ),
    "contract": (lambda p: p.change("veer.toml", "0..100", "0..99"), frozenset(("scale",))),
    "option of a function": (
        lambda p: p.change("veer.toml", "[function.scale]", "[function.span]\nmax-length = 5\n[function.scale]"),
        frozenset(("span", "scale")),  # the contract of scale is said by another line
    ),
    "function more": (
        lambda p: p.change(
            "ring.c", "enum kind kind_of", "int more(int n)\n{\n    return n == 3;\n}\n\nenum kind kind_of"
        ),
        frozenset(("more", "part_of")),  # a function more may be what brings its bug about
    ),
    "lines": (
        lambda p: p.change("ring.c", "int above", "\n\n/* Whether it is above. */\nint above"),
        frozenset(("above",)),
    ),
    "lines alone": (lambda p: p.change("ring.c", "\nint above", "\n\n\nint above"), frozenset()),
    "comment of a header": (
        lambda p: p.change("ring.h", "#define LIMIT", "/* The most. */\n#define LIMIT"),
        frozenset(),
    ),
    "bug": (lambda p: p.change("ring.c", "whole / parts", "parts ? whole / parts : 0"), frozenset(("part_of",))),
}


def stands(file: str, tested: frozenset[str]) -> bool:
    """Whether a file says nothing of what was tested again: on a busy machine two campaigns do not make all tests as
    good. What stands must be what one of three runs from nothing finds, for the same reason."""
    folder, inner, _ = file.partition("/")
    return folder not in tested if inner else not tested


def rows(out: Path) -> list[tuple[str, str, object, str]]:
    """What the whole says of each function."""
    functions = json.loads((out / "summary.json").read_text())["functions"]
    return [(each["name"], each["place"], each["branches"], each["why_not"]) for each in functions]


@pytest.mark.parametrize("name", sampled(CASES, SHORT.__contains__))
def test_what_may_have_changed_is_tested_again_and_the_rest_stands(project: Project, name: str) -> None:
    change, expected = CASES[name]
    change(project)
    assert project.tested("product-a") == expected
    found = shown(project.folder / "product-a")
    differing = {file for file in found if stands(file, expected)}
    for truth_of in ("product-b", "product-c", "product-d"):
        project.tested(truth_of)
        truth = shown(project.folder / truth_of)
        assert rows(project.folder / "product-a") == rows(project.folder / truth_of)
        differing = {file for file in differing if found[file] != truth.get(file)}
        if not differing:
            break
    assert not differing
    assert project.tested("product-a") == frozenset()


def digests(result: Path) -> dict[str, str]:
    """The sources of the project that a result is of, with digests of what they held."""
    files: dict[str, str] = json.loads(result.read_text())["files"]
    return {name: content for name, content in files.items() if Path(name).name in ("ring.h", "ring.c", "text.c")}


def test_where_one_body_changed_the_others_suites_stay_as_they_lie(project: Project) -> None:
    """Two changes in turn, each of one body: what other functions' results quote, and what they are of, is today's."""
    folder = project.folder / "product-a" / "kind_of"
    suite, report = folder / "suite" / "test_kind_of.c", folder / "report.html"
    written = suite.stat().st_mtime_ns
    for before, after, tested in (("n > level", "n >= level", "above"), ("n % 4u", "(n + 1u) % 4u", "wrap")):
        project.change("ring.c", before, after)
        assert tested in project.tested("product-a")
        assert digests(folder / "result.json") == {
            str(project.folder / name): digest_file(project.folder / name) for name in ("ring.h", "ring.c", "text.c")
        }
        assert html.escape(after) in report.read_text()
    assert suite.stat().st_mtime_ns == written
    project.change("ring.c", "/* Wraps around. */\n", "/* Wraps around. */\n\n")
    project.tested("product-a")
    assert suite.stat().st_mtime_ns > written


def _is_a_flag(words: tuple[str, ...]) -> bool:
    return words[0] == "-D"


@pytest.mark.parametrize(
    "words", sampled([("-D", "LIMITED"), ("--max-length", "9"), ("--check", "undefined"), ("--seed", "3")], _is_a_flag)
)
def test_another_option_tests_all_again(project: Project, words: tuple[str, ...]) -> None:
    assert project.tested("product-a", *words) == EVERY


def test_a_folder_that_someone_changed_is_tested_again(project: Project) -> None:
    (project.folder / "product-a" / "span" / "suite" / "test_span.c").write_text("int main(void) { return 0; }\n")
    assert project.tested("product-a") == frozenset(("span",))
