"""Two runs are told apart by their effects exactly where the whole decoded run tells them apart."""

from __future__ import annotations

import contextlib
import random
from collections import defaultdict
from itertools import combinations
from pathlib import Path

from veer.execution.decode import decode
from veer.execution.effects import effects
from veer.execution.executor import PersistentExecutor
from veer.execution.limits import ExecutorLimits
from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.search.settings import configure
from veer.toolchain import compiler
from veer.wire.shared import Shared

SOURCE = """
#include <stdlib.h>
struct node { unsigned char key; struct node *next; };
struct pair { char first; int second; };
static int count, last[3];
struct pair step(struct node *n, unsigned char how) {
    struct pair made = {0, 0};
    if (how % 8 == 0) exit(how >> 4);
    if (how % 8 == 1) count = how >> 5;
    if (how % 8 == 2) last[how >> 6 & 1] = n != 0;
    if (how % 8 == 3 && n) n->key = how >> 5;
    if (how % 8 == 4 && n && n->next) n->next->key++;
    if (how % 8 == 5) made.first = 'a';
    made.second = how % 8 == 6 ? how >> 6 : 1;
    return made;
}
"""
RUNS = 120


def test_effects_part_runs_as_decoding_does(tmp_path: Path) -> None:
    source = tmp_path / "step.c"
    source.write_text(SOURCE)
    build = BuildOptions((source,), "step")
    program = front_end.build(build, compiler.find())
    drawn = random.Random(7)
    by_effects: dict[object, set[object]] = defaultdict(set)
    whole: list[object] = []
    with Shared() as shared:
        configure(shared, program, build, SearchOptions())
        with contextlib.closing(PersistentExecutor(program.executable, shared, ExecutorLimits())) as executor:
            for _ in range(RUNS):
                words = [drawn.randrange(2), drawn.getrandbits(64), *(drawn.randrange(2) for _ in range(4))]
                data = b"".join(word.to_bytes(8, "little") for word in drawn.sample(words[:2], 2) + words[2:])
                assert executor.probe(data)
                run = decode(shared, program, data)
                changed = [
                    (each.number, each.name, place, byte)
                    for each in run.outputs
                    for place, (byte, before) in enumerate(zip(each.after, each.before, strict=True))
                    if byte != before
                ]
                seen = run.outcome, run.exit_code, run.returned_object or run.returned, tuple(changed)
                by_effects[effects(shared, program, data)].add(seen)
                whole.append(seen)
    assert all(len(each) == 1 for each in by_effects.values())
    assert all(not one & other for one, other in combinations(by_effects.values(), 2))
    assert len(by_effects) > 12 and len(by_effects) < len(whole)
    assert any(changed for _, _, _, changed in whole) and any(code for _, code, _, _ in whole)
