"""What is of one block: the engine's marks against a plain reading of paths and conditions, and FlowTest's figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from engine_fixtures import campaign, library_with
from test_engine_expand import LOOPED, NESTED, all_paths, expand_all, run, select

from veer.execution.engine import EngineLibrary
from veer.wire.blocks import Blocks
from veer.wire.layout import NONE, Command, Reply, State
from veer.wire.shared import Shared

LIST = 1 << 31
Campaign = tuple[EngineLibrary, Shared]
Labels = list[int]  # by leaf: its block, NONE = it is shared


@pytest.fixture(scope="module")
def library() -> Path:
    return library_with("programs.c")


@pytest.fixture
def started(library: Path, request: pytest.FixtureRequest) -> Iterator[Campaign]:
    """A campaign with blocks of one input each, whose base is the parameter's second part."""
    program, base = request.param
    select(library, program)
    with campaign(library) as (engine, shared):
        shared.region("held_input")[: len(base)] = list(base)
        shared.control(Blocks).holds_blocks = 1
        run(engine, shared, base)
        yield engine, shared


def changed(shared: Shared, path: int) -> set[int]:
    """The leaves of a path that are not what they are held at."""
    raw, held = shared.input_of(path), shared.region("held_input")
    return {place for place, value in enumerate(raw) if value != held[place]}  # each leaf is a byte


def noted(shared: Shared, table: str, value: int) -> set[int]:
    """A set of leaves as supports are written."""
    if value < LIST:
        return {value - 1} if value else set()
    words, place = shared.region(table), value - LIST
    return set(words[place + 1 : place + 1 + int(words[place])].tolist())


def may_be_negated(shared: Shared, labels: Labels, node: int) -> bool:
    """Whether the node's condition and its path are of one block."""
    literal = int(shared.tree("literal")[node])
    asked = noted(shared, "supports", int(shared.region("nodes")["support"][literal]))
    path = changed(shared, int(shared.tree("path")[node]))
    own = [{labels[leaf] for leaf in leaves} - {NONE} for leaves in (asked, path)]
    return max(map(len, own)) <= 1 and (not own[0] or not own[1] or own[0] == own[1])


def release(engine: EngineLibrary, shared: Shared, labels: Labels, leaves: list[int]) -> set[int]:
    """Tells the blocks, and that those of these leaves have changed; the nodes that are open from now on."""
    shared.region("leaf_blocks")[: len(labels)] = labels
    shared.region("ids")[: len(leaves)] = leaves
    shared.command.id_count = len(leaves)
    assert engine.command(Command.RELEASE) is Reply.DONE
    return set(shared.published("freed").tolist())


def held(shared: Shared) -> set[int]:
    return set(np.flatnonzero(shared.tree("state") == int(State.HELD)).tolist())


@pytest.mark.parametrize("started", [(NESTED, b"\x05\x05\x05"), (LOOPED, b"\x02\x01\x03\x00")], indirect=True)
def test_each_block_is_searched_for_itself(started: Campaign) -> None:
    engine, shared = started
    expand_all(engine, shared)
    labels = list(range(shared.count("leaves")))
    assert held(shared)
    assert not any(may_be_negated(shared, labels, node) for node in held(shared))
    for path in range(shared.count("paths")):
        assert noted(shared, "changed", int(shared.region("path_changed")[path])) == changed(shared, path)
        assert len(changed(shared, path)) <= 1


@pytest.mark.parametrize("started", [(NESTED, b"\x05\x05\x05"), (LOOPED, b"\x02\x01\x03\x00")], indirect=True)
@pytest.mark.parametrize("labels", [[0, 0, 2, 3], [0, 1, 0, 3], [0, 1, 1, 1], [NONE, 1, 2, 3], [NONE, 1, 2, 1]])
def test_a_merge_frees_just_what_it_allows(started: Campaign, labels: Labels) -> None:
    engine, shared = started
    expand_all(engine, shared)
    before = held(shared)
    labels = labels[: shared.count("leaves")]
    is_shared = NONE in labels
    expected = {node for node in before if may_be_negated(shared, labels, node)}
    touched = [leaf for leaf, label in enumerate(labels) if labels.count(label) > 1]
    assert release(engine, shared, labels, [] if is_shared else touched) == expected
    expand_all(engine, shared)
    assert not any(may_be_negated(shared, labels, node) for node in held(shared))


@pytest.mark.parametrize("started", [(NESTED, b"\x05\x05\x05"), (LOOPED, b"\x02\x01\x03\x00")], indirect=True)
def test_one_block_of_all_has_all_paths(started: Campaign, library: Path) -> None:
    engine, shared = started
    expand_all(engine, shared)
    while release(engine, shared, [0] * shared.count("leaves"), list(range(shared.count("leaves")))):
        expand_all(engine, shared)
    found = set(shared.published("paths")["hash"].tolist())
    assert not held(shared)
    engine.detach()
    program = NESTED if shared.count("leaves") == 3 else LOOPED
    assert found == all_paths(library, program)


def test_a_leaf_that_the_base_lacks_is_held_within_its_bounds(library: Path) -> None:
    with campaign(library) as (engine, shared):
        select(library, NESTED)
        engine.leaf(engine.object("other"), 0, 8, bounds=(3, 9))
        shared.control(Blocks).holds_blocks = 1
        run(engine, shared, b"\x03\x00\x00\x00")
        assert shared.region("held_input")[:4].tolist() == [3, 0, 0, 0]
        assert shared.region("path_changed")[0] == 0


@pytest.mark.parametrize(("value", "leaves"), [(0, set()), (3, set()), (4, {0}), (12, {0})])
def test_a_leaf_that_nobody_asked_for_is_what_its_bounds_make_of_its_bytes(
    library: Path, value: int, leaves: set[int]
) -> None:
    """A run that asks for it would get no 0, but 3, at which it is held: the path has changed nothing."""
    with campaign(library) as (engine, shared):
        select(library, NESTED)
        engine.leaf(engine.object("other"), 0, 8, bounds=(3, 9))
        shared.control(Blocks).holds_blocks = 1
        run(engine, shared, bytes((value, 0, 0, 0)))
        assert noted(shared, "changed", int(shared.region("path_changed")[0])) == leaves
