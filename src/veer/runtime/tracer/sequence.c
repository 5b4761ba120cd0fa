/* Call sequences (CUTE section 3.6): which functions are called, and on which objects, is a choice of the input.

   The results of a run are the log of its calls, from which tests are written (model/sequence.py):

       list_new()             number of the callee, the returned pointer, number of the object in its pool (0: NULL)
       list_add(list_1, 5)    number of the callee, number of each receiver, the returned value */
#include "sequence.h"

#include "calling.h"
#include "chunks.h"
#include "endings.h"
#include "memory_map.h"
#include "sites.h"
#include "uninitialised.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "words.h"

static void append(uint32_t number) { veer_result(&number, sizeof number, 0); }

void veer_sequence_begin(void) {
    SEQUENCES->count = 0;
    SEQUENCES->receiver = VEER_NONE;
}

/* Whether the object may still be worked on: NULL stands for an empty value, and what the unit freed is gone. */
static int is_alive(const struct veer_pool_object *object) {
    if (object->ended) return 0;
    return !object->address || object->address >= VEER_LOW_END || *veer_words(object->address) != VEER_SHADOW_UNADDRESSABLE;
}

static uint32_t alive_in(uint32_t pool) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < SEQUENCES->count; k++) count += SEQUENCES->objects[k].pool == pool && is_alive(&SEQUENCES->objects[k]);
    return count;
}

static int is_possible(const struct veer_callee *callee) {
    for (uint32_t pool = 0; pool < 32; pool++)
        if (callee->pools >> pool & 1 && !alive_in(pool)) return 0;
    return 1;
}

/* The k-th possible callee of a step. */
static const struct veer_callee *possible(const struct veer_callee *callees, const struct veer_step *step, uint64_t k) {
    for (uint32_t each = step->first; each < step->first + step->count; each++)
        if (is_possible(&callees[each]) && k-- == 0) return &callees[each];
    return NULL;
}

/* The callee of this step that comes next; NULL: none, the next step's turn. A step that repeats may end before each call. */
static const struct veer_callee *next_call(const struct veer_callee *callees, const struct veer_step *step) {
    uint64_t count = 0, picked;
    for (uint32_t each = step->first; each < step->first + step->count; each++) count += (uint64_t)is_possible(&callees[each]);
    if (!count) return NULL;
    picked = veer_choose(count + (step->repeats != 0), "next()");
    if (step->repeats && picked-- == 0) return NULL;
    return possible(callees, step, picked);
}

/* How often the same callee is called: once, or 2, 4 or 8 times in a step of such rows. */
static uint64_t in_a_row(const struct veer_step *step) { return step->repeats > 1 ? (uint64_t)1 << veer_choose(4, "times()") : 1; }

void veer_sequence(const struct veer_callee *callees, const struct veer_step *steps, uint32_t step_count, uint32_t most) {
    uint32_t left = most;
    for (uint32_t k = 0; k < step_count; k++) left -= !steps[k].repeats; /* those calls are made in any case */
    for (uint32_t k = 0; k < step_count; k++) {
        const struct veer_callee *callee = NULL;
        if (!steps[k].repeats) {
            callee = next_call(callees, &steps[k]);
            if (!callee) return; /* nothing is left that it could be called with */
            callee->run();
            continue;
        }
        while (left && (callee = next_call(callees, &steps[k])))
            for (uint64_t times = in_a_row(&steps[k]); times && left && is_possible(callee); times--, left--) callee->run();
    }
}

void veer_called(uint32_t callee) {
    VEER_HOT->callee = 0;
    SEQUENCES->receiver = VEER_NONE;
    append(callee);
}

void *veer_receiver(uint32_t pool, const char *name) {
    VEER_HOT->callee = 0;
    uint64_t picked = veer_choose(alive_in(pool), name);
    for (uint32_t k = 0; k < SEQUENCES->count; k++) {
        const struct veer_pool_object *object = &SEQUENCES->objects[k];
        if (object->pool != pool || !is_alive(object) || picked-- != 0) continue;
        if (SEQUENCES->receiver == VEER_NONE) SEQUENCES->receiver = k;
        append(object->number);
        return (void *)(uintptr_t)object->address;
    }
    veer_finish(VEER_OUTCOME_ASSUMPTION);
}

/* Adds an object to a pool; its number there. */
static uint32_t add(uint32_t pool, uint64_t address) {
    uint32_t number = 1;
    for (uint32_t k = 0; k < SEQUENCES->count; k++) {
        if (SEQUENCES->objects[k].pool != pool) continue;
        if (address && SEQUENCES->objects[k].address == address) {
            SEQUENCES->objects[k].ended = 0; /* a block may come again */
            return SEQUENCES->objects[k].number;
        }
        number++;
    }
    if (SEQUENCES->count >= VEER_MAX_POOL_OBJECTS) veer_end_run(VEER_OUTCOME_CAPACITY, veer_here(), "the calls made too many objects");
    SEQUENCES->objects[SEQUENCES->count++] = (struct veer_pool_object){.address = address, .pool = (uint16_t)pool, .number = number};
    return number;
}

void *veer_new_receiver(uint32_t pool, uint64_t size) {
    VEER_HOT->callee = 0;
    uint64_t address = size ? veer_new_chunk(size, size, 16, veer_here())->address : 0;
    if (size) veer_fill_words(address, size, VEER_SHADOW_CONCRETE);
    append(add(pool, address));
    return (void *)(uintptr_t)address;
}

void veer_made(uint32_t pool, const void *object) {
    uint64_t address = (uint64_t)(uintptr_t)object;
    uint32_t shadow = veer_argument((void *)veer_made, 1);
    VEER_HOT->callee = 0;
    veer_pin(shadow, address, 64, veer_here());
    append(address ? add(pool, address) : 0);
}

void veer_replaced(uint32_t pool, const void *object) {
    uint32_t shadow = veer_argument((void *)veer_replaced, 1), receiver = SEQUENCES->receiver;
    VEER_HOT->callee = 0;
    veer_pin(shadow, (uint64_t)(uintptr_t)object, 64, veer_here());
    if (receiver < SEQUENCES->count && SEQUENCES->objects[receiver].pool == pool)
        SEQUENCES->objects[receiver].address = (uint64_t)(uintptr_t)object;
}

void veer_unset(void *object, uint64_t size) {
    VEER_HOT->callee = 0;
    veer_mark_unwritten((uint64_t)(uintptr_t)object, size, veer_unwritten_block(veer_here()));
}

/* A call that refuses what it is given, and writes nothing, has made no object. */
void veer_set_up(void *object, uint64_t size) {
    uint64_t address = (uint64_t)(uintptr_t)object;
    VEER_HOT->callee = 0;
    if (*veer_words(address) != VEER_SHADOW_UNADDRESSABLE && !veer_is_fresh(address, size)) veer_forget_unwritten(address, size);
}

void veer_ended(void) {
    VEER_HOT->callee = 0;
    if (SEQUENCES->receiver < SEQUENCES->count) SEQUENCES->objects[SEQUENCES->receiver].ended = 1;
}
