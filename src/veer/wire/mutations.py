"""The mutation stage: concrete runs of changed inputs, between the concolic ones (docs/decisions/0470).

corpus    inputs whose runs showed something of their own; `corpus_inputs` has their bytes
seen      by edge, a bit for each range of counts (1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128-) that some run had
words     what the unit compares with, or holds as constant text: put into inputs as they are
"""

from __future__ import annotations

import numpy as np

from veer.wire.fields import Fields, Number, Region, Section

CORPUS_ENTRY = np.dtype(
    [
        ("input_offset", "u8"),  # into corpus_inputs
        ("input_length", "u4"),
        ("rarest", "u4"),  # the edge of its run that the fewest runs take
        ("picked", "u4"),  # how often it was changed
        ("steps", "u4"),  # calls and loop rounds of its run
    ]
)
WORD = np.dtype([("length", "u4"), ("is_text", "u4"), ("bytes", "u1", (24,))])


class Mutations(Fields):
    """What the stage has done, and how far it has read what the others found."""

    __slots__ = ()

    is_concrete = Number("u4")  # the run under way takes no input for symbolic
    lists_leaves = Number("u4")  # it lists the leaves that it asks for in `drawn`
    mutation_reads = Number("u4")  # of `interesting`
    mutation_nodes = Number("u4")  # expressions whose constants are among the words
    corpus_count = Number("u4")
    word_count = Number("u4")
    has_text_words = Number("u4")  # the unit's texts were taken
    text_count = Number("u4")  # of the words: the first ones are texts
    tried_count = Number("u4")  # ends of runs that were tried concolically, see `tried`
    corpus_bytes = Number("u8")
    mutated_runs = Number("u8")
    evaluated_nodes = Number("u8")  # expressions whose values were computed, in all runs
    # symbolic operations and evaluated nodes after which a run is given up; 0 = none. It leaves nothing then
    work_limit = Number("u8")
    is_given_up = Number("u4")  # the last run was
    mutated_steps = Number("u8")  # of all mutated runs
    mutation_random = Number("u8")  # state of the generator; 0 = not begun
    find_limit = Number("u8")  # of a concolic run of a changed input: symbolic operations and evaluated nodes
    run_limit = Number("u8")  # runs of the campaign after which nothing is run concolically any more; 0 = none
    turn_steps = Number("u8")  # of mutated runs after which a turn ends; 0 = none
    mutation_steps = Number("u8")  # that the run under way may take
    mutation_finds = Number("u8")  # mutated inputs that were run concolically


SECTION = Section(
    (Mutations,),
    {"veer_corpus_entry": CORPUS_ENTRY, "veer_word": WORD},
    (
        Region("mutation_seen", "u1", 1 << 24),
        Region("mutation_hits", "u4", 1 << 24),  # by edge: how many mutated runs took it
        Region("corpus", CORPUS_ENTRY, 1 << 16, Mutations.corpus_count),
        Region("corpus_inputs", "u1", 1 << 28, Mutations.corpus_bytes),
        Region("words", WORD, 1 << 10, Mutations.word_count),
        Region("tried", "u8", 1 << 10),  # outcome and site of ends of mutated runs that were tried: how often
    ),
)
