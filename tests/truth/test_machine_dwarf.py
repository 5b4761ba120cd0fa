"""Functions whose debug info says what they take: structs, chains of them, buffers with a length."""

from __future__ import annotations

from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled
from test_machine_library import FLAGS, TARGETS, zig

from veer.campaign import run as campaign
from veer.frontends.machine.dwarf import prototype_of
from veer.frontends.machine.linked import load
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UnsupportedInputError
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.toolchain import compiler

pytestmark = NEEDS_MACHINE
UNIT = """\
struct options { unsigned a : 3, b : 5; short level; };
struct node { int v; struct node *next; char name[4]; struct options o; double unused; };
/* Each path has a result of its own; null ends the chain. */
int depth(const struct node *n) {
    int d = 0;
    while (n) {
        d++;
        if (n->v == 77 && n->o.b == 9) return -d;
        if (n->name[1] == 'q') return 200 + d;
        if (d > 3) return 100;
        n = n->next;
    }
    return d;
}
/* A null pointer is followed where it is not looked at. */
int bump(struct node *n, int v) {
    if (n && n->v == v) return 1;
    n->v++;
    return 2;
}
int many(const short *p, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) if (p[i] > 100) sum++;
    return sum;
}
struct pair { char a, b[3]; int c; };
int flat(struct pair *p) {
    if (p->a == 3 && p->b[2] == 4 && p->c == -5) return 1;
    return 0;
}
"""
SIXTY_FOUR = ("x86-64", "aarch64", "riscv64")


def built(name: str, level: str, folder: Path) -> Path:
    source, output = folder / "unit.c", folder / "unit.o"
    source.write_text(UNIT)
    zig("-target", TARGETS[name], *FLAGS, level, "-g", "-c", source, "-o", output)
    return output


def explored(path: Path, entry: str, *not_null: str, depth: int = 3) -> Result:
    build = BuildOptions((path,), entry, not_null=not_null, graph_depth=depth)
    return campaign.run(build, SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True))


def results(result: Result) -> set[int]:
    assert {test.replayed for test in result.tests} == {"same"}
    return {int.from_bytes(test.returned, "little", signed=True) for test in result.tests if test.returned}


@pytest.mark.parametrize("name", sampled(SIXTY_FOUR, lambda name: name == "x86-64"))
def test_chains_of_structs_are_made_as_the_debug_info_lays_them_out(name: str, tmp_path: Path) -> None:
    result = explored(built(name, "-O1", tmp_path), "depth", depth=5)
    assert result.ending.claim == "paths", result.ending
    assert results(result) == {0, 1, 2, 3, 100, *range(-4, 0), *range(201, 205)}


def test_a_chain_that_ends_too_early_is_told_as_a_bound(tmp_path: Path) -> None:
    result = explored(built("x86-64", "-O1", tmp_path), "depth", depth=2)
    assert 203 not in results(result)
    assert "graph-depth 2" in result.ending.within, result.ending


def test_an_access_at_null_is_no_code_that_never_runs(tmp_path: Path) -> None:
    result = explored(built("x86-64", "-O2", tmp_path), "bump")
    assert [bug.outcome for bug in result.bugs] == [Outcome.SEGFAULT_NULL]
    assert results(result) == {1, 2}


@pytest.mark.parametrize("name", sampled(("arm", "riscv32"), lambda name: name == "arm"))
def test_machines_of_32_bits_have_structs_of_numbers(name: str, tmp_path: Path) -> None:
    path = built(name, "-O0", tmp_path)
    assert results(explored(path, "flat", "p")) == {0, 1}
    image = load(path, compiler.find())
    code = image.named("depth")
    assert code is not None
    with pytest.raises(UnsupportedInputError, match=r"n.next leads to a pointer"):
        prototype_of(image, code, BuildOptions((path,), "depth"))


def test_a_length_counts_what_lies_before_it(tmp_path: Path) -> None:
    path = built("x86-64", "-O1", tmp_path)
    image = load(path, compiler.find())
    code = image.named("many")
    assert code is not None
    found = prototype_of(image, code, BuildOptions((path,), "many"))
    assert found is not None
    assert [(each.name, found.types[each.type].length) for each in found.parameters] == [("p", "n"), ("n", "")]


def test_a_union_with_a_pointer_is_refused_in_words(tmp_path: Path) -> None:
    source, path = tmp_path / "unit.c", tmp_path / "unit.o"
    source.write_text("struct s { int kind; union { int *p; long n; }; };\nint f(struct s *s) { return s->kind; }\n")
    zig("-target", TARGETS["x86-64"], "-g", "-c", source, "-o", path)
    image = load(path, compiler.find())
    code = image.named("f")
    assert code is not None
    with pytest.raises(UnsupportedInputError, match=r"^s has a union with a pointer: not supported yet$"):
        prototype_of(image, code, BuildOptions((path,), "f"))
