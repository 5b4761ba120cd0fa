/* What only the library that Python loads has: its memory, a query to the ladder alone, and stand-ins for the tracer (a
   test may give its own). All else of it are the engine's objects, as executors have them. */
#define _GNU_SOURCE
#include "engine/attachment.h"
#include "engine/evaluate.h"
#include "engine/executes.h"
#include "engine/ladder.h"
#include "engine/places.h"
#include "engine/trail.h"
#include "engine/verdict.h"
#include "veer_shared.h"
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static int attached;

/* Leaves the campaign that was attached, if there was one. */
void veer_detach(void)
{
    if (!attached)
        return;
    attached = 0;
    munmap(ENGINE_BASE, sizeof(struct engine_places));
    munmap(VEER_SHARED, VEER_SHARED_SIZE);
}

static int is_mapped(void *place, size_t size, int flags, int descriptor)
{
    return mmap(place, size, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, descriptor, 0) == place;
}

/* Takes the memory behind `descriptor` (VEER_SHARED_SIZE bytes) as the campaign. Returns 0 where the addresses are taken:
   by another campaign, which is to be left first, or by something else in this process. */
int veer_attach(int descriptor)
{
    if (!is_mapped(VEER_SHARED, VEER_SHARED_SIZE, MAP_SHARED, descriptor))
        return 0;
    if (!is_mapped(ENGINE_BASE, sizeof(struct engine_places), MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1)) {
        munmap(VEER_SHARED, VEER_SHARED_SIZE);
        return 0;
    }
    veer_engine_ready();
    attached = 1;
    return 1;
}

__attribute__((weak)) int veer_execute(void)
{
    VEER_CONTROL->trace_count = 0;
    VEER_CONTROL->last_outcome = VEER_OUTCOME_UNSUPPORTED;
    return 0;
}

__attribute__((weak)) uint64_t veer_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

__attribute__((weak)) void veer_drop_new_edges(void)
{
}

__attribute__((weak)) int veer_take_new_edges(void)
{
    return 0;
}

__attribute__((weak)) int veer_execute_concretely(uint64_t most_steps, uint64_t *steps)
{
    *steps = most_steps;
    VEER_CONTROL->last_outcome = VEER_OUTCOME_UNSUPPORTED;
    return 0;
}

__attribute__((weak)) const uint8_t *veer_edge_counts(void)
{
    static uint8_t none[VEER_EDGE_SEEN_CAPACITY];
    return none;
}

__attribute__((weak)) void veer_forget_edges(void)
{
}

__attribute__((weak)) const void *veer_constant_object(uint32_t k, uint64_t *size)
{
    (void)k;
    *size = 0;
    return NULL;
}

/* Asks the ladder for an input with literals[i] == polarities[i] for all i; the last one is the target, the others are
   the prefix, which `parent` satisfies. Returns the verdict; sat: the input is in `answer` (`*answer_length`, at most
   `room`). */
int veer_query(const uint32_t *literals, const uint8_t *polarities, uint32_t count, const uint8_t *parent,
               uint32_t parent_length, uint8_t *answer, uint32_t room, uint32_t *answer_length)
{
    uint8_t *input = VEER_INPUTS + VEER_CONTROL->input_bytes;
    uint32_t length = 0;
    veer_trail_pop(0);
    for (uint32_t i = 0; i + 1 < count; i++)
        veer_trail_push(VEER_NONE, VEER_KIND_BRANCH, 0, literals[i], polarities[i]);
    LADDER->clock = veer_now();
    enum verdict verdict =
        veer_ladder(literals[count - 1], polarities[count - 1], parent, parent_length, input, &length);
    veer_trail_pop(0);
    if (verdict != VERDICT_SAT)
        return (int)verdict;
    if (length > room)
        return VERDICT_UNKNOWN;
    memcpy(answer, input, length);
    *answer_length = length;
    return (int)verdict;
}

/* The value of an expression under an input. */
uint64_t veer_value(uint32_t expression, const uint8_t *input, uint32_t length)
{
    veer_evaluate_begin(input, length);
    return veer_evaluate(expression);
}

/* Whether literals[i] == polarities[i] for all i under an input. */
int veer_holds(const uint32_t *literals, const uint8_t *polarities, uint32_t count, const uint8_t *input,
               uint32_t length)
{
    veer_evaluate_begin(input, length);
    for (uint32_t i = 0; i < count; i++) {
        if (veer_evaluate(literals[i]) != polarities[i])
            return 0;
    }
    return 1;
}
