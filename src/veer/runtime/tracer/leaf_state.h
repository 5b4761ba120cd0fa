/* What is known about each input leaf in the run under way. */
#ifndef VEER_LEAF_STATE_H
#define VEER_LEAF_STATE_H
#include "engine/byte_set.h"
#include "places.h"
#include "veer_harness.h"

#define VEER_MOST_CHOICES 0xffffu /* alternatives of a pointer leaf; less by the number of the union's member that it is */
#define VEER_MAX_OFFERED 6 /* pointers of other members that share the place of one leaf of a union */

/* Where a value belongs: the campaign's object, the byte offset in it, how many pointers lead to it. */
struct veer_place {
    uint32_t object, offset, depth;
};

/* Each part is valid if its `epoch` is the run's. */
struct veer_leaf_state {
    /* what every run touches of every leaf comes first, close together */
    uint32_t epoch;
    uint32_t known_epoch;  /* run of `known` */
    struct byte_set known; /* narrow leaves: the values that decisions have left */
    uint32_t object;       /* elements of STRING and LENGTH inputs: index + 1 into INPUT_OBJECTS */
    uint32_t depth; /* of the object that holds it */
    const struct veer_type *type; /* undecided pointers */
    uint64_t pointer; /* where a pointer leads in this run */
    uint64_t possible; /* undecided pointers: bit k = alternative k is not excluded by the run's decisions */
    uint32_t loaded_epoch, constrained_epoch, decided_epoch; /* runs in which the pointer was met, asked about, decided */
    uint32_t type_epoch; /* run in which `type` was set */
    uint32_t term;       /* undecided pointers: the address as a term over the leaf */
    uint32_t alternative;
    uint32_t own;        /* index + 1 into INPUT_OBJECTS: alternative 1, 0 = none */
    uint32_t first_candidate, candidates; /* alternatives 2, 3, ...: a part of ALTERNATIVES */
    uint32_t asked_epoch;   /* recorded runs: the run that asked for its value last */
    uint32_t planned_epoch; /* eager.c: run in which the alternatives were fixed before the entry was called */
    uint32_t shared_epoch, shared; /* unions.c: the leaf to which the pointers are offered that share this leaf's bytes */
    uint32_t offered_epoch, read_epoch, taken_epoch;
    uint8_t offered, taken, members[VEER_MAX_OFFERED]; /* numbers of pointers, from 1 on; `taken`: 0 = what was made */
    const struct veer_type *unite;
    struct veer_place holder_place;
    uint32_t holder;        /* of a planned pointer: index + 1 into INPUT_OBJECTS of the object that holds it, 0 = a root */
};

struct veer_leaf_states {
    struct veer_leaf_state of[VEER_LEAVES_CAPACITY];
};
VEER_STATE_FITS(leaf_states);
#define LEAF_STATES (VEER_STATE(leaf_states)->of)
#endif
