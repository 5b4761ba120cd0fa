"""Partitions, differences from the base, the flow map's merges: values made by hand."""

from __future__ import annotations

import numpy as np
import pytest
from output_samples import program

from veer.model.ending import EndingKind
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.ending import ending
from veer.search.node_counts import NodeCounts
from veer.search.partitioned.flowmap import FlowMap
from veer.search.partitioned.hubs import hubs
from veer.search.partitioned.partition import SHARED, Partition
from veer.wire.flows import Flows
from veer.wire.layout import FlowKind, Outcome, State
from veer.wire.shared import Shared


def test_leaves_are_blocks_of_their_own_until_they_are_merged() -> None:
    partition = Partition()
    partition.grow(5)
    assert partition.merge((3, 1))
    assert not partition.merge((1, 3))
    assert partition.merge((4, 3))
    assert partition.labels.tolist() == [0, 1, 2, 1, 1]
    assert partition.blocks() == ((0,), (1, 3, 4), (2,))


def test_a_shared_leaf_is_in_no_block_and_merges_nothing() -> None:
    partition = Partition()
    partition.grow(3)
    assert partition.share([1])
    assert not partition.share([1])
    assert not partition.merge((0, 1))
    assert partition.labels.tolist() == [0, SHARED, 2]
    assert partition.blocks() == ((0,), (2,))


def test_a_version_changes_with_every_merge() -> None:
    partition = Partition()
    partition.grow(2)
    before = partition.version
    partition.merge((0,))
    assert partition.version == before
    partition.merge((0, 1))
    assert partition.version != before


def test_the_flow_map_merges_what_its_sets_say() -> None:
    with Shared() as shared:
        shared.region("flow_members")[:7] = [0, 1, 2, 0, 1, 0, 2]
        sets = [(0, 0, 0, 0, 0, 0, 0, 0)]
        sets += [(leaf, 1, 0, 0, 0, int(FlowKind.INPUT), 0, 0) for leaf in range(3)]
        sets += [(3, 2, 1, 2, 9, int(FlowKind.TEST), 0, 0), (5, 2, 1, 3, 8, int(FlowKind.STORE), 0, 0)]
        shared.region("flow_sets")[: len(sets)] = np.array(sets, shared.region("flow_sets").dtype)
        known = shared.control(Flows)
        known.flow_set_count, known.flow_member_count, shared.counts.leaf_count = 5, 5, 3
        partition, flows = Partition(), FlowMap(shared)
        witness = flows.read(partition)[0]
        assert (witness.left, witness.right, witness.site, witness.kind) == ((0,), (1,), 9, FlowKind.TEST)
        assert partition.blocks() == ((0, 1), (2,))
        known.flow_set_count, known.flow_member_count = 6, 7
        assert [each.site for each in flows.read(partition)] == [8]
        assert partition.blocks() == ((0, 1, 2),)
        again = Partition()
        again.grow(3)
        again.share([0])  # what they have in common belongs to every block
        assert not FlowMap(shared).read(again)
        assert again.blocks() == ((1,), (2,))


def test_what_everything_depends_on_is_a_hub() -> None:
    sets = [(0, field) for field in range(1, 7)] + [(0, 1, 2)]
    assert hubs(range(7), sets) == (0,)


def test_a_guard_over_two_inputs_has_two_hubs() -> None:
    assert hubs(range(8), [(0, 1, field) for field in range(2, 8)] + [(2, 3)]) == (0, 1)


def test_a_sum_has_no_hubs() -> None:
    assert hubs(range(8), [tuple(range(end)) for end in range(2, 9)]) == ()
    assert hubs((3,), []) == ()


def test_a_null_that_a_contract_rules_out_takes_no_claim() -> None:
    counts = NodeCounts.empty(0)
    counts.states[[State.HELD, State.CUT]] = 1
    with Shared() as shared:
        shared.counts.runs = 1
        found = ending(EndingKind.EXHAUSTED, shared, program(), SearchOptions(), counts)
    assert (found.claim, found.lost_by) == ("locations", ())


@pytest.mark.parametrize(
    ("states", "outcomes", "claim"),
    [
        ([], [], "paths"),
        ([State.HELD], [], "locations"),
        ([State.HELD, State.PRUNED], [], "none"),  # what look-ahead leaves out may have shown a flow
        ([State.PRUNED], [], "criterion"),
        ([State.HELD, State.CUT], [], "none"),
        ([State.HELD], [Outcome.HANG], "none"),  # theorem 1 is about runs that end
        ([State.HELD, State.OPEN], [], "none"),
        ([State.HELD], [Outcome.ABORTED], "locations"),
    ],
)
def test_locations_are_claimed_when_no_run_says_otherwise(
    states: list[State], outcomes: list[Outcome], claim: str
) -> None:
    counts = replace(NodeCounts.empty(0), cut_branches=states.count(State.CUT))
    counts.states[states] = 1
    counts.outcomes[outcomes] = 1
    with Shared() as shared:
        shared.counts.runs = 1
        found = ending(EndingKind.EXHAUSTED, shared, program(), SearchOptions(look_ahead=True), counts)
    assert found.claim == claim
    assert bool(found.lost_by) == (claim in ("none", "criterion"))
