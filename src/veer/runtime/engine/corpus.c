#include "corpus.h"
#include "publish.h"
#include "random.h"
#include <string.h>

enum { CANDIDATES = 4 };

int veer_corpus_add(const uint8_t *input, uint32_t length, uint64_t steps, uint32_t rarest)
{
    struct veer_control *control = VEER_CONTROL;
    if (control->corpus_count == VEER_CORPUS_CAPACITY || control->corpus_bytes + length > VEER_CORPUS_INPUTS_CAPACITY)
        return 0;
    struct veer_corpus_entry *entry = &CORPUS[control->corpus_count];
    memcpy(CORPUS_BYTES + control->corpus_bytes, input, length);
    *entry = (struct veer_corpus_entry){control->corpus_bytes, length, rarest, 0, steps < UINT32_MAX ? (uint32_t)steps : UINT32_MAX};
    PUBLISH(control->corpus_bytes, control->corpus_bytes + length);
    PUBLISH(control->corpus_count, control->corpus_count + 1);
    return 1;
}

/* Smaller is better: its rarest edge is taken by few runs, and it was seldom changed. */
static uint64_t cost(const struct veer_corpus_entry *entry)
{
    uint64_t hits = entry->rarest < VEER_MUTATION_HITS_CAPACITY ? VEER_REGION(uint32_t, MUTATION_HITS)[entry->rarest] : 0;
    return (hits + 1) * (entry->picked + 1);
}

uint32_t veer_corpus_pick(void)
{
    uint32_t count = VEER_CONTROL->corpus_count, best = VEER_NONE;
    if (!count)
        return VEER_NONE;
    for (uint32_t tries = 1 + random_below(CANDIDATES); tries; tries--) {
        uint32_t one = random_below(count);
        if (best == VEER_NONE || cost(&CORPUS[one]) < cost(&CORPUS[best]))
            best = one;
    }
    CORPUS[best].picked++;
    return best;
}
