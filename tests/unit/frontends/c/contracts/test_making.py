"""Which functions of a unit make and change the objects of its structs."""

from __future__ import annotations

import pytest
from front_fixtures import module_of

from veer.frontends.c.contracts.reading import Knowledge
from veer.frontends.c.contracts.unit import unit_facts
from veer.model.unitfacts import UnitFacts, behind, field_place, parameter_place

SOURCE = """
#include <string.h>
struct node { struct node *next; int key; };
struct list { struct node *head; int len; };
struct timer { int period; struct list waiting; };
void list_init(struct list *l) { l->head = 0; l->len = 0; }
void list_reset(struct list *l) { list_init(l); }
void list_add(struct list *l, struct node *n) { n->next = l->head; l->head = n; l->len++; }
int list_len(const struct list *l) { return l->len; }
void list_clear(struct list *l) { memset(l, 0, sizeof *l); }
void list_drop(struct list *l) { if (l->len) list_init(l); }
void timer_start(struct timer *t, int period) { *t = (struct timer){.period = period}; }
void timer_stop(struct timer *t) { t->waiting.head = 0; t->period = 1; }
int list_new(struct list **out) { struct list *l = 0; list_init(l); *out = l; return 0; }
int list_make(struct list **out) { return list_new(out); }
void list_swap(struct list **one, struct list **other) { struct list *l = *one; *one = *other; *other = l; }
void list_forget(struct list **out) { *out = 0; }
void timer_rearm(struct timer *t) { t->waiting.len = 0; }
struct sum { unsigned char part[16]; unsigned long n; int all; };
void take(unsigned char *part, unsigned long *n);
void sum_add(struct sum *s) { take(s->part, &s->n); }
extern const unsigned char table[];
int step(unsigned *state, int c, int *out) { *out = c; return *state = table[*state + c]; }
"""


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> UnitFacts:
    return unit_facts([Knowledge(module_of(tmp_path_factory.mktemp("making"), SOURCE))])


def test_a_function_begins_what_it_writes_to_before_it_reads_any_of_it(facts: UnitFacts) -> None:
    assert facts.begins == {
        parameter_place("list_init", "l"),
        parameter_place("list_reset", "l"),  # it gives it to list_init first
        parameter_place("list_add", "n"),
        parameter_place("list_clear", "l"),
        parameter_place("timer_start", "t"),
        parameter_place("timer_stop", "t"),
        parameter_place("timer_rearm", "t"),
    }


def test_fields_that_each_function_stores_to(facts: UnitFacts) -> None:
    writes = dict(facts.writes)
    assert writes["list_add"] == {field_place("node", 0), field_place("list", 0), field_place("list", 8)}
    assert "list_len" not in writes
    assert "list_reset" not in writes  # what it calls does


def test_a_store_of_a_whole_struct_is_one_to_each_of_its_fields(facts: UnitFacts) -> None:
    assert {field_place("timer", 0), field_place("timer", 8)} <= dict(facts.writes)["timer_start"]


def test_a_pointer_that_is_only_stored_behind_a_parameter_is_delivered(facts: UnitFacts) -> None:
    assert facts.delivers == {parameter_place("list_new", "out"), parameter_place("list_make", "out")}


def test_fields_that_become_null_one_by_one_or_in_a_struct_of_zeros(facts: UnitFacts) -> None:
    clears = dict(facts.clears)
    assert clears["list_init"] == {field_place("list", 0)}
    assert clears["list_clear"] == {parameter_place("list_clear", "l")}
    assert field_place("list", 0) in clears["timer_stop"]
    assert "list_add" not in clears
    assert {field_place("timer", 8)} <= clears["timer_start"] or parameter_place("timer_start", "t") in clears[
        "timer_start"
    ]


def test_fields_whose_address_goes_to_a_function_may_be_stored_to_there(facts: UnitFacts) -> None:
    assert dict(facts.writes)["sum_add"] == {field_place("sum", 0), field_place("sum", 16)}


def test_numbers_behind_parameters_that_are_read_and_set(facts: UnitFacts) -> None:
    assert facts.states == {behind(parameter_place("step", "state"))}
