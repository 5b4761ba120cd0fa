/* Root inputs, by name. */
#ifndef VEER_ROOTS_H
#define VEER_ROOTS_H
#include "leaf_state.h"
#include "places.h"

#define VEER_MAX_ROOTS (1u << 14)

/* The inputs of one name in the run under way. */
struct veer_root {
    const char *name;
    uint32_t epoch;
    uint32_t occurrences;
    uint32_t leaf; /* of the last scalar made under that name, or NONE */
    uint32_t hash;
    uint32_t round; /* in which its occurrences are counted */
};

struct veer_roots {
    uint32_t depth; /* how many pointers lead to a root */
    uint32_t round; /* counted from 0 on in each run: names are numbered anew */
    struct veer_root of[VEER_MAX_ROOTS];
};
VEER_STATE_FITS(roots);
#define ROOTS VEER_STATE(roots)

void veer_roots_begin(void);
void veer_roots_again(void); /* what is asked for from now on was asked for before in this run */
void veer_roots_forget(void);
struct veer_root *veer_root_of(const char *name);
struct veer_place veer_new_root(const char *name, uint32_t type, struct veer_root **root);
#endif
