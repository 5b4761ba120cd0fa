/* Root inputs: those of one name are numbered in the order in which the run makes them. */
#include "roots.h"

#include <string.h>

#include "endings.h"
#include "engine/leaves.h"
#include "run.h"
#include "sites.h"

static uint32_t hash_name(const char *name) {
    uint32_t hash = 2166136261u;
    for (; *name; name++) hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash;
}

/* The run's record of the inputs named so. */
struct veer_root *veer_root_of(const char *name) {
    uint32_t hash = hash_name(name);
    for (uint32_t probe = 0; probe < VEER_MAX_ROOTS; probe++) {
        struct veer_root *root = &ROOTS->of[(hash + probe) % VEER_MAX_ROOTS];
        if (root->epoch == RUN->epoch && (root->hash != hash || strcmp(root->name, name) != 0)) continue;
        if (root->epoch != RUN->epoch) *root = (struct veer_root){.name = name, .epoch = RUN->epoch, .leaf = VEER_NONE, .hash = hash, .round = ROOTS->round};
        return root;
    }
    veer_end_run(VEER_OUTCOME_CAPACITY, veer_here(), "too many names of inputs");
}

/* The object of one more root input of that name. */
struct veer_place veer_new_root(const char *name, uint32_t type, struct veer_root **root) {
    *root = veer_root_of(name ? name : "input");
    if ((*root)->round != ROOTS->round) (*root)->round = ROOTS->round, (*root)->occurrences = 0;
    uint32_t object = veer_intern_object(VEER_NONE, (*root)->name, (*root)->occurrences++, type);
    if (object == VEER_NONE) veer_end_run(VEER_OUTCOME_CAPACITY, veer_here(), "the table of input objects is full");
    return (struct veer_place){.object = object, .depth = ROOTS->depth};
}

void veer_roots_begin(void) { ROOTS->depth = ROOTS->round = 0; }

void veer_roots_again(void) {
    ROOTS->depth = 0;
    ROOTS->round++;
}

/* Marks of all runs are void: their numbers are used again. */
void veer_roots_forget(void) { memset(ROOTS->of, 0, sizeof ROOTS->of); }
