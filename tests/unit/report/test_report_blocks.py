"""A partition in words, and the text of one that is given."""

from __future__ import annotations

from veer.model.partition import InputBlock, Merge, Partitioning
from veer.report.blocks import merge_sentence, names, partition_sentence, product
from veer.search.partitioned.given import block_of, covers, parse

BLOCKS = (InputBlock(("a",), 2), InputBlock(("p->x", "p->y"), 7))
MERGE = Merge(("p->x",), ("p->y",), "one decides whether the other is asked about", "g", "/s/f.c", 3, "p->y == 9")


def test_a_partition_is_told_with_what_it_spared() -> None:
    found = Partitioning(BLOCKS, ("p",), (MERGE,), other_paths=2, product=24)
    text = partition_sentence(found)
    assert text == "2 blocks of inputs (1 of 1, 1 of 2), p in each of them; 11 paths, all together up to 24"


def test_a_check_begins_with_its_verdict() -> None:
    assert partition_sentence(Partitioning(BLOCKS, (), (), is_checked=True)).startswith("they do not interfere; ")
    assert partition_sentence(Partitioning(BLOCKS, (), (MERGE,), is_checked=True)).startswith("they interfere 1 time; ")


def test_a_witness_names_flows_variable_and_place() -> None:
    text = merge_sentence(MERGE)
    assert text.startswith("p->x with p->y: one decides whether the other is asked about in g `p->y == 9` (")
    assert text.endswith("f.c:3)")


def test_long_numbers_and_lists_are_short() -> None:
    assert product(1234567) == "1,234,567"
    assert product(2**1024) == "1.7 * 10^308"
    assert names(tuple("abcdefgh"), 3) == "a, b, c and 5 more"


def test_a_given_partition_is_a_line_a_block() -> None:
    blocks = parse("a b\n# nothing\n\nheader.type, rest  # two\n")
    assert blocks == (("a", "b"), ("header.type", "rest"))
    assert block_of(blocks, "b") == 0
    assert block_of(blocks, "rest[3].x") == 1
    assert block_of(blocks, "resting") == -1
    assert covers("p", "p->next->x")
    assert not covers("header.type", "header.types")
