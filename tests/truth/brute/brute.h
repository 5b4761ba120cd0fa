/* The brute force: runs a program on every input of a small domain and writes down what each run did.

   It shares nothing with veer: its own rewriter (brute_rewrite.py) logs branch directions and accesses, its own objects
   say what is in bounds, its own choices make the inputs. Everything named bf_* is not rewritten. */
#ifndef BRUTE_H
#define BRUTE_H
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

enum bf_outcome {
    BF_RETURNED,
    BF_EXITED,
    BF_ABORT,
    BF_ASSERTION,
    BF_NULL,
    BF_WILD,
    BF_STACK,
    BF_DIVISION,
    BF_READ,
    BF_WRITE,
    BF_USE_AFTER_FREE,
    BF_DOUBLE_FREE,
    BF_BAD_FREE,
    BF_HANG,
    BF_ASSUMPTION,
    BF_UNDEFINED,
    BF_OUTCOMES
};

/* Inclusive ranges of values. */
struct bf_domain {
    uint32_t count;
    const int64_t (*ranges)[2];
};

enum bf_extent { BF_ONE, BF_STRING, BF_LENGTH, BF_COUNT, BF_STUB };

struct bf_type;
/* What a pointer cell may point to: NULL, a fresh object, or an earlier object made for a type of the same name; or NULL and a function. */
struct bf_target {
    const struct bf_type *type;
    uint8_t nullable;
    uint8_t extent;
    uint32_t maximum;   /* characters of a string, elements of a buffer */
    const char *length; /* BF_LENGTH: the root that holds the number of elements */
    void (*stub)(void); /* BF_STUB */
};
/* A scalar (target NULL) or a pointer at a byte offset. */
struct bf_cell {
    uint32_t offset;
    uint32_t width; /* bytes */
    const struct bf_domain *domain;
    const struct bf_target *target;
};
struct bf_type {
    const char *name;
    uint32_t size;
    uint32_t count;
    const struct bf_cell *cells;
};
/* A root that a harness asks for by name (klee_make_symbolic and the like). */
struct bf_root {
    const char *name;
    const struct bf_type *type;
};

/* -- written by brute_harness.py --------------------------------------------------------------------------- */
extern const struct bf_root bf_roots[];
extern const uint32_t bf_root_count;
extern const uint32_t bf_graph_depth;
void bf_case(void);

/* -- what the generated harness calls ----------------------------------------------------------------------- */
void bf_make(void *cell, const struct bf_type *type, const char *name);
void bf_make_named(void *cell, uint64_t size, const char *name);
void bf_result(const void *value, uint32_t size);
void bf_local(void *object, uint64_t size);
void bf_argument(void *object, uint64_t size);

/* -- what rewritten code calls -------------------------------------------------------------------------------- */
void bf_branch(uint32_t site, uint32_t direction);
void bf_switch(uint32_t site, uint64_t value, uint32_t count, const uint64_t *cases);
void bf_access(const void *address, uint64_t size, uint32_t is_store);
void bf_library_access(const void *address, uint64_t size, uint32_t is_store);
void bf_step(void);
void bf_enter(uint32_t function);
void bf_leave(void);
void *bf_alloca(uint64_t count, uint64_t size);
void bf_global(void *address, uint64_t size, uint32_t is_writable);
void bf_globals(void); /* written by the rewriter: calls bf_global for each global of the module */

/* -- between the files of the brute force ----------------------------------------------------------------------- */
_Noreturn void bf_end(enum bf_outcome outcome);
uint32_t bf_choose(uint32_t count);
void bf_mix(uint64_t value);
void bf_mix_graph(uint64_t value);
void bf_memory_reset(void);
void *bf_new_object(uint64_t size);
void bf_free_object(void *address);
uint64_t bf_object_size(const void *address);
void bf_inputs_reset(void);
void bf_follow(const char *base, uint32_t is_again);
void bf_decide(const char *address, uint64_t size, uint32_t is_store);
void bf_witness_print(void);
int bf_replay_read(void); /* one case from stdin; 0 at the end */
uint64_t bf_unknown_inputs(void);
extern int bf_replaying;
extern uint32_t bf_undecided;
#endif
