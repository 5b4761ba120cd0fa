"""`--search auto` against the plain search: what that reaches is reached, a trial's claim holds, runs are bounded.

VEER_LONG=1 takes 100 programs of each kind (VEER_SEED: from which one on).
"""

from __future__ import annotations

import os
from pathlib import Path

import called_program
import flow_program
import pytest
from auto_side import tried
from partition_side import Found, searched
from sampling import first

from veer.model.ending import Claim
from veer.search.auto import search as auto
from veer.search.auto.search import Pace

FIRST_SEED = int(os.environ.get("VEER_SEED", "0"))
SEEDS = [FIRST_SEED + each for each in first(3, 100)]
KINDS = {
    "zones": (flow_program.program, "f"),
    "chains": (flow_program.chains, "f"),
    "guarded": (flow_program.guarded, "f"),
    "calls": (called_program.program, "top"),
}
APART = """
#include <stdlib.h>
int kinds(const int v[9])
{
    for (int i = 0; i < 8; i++)
        if (v[i] == i + 1) continue;
    if (v[8] == 99) abort();
    return 0;
}
"""
LATE = Pace(builds_at=20_000.0, a_site=0.0, share=3.0)
CALLS = """
static int is_positive(int x)
{
    if (x > 0) return 1;
    return 0;
}
int all_positive(const int v[24])
{
    int sum = 0;
    for (int i = 0; i < 24; i++) sum += is_positive(v[i]);
    if (sum == 24) return 1;
    return 0;
}
"""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_programs_are_searched_alike(seed: int, kind: str, tmp_path: Path) -> None:
    compared(seed, kind, tmp_path)


def compared(seed: int, kind: str, scratch: Path) -> list[str]:
    """Compares the searches of one program; what there was to see: trials, claims. Raises AssertionError."""
    text, entry = KINDS[kind]
    source = scratch / "p.c"
    source.write_text(text(seed))
    plain = searched(source, entry, partitioned=False)
    found, turns = tried(source, entry)
    missing = plain.reached - found.reached
    assert not missing, f"not reached: {sorted(missing)}"
    check_claim(found, plain)
    most = 12 + plain.runs // 2
    few, fewer = tried(source, entry, max_runs=most)
    assert few.runs <= most, f"{few.runs} runs, of at most {most}"
    check_claim(few, plain)
    return [
        *(f"trials of {trial.name}" for each in (turns, fewer) for trial in each.trials or () if trial.spent),
        *(f"claims of {claimed.claim} by trials" for each in (turns, fewer) for claimed in each.claims),
        *(["claims of trials told"] if few.ending.claim is not Claim.NONE and few.runs < plain.runs else []),
    ]


def test_what_a_trial_claims_is_claimed_where_the_plain_search_is_not_done(tmp_path: Path) -> None:
    source = tmp_path / "apart.c"
    source.write_text(APART)
    plain = searched(source, "kinds", partitioned=False)
    assert plain.ending.claim is Claim.PATHS
    found, turns = tried(source, "kinds", max_runs=150)
    assert found.runs <= 150 < plain.runs
    assert [trial.name for trial in turns.trials or ()] == ["partitioned"]
    assert found.ending.claim is Claim.LOCATIONS
    assert "all checks but uninitialised" in found.ending.within
    assert found.reached == plain.reached
    assert found.partition is not None
    assert len(found.partition.blocks) == 9


def test_a_trials_claim_names_every_bound(tmp_path: Path) -> None:
    source = tmp_path / "apart.c"
    text = APART.replace("const int v[9]", "const int v[9], const struct node *n").replace(
        "return 0", "return n->value"
    )
    source.write_text("struct node { struct node *next; int value; };" + text)
    bound = "graph-depth 3"
    assert bound in tried(source, "kinds", max_runs=150)[0].ending.within, "the search by blocks left paths out"
    assert bound not in tried(source, "kinds")[0].ending.within, "no run came to it"


def test_a_plain_claim_stands_whatever_trials_claim(tmp_path: Path) -> None:
    source = tmp_path / "apart.c"
    source.write_text(APART)
    found, turns = tried(source, "kinds")
    assert [each.claim for each in turns.claims] == [Claim.LOCATIONS]
    assert found.ending.claim is Claim.PATHS
    assert found.partition is None


def test_the_same_command_makes_the_same_runs(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(flow_program.program(FIRST_SEED))
    one, other = (tried(source, "f", max_runs=400)[0] for _ in range(2))
    assert (one.runs, one.reached, one.inputs) == (other.runs, other.reached, other.inputs)


def check_claim(found: Found, plain: Found) -> None:
    """Whatever is claimed, all is there that the plain search, run to its end, reaches."""
    if found.ending.claim is not Claim.NONE and plain.ending.claim is Claim.PATHS:
        differs = found.reached ^ plain.reached
        assert not differs, f"claimed {found.ending.claim}, and differs: {sorted(differs)}"


def test_a_trial_that_claims_every_path_with_all_checks_is_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auto, "METHODS", auto.METHODS[1:])  # by blocks it would be searched first
    source = tmp_path / "calls.c"
    source.write_text(CALLS)
    found, turns = tried(source, "all_positive", without=("uninitialised",), max_runs=8_000, pace=LATE)
    assert [each.claim for each in turns.claims] == [Claim.PATHS]
    assert found.ending.claim is Claim.PATHS
    assert "all checks but uninitialised" not in found.ending.within
    assert found.runs < 8_000 < 2**24
    assert len({text for _, _, _, text, _ in found.reached}) == 3
    assert len([each for each in found.reached if each[4]]) == 3, "both sides of each condition"
