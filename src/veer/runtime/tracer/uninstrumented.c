/* Calls of functions that are not instrumented: what goes in, what may have been written. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bounds.h"
#include "chunks.h"
#include "elements.h"
#include "endings.h"
#include "engine/ledger.h"
#include "engine/unwritten.h"
#include "flow_control.h"
#include "flow_map.h"
#include "flow_sets.h"
#include "flow_writes.h"
#include "flows.h"
#include "found.h"
#include "globals.h"
#include "image.h"
#include "library.h"
#include "memory_map.h"
#include "objects.h"
#include "open_calls.h"
#include "leaks.h"
#include "printed_lists.h"
#include "process.h"
#include "refusals.h"
#include "sites.h"
#include "stack.h"
#include "uninitialised.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "words.h"

#define MAX_REACHED 1024

/* Objects that uninstrumented code can reach from its arguments. */
struct reached {
    uint32_t count;
    int symbolic;
    int overflow; /* there are more: all memory counts as reached */
    struct veer_range objects[MAX_REACHED];
};

static void reach_nothing(struct reached *reached) { reached->count = 0, reached->symbolic = 0, reached->overflow = 0; }

static void reach(struct reached *reached, uint64_t value) {
    veer_hold_stream(value);
    if (value < VEER_NULL_END || value >= VEER_LOW_END || veer_words(value)[0] == 0) return;
    struct veer_found found = veer_find_object(value);
    if (!found.region || value < found.base || value >= found.base + found.size) return;
    for (uint32_t k = 0; k < reached->count; k++)
        if (reached->objects[k].begin == found.base) return;
    if (reached->count >= MAX_REACHED) {
        reached->overflow = reached->symbolic = 1;
        return;
    }
    reached->objects[reached->count++] = (struct veer_range){(uint32_t)found.base, (uint32_t)(found.base + found.size)};
}

/* Decides the undecided pointers of an object; whether anything in it is symbolic. */
static void look_into(struct reached *reached, struct veer_range object, uint32_t site) {
    uint64_t size = object.end - object.begin;
    veer_forget_unwritten(object.begin, size);
    veer_warm_range(object.begin, size);
    if (!veer_symbolic_range(object.begin, size)) return;
    veer_decide_range(object.begin, size, site);
    reached->symbolic |= veer_symbolic_range(object.begin, size);
}

/* Follows pointers in the memory of an object. */
static void reach_from(struct reached *reached, struct veer_range object) {
    for (uint64_t place = (object.begin + 7ull) & ~7ull; place + 8 <= object.end; place += 8)
        reach(reached, *(const uint64_t *)(uintptr_t)place);
}

static void reach_all(struct reached *reached, const uint64_t *values, uint32_t count, uint32_t facts, uint32_t site) {
    reach_nothing(reached);
    for (uint32_t k = 0; k < count; k++) reach(reached, values[k]);
    for (uint32_t k = 0; k < reached->count; k++) {
        look_into(reached, reached->objects[k], site);
        if (!(facts & VEER_SHALLOW)) reach_from(reached, reached->objects[k]);
    }
}

/* Blocks that the callee may keep or free are no leaks later. */
static void give_blocks(const struct reached *reached) {
    for (uint32_t k = 0; reached->overflow && k < CHUNKS->count; k++) CHUNKS->of[k].given = 1;
    for (uint32_t k = 0; k < reached->count; k++) {
        struct veer_chunk *chunk = veer_chunk_before(reached->objects[k].begin);
        if (chunk && chunk->address == reached->objects[k].begin) chunk->given = 1;
    }
}

void veer_give(const void *pointer) {
    struct reached reached;
    if (!VEER_CONTROL->check_leaks) return;
    reach_nothing(&reached);
    reach(&reached, (uint64_t)(uintptr_t)pointer);
    for (uint32_t k = 0; k < reached.count; k++) reach_from(&reached, reached.objects[k]);
    give_blocks(&reached);
}

/* printf with %n writes memory. */
static int writes_through_format(uint32_t count, const uint64_t *values) {
    for (uint32_t k = 0; k < count && k < 3; k++) {
        int readable = values[k] >= VEER_NULL_END && values[k] < VEER_LOW_END && veer_words(values[k])[0] != 0;
        if (!readable) continue;
        const char *text = (const char *)(uintptr_t)values[k];
        for (; veer_words((uint64_t)(uintptr_t)text)[0] != 0 && *text; text++)
            if (text[0] == '%' && text[1] == 'n') return 1;
    }
    return 0;
}

/* Whether output goes to standard output or standard error. */
static int is_standard(uint32_t facts, uint32_t count, const uint64_t *values) {
    if (facts & VEER_TO_A_DESCRIPTOR) return count && (values[0] == STDOUT_FILENO || values[0] == STDERR_FILENO);
    if (!(facts & VEER_TO_A_STREAM)) return 1;
    for (uint32_t k = 0; k < count; k++)
        if (values[k] == (uint64_t)(uintptr_t)stdout || values[k] == (uint64_t)(uintptr_t)stderr) return 1;
    return 0;
}

/* What a call would do to the executor itself. */
enum effect { HARMLESS, LEAVES, KILLS };

/* kill() may only reach this process itself, and a signal that cannot be caught ends the run instead. */
static enum effect effect_of(uint32_t facts, uint32_t count, const uint64_t *values) {
    int kills = (facts & VEER_KILLS) != 0;
    if (facts & VEER_FORBIDDEN) return LEAVES;
    if (!(facts & (VEER_RAISES | VEER_KILLS)) || count == 0) return HARMLESS;
    if (kills && (int)values[0] != getpid()) return LEAVES;
    int number = (int)values[count > 1 && kills ? 1 : 0];
    return number == SIGKILL || number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU ? KILLS : HARMLESS;
}

/* Ends the run in place of a call that would end the executor. */
static _Noreturn void refuse(enum effect effect, uint32_t site, const char *name) {
    uint32_t outcome = effect == KILLS ? VEER_OUTCOME_KILLED : VEER_OUTCOME_UNSUPPORTED;
    if (effect != KILLS) veer_note_loss(VEER_LOSS_REFUSED, veer_user_site(site));
    struct veer_report *report = veer_report_begin(outcome, site);
    strcpy(report->message, effect == KILLS ? "the program kills or stops itself: " : "a call that veer does not follow: ");
    strncat(report->message, name, 64);
    veer_finish(outcome);
}

/* A stream of a run (runtime/libc/streams.c) is no FILE of the machine's, which cannot work on it. */
static void refuse_streams(uint32_t site, uint32_t count, const uint64_t *values, const char *name) {
    for (uint32_t k = 0; k < count; k++) {
        if (values[k] < VEER_NULL_END || values[k] >= VEER_LOW_END || veer_words(values[k])[0] == 0) continue;
        struct veer_found found = veer_find_object(values[k]);
        if (found.name && strcmp(found.name, "veer_streams") == 0) refuse(LEAVES, site, name ? name : "a function of the machine's on a file of the run");
    }
}

static void concretise_range(uint64_t begin, uint64_t end) {
    struct veer_found found = veer_find_object(begin);
    uint32_t *words = veer_words(0), concrete = veer_concrete_word(&found);
    for (uint64_t place = begin; place < end; place++)
        if (words[place] >= VEER_FIRST_EXPRESSION) words[place] = concrete;
}

/* All that the unit has; undecided pointers are decided first. */
static void concretise_everything(uint32_t site) {
    for (uint32_t k = 0; k < CHUNKS->count; k++) /* deciding may append chunks */
        veer_decide_range(CHUNKS->of[k].address, CHUNKS->of[k].size, site);
    veer_decide_range(VEER_STACK_BASE, STACK->end - VEER_STACK_BASE, site);
    veer_decide_range(IMAGE->data_begin, IMAGE->data_end - IMAGE->data_begin, site);
    for (uint32_t k = 0; k < CHUNKS->count; k++)
        concretise_range(CHUNKS->of[k].address, (uint64_t)CHUNKS->of[k].address + CHUNKS->of[k].size);
    concretise_range(VEER_STACK_BASE, STACK->end);
    concretise_range(IMAGE->data_begin, IMAGE->data_end);
}

/* Symbolic bytes that the call may overwrite become concrete. */
static void concretise(const struct reached *reached, uint32_t site) {
    if (reached->overflow) concretise_everything(site);
    for (uint32_t k = 0; k < reached->count; k++) concretise_range(reached->objects[k].begin, reached->objects[k].end);
}

/* Whether the term has at most 256 values: it is over one input byte. */
static int is_narrow(uint32_t term) {
    uint32_t support = VEER_NODES[term].support; /* a single leaf + 1, or bit 31 and a set */
    return support != 0 && !(support >> 31) && VEER_LEAVES[support - 1].width <= 8;
}

/* Fixes the arguments that have few values, so that each of them is tried. Whether the call loses constraints all the same: an
   argument has more values, or the function's result may follow from something else, too. */
static int loses_arguments(const struct veer_open_call *call, const uint32_t *shadows) {
    int symbolic = 0, wide = 0;
    for (uint32_t k = 0; k < call->count; k++) {
        if (!veer_symbolic(shadows[k])) continue;
        symbolic = 1;
        if (is_narrow(shadows[k]))
            veer_pin(shadows[k], call->values[k], VEER_NODES[shadows[k]].width, call->site);
        else
            wide = 1;
    }
    return call->facts & VEER_MATHEMATICAL ? wide : symbolic;
}

/* Whether a term is put together of several parts: it may be a struct of at most 8 bytes, whose padding nobody writes. */
static int may_be_struct(uint32_t term) {
    while (VEER_NODES[term].op == VEER_OP_ZEXT) term = VEER_NODES[term].a;
    uint32_t op = VEER_NODES[term].op;
    return op == VEER_OP_CONCAT || op == VEER_OP_OR || op == VEER_OP_AND;
}

/* An argument as the call sees it: a number that was never written is used. */
static uint32_t used(uint32_t shadow, uint32_t site) {
    if (!veer_symbolic(shadow) || !veer_holds_unwritten(shadow)) return shadow;
    return may_be_struct(shadow) ? veer_without_unwritten(shadow, site) : veer_written(shadow, site);
}

/* FlowTest's flows: what such a call reads may flow into its result and into all that it may write. */
static void mix_flows(const struct reached *reached, int writes, uint32_t site) {
    struct veer_flow_control *state = FLOW_CONTROL;
    for (uint32_t k = 0; k < reached->count; k++) {
        uint64_t begin = reached->objects[k].begin, size = reached->objects[k].end - begin;
        uint32_t flow = veer_flow_of(begin, size, VEER_FLOWKIND_CALL, site);
        state->external = veer_flow_join_sets(state->external, flow, VEER_FLOWKIND_CALL, site, begin);
    }
    uint32_t flow = veer_flow_join_sets(state->external, veer_flow_total(), VEER_FLOWKIND_CALL, site, 0);
    for (uint32_t k = 0; writes && k < reached->count; k++) {
        uint64_t begin = reached->objects[k].begin, size = reached->objects[k].end - begin;
        veer_flow_add(begin, size, flow, VEER_FLOWKIND_CALL, site);
        veer_flow_written(begin, size);
    }
}

void veer_uninstrumented_begin(uint32_t site, uint32_t count, const char *name) {
    veer_refuse_levels(VEER_REFUSAL_EXTERNAL);
    struct veer_hot *hot = VEER_HOT;
    struct reached reached;
    uint32_t shadows[VEER_MAX_ARGUMENTS];
    if (count > VEER_MAX_ARGUMENTS) count = VEER_MAX_ARGUMENTS;
    for (uint32_t k = 0; k < count; k++) shadows[k] = used(veer_settle(hot->arguments[k], site), site);
    hot->callee = 0;
    hot->returner = 0;
    uint32_t facts = veer_library_facts(name);
    enum effect effect = effect_of(facts, count, hot->values);
    if (effect != HARMLESS) refuse(effect, site, name + (facts & VEER_ANSWERS ? 1 : 0));
    int output = (facts & VEER_OUTPUT_ONLY) && !writes_through_format(count, hot->values);
    refuse_streams(site, count, hot->values, name);
    if ((facts & VEER_TAKES_LIST) && count >= 2) veer_ready_list(hot->values[count - 2], hot->values[count - 1], site);
    int quiet = output && is_standard(facts, count, hot->values) && !(facts & VEER_ANSWERS); /* how many characters printf wrote follows from what it was given */
    if (facts & VEER_HANDLERS) PROCESS->handlers_dirty = 1;
    if (facts & VEER_FLOAT_ENVIRONMENT) veer_unsupported(site, VEER_LOSS_FLOAT);
    while (OPEN_CALLS->count > 0 && OPEN_CALLS->of[OPEN_CALLS->count - 1].depth > hot->depth) OPEN_CALLS->count--;
    if (OPEN_CALLS->count >= VEER_MAX_OPEN_CALLS) veer_end_run(VEER_OUTCOME_CAPACITY, site, "too many nested calls of libraries");
    struct veer_open_call *call = &OPEN_CALLS->of[OPEN_CALLS->count++];
    *call = (struct veer_open_call){.depth = hot->depth, .site = site, .count = count, .steps = hot->steps, .stack_mark = hot->stack_pointer,
                                         .facts = facts, .writes = !output && !(facts & VEER_READER)};
    memcpy(call->values, hot->values, count * sizeof *call->values);
    if (quiet) return;
    reach_all(&reached, call->values, count, facts, site);
    if (!(facts & (VEER_OUTPUT_ONLY | VEER_READER | VEER_SHALLOW))) give_blocks(&reached);
    if (veer_has_flows()) mix_flows(&reached, (int)call->writes, site);
    int is_lost = loses_arguments(call, shadows) || reached.symbolic;
    if (is_lost) veer_unsupported(site, VEER_LOSS_EXTERNAL);
    if (call->writes && reached.symbolic) concretise(&reached, site); /* already now: instrumented code that it calls back sees what it wrote */
}

void veer_uninstrumented_end(uint32_t site, uint32_t count, const char *name) {
    struct reached reached;
    (void)count;
    (void)name;
    VEER_HOT->callee = 0;
    while (OPEN_CALLS->count > 0) {
        struct veer_open_call *call = &OPEN_CALLS->of[--OPEN_CALLS->count];
        if (call->site != site) continue;
        if (!call->writes || call->steps == VEER_HOT->steps) return; /* nothing has become symbolic meanwhile */
        reach_all(&reached, call->values, call->count, call->facts, site);
        concretise(&reached, site);
        return;
    }
}
