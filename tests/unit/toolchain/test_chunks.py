"""Which files of the runtime are compiled as one."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.toolchain.chunks import MOST_LINES, chunks, names
from veer.toolchain.runtime import RUNTIME

TEXT = """
#define SLOTS 4 /* static int quoted; */
enum kind { FIRST, SECOND = 2, THIRD };
struct place { int x; };
typedef struct place there;
static const char *const words[] = {"static int told;"};
static inline _Noreturn void give_up(const char *what) { int local = 1; }
static int count, kept = 3;
int shared(void) { return 0; }
"""


def test_names_are_those_of_the_file_alone() -> None:
    own = {"SLOTS", "FIRST", "SECOND", "THIRD", "kind", "place", "there", "words", "give_up"}
    assert own <= names(TEXT)
    assert not names(TEXT) & {"local", "what", "shared", "told", "quoted"}


@pytest.mark.parametrize("part", ["tracer", "engine", "replay", "launcher"])
def test_each_file_is_in_one_chunk_with_no_name_of_another(part: str) -> None:
    sources = sorted((RUNTIME / part).glob("*.c"))
    made = chunks(sources)
    assert sorted(path for chunk in made for path in chunk) == sources
    for chunk in made:
        own = [name for path in chunk for name in names(path.read_text())]
        assert len(own) == len(set(own))
        assert len(chunk) == 1 or sum(path.read_text().count("\n") for path in chunk) <= MOST_LINES


def test_a_file_with_the_name_of_another_is_apart_from_it(tmp_path: Path) -> None:
    texts = ("static int a;\n", "static int b;\n", "static int a(void);\n", "#define _GNU_SOURCE\n", "static int c;\n")
    files = [tmp_path / f"{number}.c" for number in range(len(texts))]
    for path, text in zip(files, texts, strict=True):
        path.write_text(text)
    assert chunks(files) == ((files[0], files[1], files[4]), (files[2],), (files[3],))
