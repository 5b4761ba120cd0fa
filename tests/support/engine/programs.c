/* Small programs under test, selected by number, as their instrumented selves would trace them. Each input byte has its
   bounds, so that a test can enumerate all inputs. */
#include "fake_tracer.h"

int fake_program;
uint32_t fake_pin_count;
static uint64_t fake_pins[16];
int fake_runs; /* of this process; the unsteady program looks at it */

/* One input of 8 bits within [0, greatest]. */
static uint32_t byte_leaf(uint32_t offset, uint64_t greatest)
{
    return veer_intern_leaf(veer_intern_object(VEER_NONE, "bytes", 0, VEER_NONE), offset, 8, VEER_LEAFKIND_UNSIGNED, 0,
                            greatest);
}

/* A comparison of a term with a constant, as a branch. */
static int compare(uint32_t kind, uint32_t site, uint32_t op, uint32_t term, uint64_t constant)
{
    uint32_t literal = veer_expression(op, 1, term, veer_constant(VEER_NODES[term].width, constant), 0);
    uint64_t value;
    if (veer_is_constant(literal, &value))
        return (int)value;
    veer_evaluate_begin(VEER_INPUTS + VEER_CONTROL->input_bytes, VEER_CONTROL->current_length);
    int holds = (int)veer_evaluate(literal);
    fake_event(kind, site, literal, (uint32_t)holds, 2, 0);
    return holds;
}

static uint32_t input_term(uint32_t offset, uint64_t greatest)
{
    uint32_t leaf = byte_leaf(offset, greatest);
    fake_input(leaf);
    return veer_leaf_expression(leaf);
}

/* Nested comparisons of single bytes, and one of a sum. */
static void nested(void)
{
    uint32_t x = input_term(0, 15), y = input_term(1, 15), z = input_term(2, 15);
    if (compare(VEER_KIND_BRANCH, 0, VEER_OP_ULT, x, 5)) {
        if (compare(VEER_KIND_BRANCH, 1, VEER_OP_EQ, y, 3))
            compare(VEER_KIND_BRANCH, 2, VEER_OP_ULT, x, 2);
        compare(VEER_KIND_BRANCH, 3, VEER_OP_ULT, veer_expression(VEER_OP_ADD, 8, x, y, 0), 4);
    } else if (compare(VEER_KIND_BRANCH, 4, VEER_OP_EQ, veer_expression(VEER_OP_AND, 8, z, veer_constant(8, 3), 0),
                       2)) {
        compare(VEER_KIND_BRANCH, 5, VEER_OP_ULT, z, 9);
        compare(VEER_KIND_BRANCH, 6, VEER_OP_EQ, veer_expression(VEER_OP_XOR, 8, x, z, 0), 5);
    }
}

/* while (i < n) sum += a[i]; then a test of the sum: a loop bounded by its input. */
static void looped(void)
{
    uint32_t n = input_term(0, 3), sum = veer_constant(8, 0);
    for (uint32_t i = 0; i < 3; i++) {
        if (!compare(VEER_KIND_BRANCH, 0, VEER_OP_ULT, veer_constant(8, i), 0) &&
            compare(VEER_KIND_BRANCH, 1, VEER_OP_ULE, n, i))
            break;
        sum = veer_expression(VEER_OP_ADD, 8, sum, input_term(1 + i, 5), 0);
    }
    if (compare(VEER_KIND_BRANCH, 2, VEER_OP_EQ, sum, 7))
        VEER_CONTROL->last_outcome = VEER_OUTCOME_ABORTED;
}

/* Fixes a term to the value that it has: all values seen so far are asked for in the order of their discovery. */
static void pin(uint32_t site, uint32_t term)
{
    veer_evaluate_begin(VEER_INPUTS + VEER_CONTROL->input_bytes, VEER_CONTROL->current_length);
    uint64_t value = veer_evaluate(term);
    for (uint32_t i = 0; i < 16; i++) {
        if (i == fake_pin_count)
            fake_pins[fake_pin_count++] = value;
        if (compare(VEER_KIND_GUARD, site, VEER_OP_EQ, term, fake_pins[i]))
            return;
    }
}

/* assume(x < 4); a pointer with as many alternatives as x says; an address that is pinned. */
static void chosen(void)
{
    uint32_t x = input_term(0, 15);
    if (!compare(VEER_KIND_ASSUME, 0, VEER_OP_ULT, x, 4)) {
        VEER_CONTROL->last_outcome = VEER_OUTCOME_ASSUMPTION;
        return;
    }
    uint32_t object = veer_intern_object(VEER_NONE, "pointer", 0, VEER_NONE);
    uint32_t leaf = veer_intern_leaf(object, 0, 64, VEER_LEAFKIND_CHOICE, 0, 0xffff);
    uint32_t count = 2 + (compare(VEER_KIND_BRANCH, 1, VEER_OP_EQ, x, 3) ? 1 : 0);
    uint32_t alternative = (uint32_t)fake_input(leaf);
    fake_event(VEER_KIND_CHOICE, 2, leaf, alternative < count ? alternative : 0, count, 0);
    if (alternative == 1)
        pin(3, input_term(1, 15));
}

/* Its second decision depends on how often it ran: not a function of the input. */
static void unsteady(void)
{
    uint32_t x = input_term(0, 15), y = input_term(1, 15);
    compare(VEER_KIND_BRANCH, 0, VEER_OP_ULT, x, 5);
    compare(VEER_KIND_BRANCH, fake_runs < 2 ? 1 : 2, VEER_OP_ULT, y, 5);
}

int veer_execute(void)
{
    struct veer_control *control = VEER_CONTROL;
    control->trace_count = 0;
    control->current_hash = 0;
    control->last_report = VEER_NONE;
    control->last_outcome = VEER_OUTCOME_RETURNED;
    switch (fake_program) {
    case 0: nested(); break;
    case 1: looped(); break;
    case 2: chosen(); break;
    default: unsteady(); break;
    }
    fake_runs++;
    if (control->last_outcome == VEER_OUTCOME_ABORTED) {
        control->last_report = control->report_count;
        VEER_REPORTS[control->report_count] = (struct veer_report){.outcome = VEER_OUTCOME_ABORTED, .site = 9};
    }
    return 0;
}
