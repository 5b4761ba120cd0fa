"""What a probe shows is read from the input as the run had it, with its lengths within their bounds."""

from __future__ import annotations

import contextlib
from pathlib import Path

from veer.execution.executor import PersistentExecutor
from veer.execution.inputs import COUNT_OFFSET
from veer.execution.limits import ExecutorLimits
from veer.findings.deadline import NEVER
from veer.findings.probes import Probes, last_input
from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.search.settings import configure
from veer.toolchain import compiler
from veer.wire.layout import LeafKind
from veer.wire.shared import Shared

SOURCE = "int f(int *p) { if (!p) return 0; p[0]++; return p[0] == 7; }"
MADE, BEYOND = (1).to_bytes(8, "little"), b"\xff" * 4


def test_a_length_beyond_its_bound_is_shown_as_the_run_had_it(tmp_path: Path) -> None:
    """A length of 4,294,967,295: its object was decoded with as many elements, until no memory was left."""
    source = tmp_path / "f.c"
    source.write_text(SOURCE)
    build = BuildOptions((source,), "f", max_array=4)
    program = front_end.build(build, compiler.find())
    with Shared() as shared:
        configure(shared, program, build, SearchOptions())
        with contextlib.closing(PersistentExecutor(program.executable, shared, ExecutorLimits())) as executor:
            probes = Probes(shared, executor, program, set())
            probes.allow(10, NEVER)
            assert probes.path_of(MADE) is not None
            shown, held = probes.shown(), last_input(shared)
            lengths = [each for each in shared.published("leaves").tolist() if each[1] == COUNT_OFFSET]
            assert [(each[3], LeafKind(each[4])) for each in lengths] == [(32, LeafKind.UNSIGNED)]
            at = lengths[0][2]
            assert probes.path_of(held[:at] + BEYOND + held[at + 4 :]) is not None
            assert last_input(shared)[at : at + 4] == (4).to_bytes(4, "little")
            assert probes.shown() == shown
