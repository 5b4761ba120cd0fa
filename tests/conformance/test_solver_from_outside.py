"""A solver of another package (brute_solver.py and its entry point) does a campaign's work, by its name alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from brute_solver import offered
from smt_dag import ArenaBuilder

import veer
from veer.model.errors import UsageError
from veer.smt.chain import chain
from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.protocol import Query, Sat, SmtOptions, Unsat
from veer.wire.layout import Op

SOURCE = """
int f(unsigned char a) {
    if (a * 7 + 3 == 101) return 1;
    if ((a ^ 0x33) == 0x5a && a > 3) return 2;
    if (a * a == 3) return 3;
    return 0;
}
"""


def test_a_campaign_with_it_covers_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(offered(tmp_path))
    source = tmp_path / "unit.c"
    source.write_text(SOURCE)
    result = veer.test(
        source, entry="f", solver="brute", without=("ladder",), criterion="path", out=tmp_path / "out", seed=1
    )
    assert result.ending.kind == "exhausted"
    answered = result.queries.answered_by
    assert answered["brute"] and not [name for name in answered if name.startswith("bitwuzla")]
    assert {int.from_bytes(test.returned or b"", "little") for test in result.tests} == {0, 1, 2}


def test_its_models_and_its_refutations_are_the_chains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(offered(tmp_path))
    builder = ArenaBuilder()
    x = builder.leaf(8)
    square = builder.binary(Op.MUL, x, x)
    solver = chain(builder.arena, ReferenceEvaluator(builder.arena), SmtOptions(solvers=("brute",)))
    assert solver.solve(Query(((builder.equals(square, 49), True),), b"\x00")) == Sat(b"\x07", "brute")
    assert solver.solve(Query(((builder.equals(square, 3), True),), b"\x00")) == Unsat("brute")


def test_without_its_package_the_name_is_unknown(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(SOURCE)
    with pytest.raises(UsageError, match=r"there is no solver `brute`; known are bitwuzla, cvc5, z3$"):
        veer.test(source, entry="f", solver="brute", out=tmp_path / "out")
