"""A search that begins with inputs that exist: it gets where they lead, and claims what it claims without them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sampling import sampled

import veer
from veer.model.errors import UsageError

RUNS = 12
"""Too few to find the word letter by letter."""
WORD = b"a word that nobody guesses"
HEAD = """#include <stdio.h>
#include <string.h>
static int is_word(const char *p, const char *word, unsigned long n) {
    for (unsigned long k = 0; k < n; k++)
        if (p[k] != word[k]) return 0;
    return 1;
}
#define IS_WORD(p, n) is_word((const char *)(p), WORD, n)
"""
ENTRIES = {
    "buffer": "int f(const unsigned char *p, unsigned long n) { return n == 26 && IS_WORD(p, 26) ? 1 : 0; }",
    "text": "int f(const char *p) { return IS_WORD(p, 27) ? 1 : 0; }",
    "text and number": "int f(int k, const char *p) { return k == 0 && IS_WORD(p, 27) ? 1 : 0; }",
    "void": "int f(void *p, int size) { return size == 26 && IS_WORD(p, 26) ? 1 : 0; }",
    "input": """int main(void) {
    char b[40] = {0};
    if (fread(b, 1, 39, stdin) != 26) return 2;
    return IS_WORD(b, 27) ? 1 : 0;
}""",
    "letter by letter": """int main(void) {
    for (int k = 0; k < 26; k++)
        if (getchar() != WORD[k]) return 2;
    return getchar() == EOF ? 1 : 0;
}""",
    "klee": """#include <klee/klee.h>
int main(void) {
    char a[20], b[6];
    klee_make_symbolic(a, 20, "a");
    klee_make_symbolic(b, 6, "b");
    if (memcmp(a, WORD, 20)) return 2;
    return memcmp(b, WORD + 20, 6) == 0 ? 1 : 0;
}""",
}


def written(tmp_path: Path, text: str) -> tuple[Path, str]:
    source = tmp_path / "unit.c"
    source.write_text(f'{HEAD}static const char WORD[] = "{WORD.decode()}";\n{text}\n')
    return source, "main" if "int main" in text else "f"


def returned(result: veer.Result) -> set[int]:
    return {
        test.exit_code if test.exit_code is not None else int.from_bytes(test.returned or b"", "little")
        for test in result.tests
        if not test.outcome.is_bug
    }


@pytest.mark.parametrize("kind", sampled(ENTRIES, lambda kind: kind in ("buffer", "letter by letter", "klee")))
def test_an_input_that_exists_is_run_as_it_is(tmp_path: Path, kind: str) -> None:
    source, entry = written(tmp_path, ENTRIES[kind])
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "other").write_bytes(b"something else")
    (tmp_path / "seeds" / "word").write_bytes(WORD)
    given: dict[str, Any] = {"max_runs": RUNS, "hybrid": False, "grow": False, "no_check": "all"}
    assert 1 not in returned(veer.test(source, entry, **given)), "the runs alone do not find it"
    found = veer.test(source, entry, seeds=[str(tmp_path / "seeds")], **given)
    assert 1 in returned(found)
    assert all(test.replayed == "same" for test in found.tests)
    assert not any("changes nothing" in note for note in found.program.notes)


def test_what_does_not_fit_is_said(tmp_path: Path) -> None:
    source, entry = written(tmp_path, ENTRIES["text"])
    (tmp_path / "word").write_bytes(WORD)
    found = veer.test(source, entry, seeds=[str(tmp_path / "word")], max_length=8, max_runs=RUNS, grow=False)
    assert 1 not in returned(found)
    assert any(note.startswith("seeds: word did not fit") for note in found.program.notes)
    assert "seeds: 0 of 1 inputs were run first" in found.program.notes


def test_what_a_spent_search_says_does_not_depend_on_what_exists(tmp_path: Path) -> None:
    source, entry = written(
        tmp_path,
        "int f(const unsigned char *p, int n) { int s = 0; for (int k = 0; k < n; k++) { if (p[k] == 'x') s++;"
        " else if (p[k] > 200) return -k; } return s > 1 && n == 3; }",
    )
    (tmp_path / "some").write_bytes(b"xx\xff")
    given: dict[str, Any] = {"max_length": 3, "grow": False, "hybrid": False, "criterion": "path"}
    without = veer.test(source, entry, **given)
    found = veer.test(source, entry, seeds=str(tmp_path / "some"), **given)
    assert found.ending.claim == without.ending.claim == "paths"
    assert found.paths == without.paths
    assert [(each.line, each.side, each.state) for each in found.branches] == [
        (each.line, each.side, each.state) for each in without.branches
    ]
    assert sorted(map(str, returned(found))) == sorted(map(str, returned(without)))


def test_searches_that_begin_with_inputs_of_their_own_refuse_others(tmp_path: Path) -> None:
    source, entry = written(tmp_path, ENTRIES["text"])
    (tmp_path / "word").write_bytes(WORD)
    with pytest.raises(UsageError, match="--partitioned begins with inputs of its own: leave --seeds out"):
        veer.test(source, entry, seeds=str(tmp_path / "word"), partitioned=True)
