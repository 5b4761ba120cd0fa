"""The replayer against the suite that was written: two ways to run a test again, which share no code, agree on all.

And against lies: where a record says another value than the run returned, the replayer says so.
"""

from __future__ import annotations

from pathlib import Path

import brute_header
import pytest
from sampling import sampled
from veer_side import build_options, explore_all

from veer import plugins
from veer.frontends.c import build as front_end
from veer.frontends.c.language import LANGUAGE
from veer.frontends.protocol import Built, WrittenSuite
from veer.model.outcome import Outcome
from veer.model.replay import Agreement, Want
from veer.model.result import Result
from veer.model.result import Test as Recorded
from veer.model.values import replace
from veer.toolchain.compiler import find

PROGRAMS = sorted((Path(__file__).parent.parent / "programs").glob("*.c"))
SHOWN = ("alias_store", "bit_fields", "division", "exit_in_unit", "graph_callback", "string_overread", "stub_function")
SECONDS = 5.0


@pytest.mark.parametrize("program", sampled(PROGRAMS, lambda path: path.stem in SHOWN), ids=lambda path: path.stem)
def test_the_suite_and_the_replayer_agree(program: Path, tmp_path: Path) -> None:
    expectation = brute_header.read(program)
    result = explore_all(expectation)
    replayer = LANGUAGE.replayer(Built(result.program, build_options(expectation)), SECONDS)
    ours = replayer.replay(result.tests, want=Want.OUTCOME)
    theirs = LANGUAGE.suite_replayer(_written(result, tmp_path), SECONDS, tmp_path).replay(result.tests)
    for test, one, other in zip(result.tests, ours, theirs, strict=True):
        seen = (one.verdict.agreement, one.outcome, one.proof)
        assert (test.name, *seen) == (test.name, other.verdict.agreement, other.outcome, other.proof)
    lies = [_lie(test) for test in result.tests if test.outcome is Outcome.RETURNED and any(test.returned or b"")]
    said = [found.verdict.agreement for found in replayer.replay(lies, want=Want.OUTCOME)]
    assert said == [Agreement.DIFFERS] * len(lies)


def _written(result: Result, folder: Path) -> WrittenSuite:
    renderer = plugins.find("veer.renderers", "c")
    path = folder / renderer.file_name(result.program)
    path.write_text(renderer.render(result.program, result.tests, result.bugs))
    for name, data in renderer.beside(result.program).items():
        (folder / name).write_bytes(data)
    return WrittenSuite(path, renderer.commands(result.program))


def _lie(test: Recorded) -> Recorded:
    """The same test, which is said to have returned zeros."""
    return replace(test, returned=bytes(len(test.returned or b"")), returned_object=0)


def test_the_builds_are_those_of_the_program(tmp_path: Path) -> None:
    """Another text of the same function is another program, with builds of its own."""
    made = []
    for limit in (3, 4):
        (tmp_path / "unit.c").write_text(f"int f(int x) {{ return x > {limit}; }}\n")
        options = build_options(replace(brute_header.read(PROGRAMS[0]), path=tmp_path / "unit.c", entry="f"))
        toolchain = find(None)
        made.append(front_end.replay_builds(front_end.build(options, toolchain), options, toolchain))
    assert made[0].plain != made[1].plain
