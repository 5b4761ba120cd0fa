"""Summaries on disk (compositional/stored.py): what one campaign found another one need not run, and sees it still.

VEER_LONG=1 takes more random programs.
"""

from __future__ import annotations

from pathlib import Path

import called_program
import pytest
from compositional_side import Found, search
from sampling import first
from test_compositional import check_equal

from veer.toolchain.cache import Cache

LIBRARY = """
#include <stdlib.h>
struct point { int x, y; };
static int total;
static const char names[] = "none";
int classify(int x, int y) {
  int r = 0;
  if (x > 0) r |= 1;
  if (y > 10) r |= 2;
  if (x + y == 100) r |= 4;
  if (x == 77) r |= 8;
  if (y == -5) abort();
  return r;
}
static int inside(const struct point *p) {
  if (p->x < 0 || p->x > WIDTH) return 0;
  if (p->y < 0 || p->y > 480) return 0;
  total++;
  return 1;
}
static int both(int x, int y) {
  struct point p = {x, y};
  if (inside(&p)) return classify(x, y) + 100;
  return names[0] == 'n' ? 0 : 1;
}
int first(int a, int b) { if (classify(a, b) == 7) return 1; return 0; }
int second(int a) { if (classify(a, 2 * a) == 3) return 1; return 2; }
int third(int a, int b) { if (both(a, b) == 103) return 1; return 2; }
int fourth(int a, int b) { if (both(b, a) == 107) return 1; return 2; }
"""


@pytest.fixture(name="library", scope="module")
def _library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stored") / "library.c"
    path.write_text(LIBRARY)
    return path


def kept(source: Path, entry: str, cache: Cache, width: int = 640) -> Found:
    """With summaries in the cache, those of before and new ones."""
    return search(source, entry, compositional=True, cache=cache, define=(f"WIDTH={width}",))


def from_disk(found: Found) -> set[str]:
    assert found.summaries is not None
    return {each.name for each in found.summaries.functions if each.from_disk}


def test_entries_share_what_they_call(library: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    begun = kept(library, "third", cache)
    assert from_disk(begun) == set()
    plain = search(library, "fourth", compositional=False, define=("WIDTH=640",))
    alone = search(library, "fourth", compositional=True, define=("WIDTH=640",))
    found = kept(library, "fourth", cache)
    check_equal(plain, found)
    assert from_disk(found) == {"inside", "both", "classify"}
    assert found.runs < alone.runs
    # Another text of one function: what calls it is another one, too; what does not is as it was.
    alone = search(library, "fourth", compositional=True, define=("WIDTH=99",))
    found = kept(library, "fourth", cache, 99)
    check_equal(alone, found)
    assert from_disk(found) == {"classify"}


def test_a_damaged_file_is_none(library: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    kept(library, "first", cache)
    (file,) = (cache.root / "summary").rglob("*.json")
    content = file.read_bytes()
    for damaged in (b"", content[: len(content) // 2], content.replace(b"[", b"(", 1), content[:-9] + content[-8:]):
        file.write_bytes(damaged)
        assert from_disk(kept(library, "second", cache)) == set()
        kept(library, "first", cache)
    assert from_disk(kept(library, "second", cache)) == {"classify"}, "it was written anew"


def test_a_wrong_summary_is_forgotten(library: Path, tmp_path: Path) -> None:
    """As if a function could change without its text: a run contradicts what was read."""
    cache = Cache(tmp_path / "cache")
    kept(library, "first", cache)
    (file,) = (cache.root / "summary").rglob("*.json")
    kept(library, "third", cache, 640)
    others = set((cache.root / "summary").rglob("*.json")) - {file}
    for other in others:
        for suffix in ("", ".sum"):
            source, target = (each.with_name(each.name + suffix) for each in (file, other))
            target.write_bytes(source.read_bytes())
    plain = search(library, "fourth", compositional=False, define=("WIDTH=640",))
    found = kept(library, "fourth", cache)
    check_equal(plain, found)
    assert from_disk(found) == set()


@pytest.mark.parametrize("seed", first(1, 100))
def test_random_programs_are_searched_alike_again(tmp_path: Path, seed: int) -> None:
    source = tmp_path / f"program{seed}.c"
    source.write_text(called_program.program(seed + 500))
    cache = Cache(tmp_path / "cache")
    plain = search(source, "top", compositional=False)
    begun = search(source, "top", compositional=True, cache=cache)
    again = search(source, "top", compositional=True, cache=cache)
    for found in (begun, again):
        if plain.ending.claim == "paths":
            check_equal(plain, found)
        else:
            assert found.ending.claim != "paths"
    assert again.runs <= begun.runs + 3, "goals may be met in another order"
