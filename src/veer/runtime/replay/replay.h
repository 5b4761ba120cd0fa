/* The replay runtime: the functions that a harness calls (veer_harness.h), answered from one recorded run. The harness is the one that
   the campaign ran; linked against this runtime in place of tracer and engine it is a program without instrumentation, which makes
   the call of one test again:

       DRIVER DATA RECORD      DATA: the inputs of the test     RECORD: what the run returned and left in memory

   Both files are mapped, so that a crash loses nothing. frontends/llvm/replay/data.py writes the one and reads the other. */
#ifndef VEER_REPLAY_H
#define VEER_REPLAY_H
#include <stdint.h>

#include "veer_harness.h"

/* -- DATA: the header, then the tables in the order of their counts, then names and bytes; `name` and `bytes` are offsets in the file. */
enum { REPLAY_MAGIC = 0x50525603, REPLAY_STEPS = 32 };

struct veer_replay_header {
    uint32_t magic;
    uint32_t root_count, object_count, link_count, call_count, receiver_count;
    uint32_t edge_count, line_count;   /* what the counters build counts */
    uint32_t keeps_preconditions_apart; /* what runs between the last input and the call is not counted */
    uint32_t version;            /* of two versions: 0 the old one, 1 the new one */
    uint32_t kind, number, size; /* where they differ (enum veer_part): `size` bytes, that many steps from there */
    uint32_t step_count;
    uint32_t steps[REPLAY_STEPS]; /* bytes to go on; between two steps a pointer is followed */
    uint32_t made_count;
    uint32_t spare;
};

struct veer_replay_root {
    uint32_t name, occurrence;
    uint32_t bytes, size;
    uint32_t first_link, link_count;
};

struct veer_replay_object {
    uint32_t type, count; /* `count` elements of the type with this id */
    uint32_t bytes, size;
    uint32_t first_link, link_count;
    uint32_t is_recorded; /* its memory is looked at after the call: the recorded run did not free it */
    uint32_t spare;
};

/* A pointer within a root or an object: to `behind` bytes into the object of that number, or, if that is 0, to the function of the pointer type `type`. */
struct veer_replay_link {
    uint32_t offset, object, type, behind;
};

/* A call of a sequence: its callee, the number of the object that it returned (0: none), the numbers of its receivers. */
struct veer_replay_call {
    uint32_t callee, made, first_receiver, receiver_count;
};

/* A block that the recorded run made: `size` bytes, from `behind` bytes ahead of where a pointer leads that was left at `offset` in
   its owner, which is an object of that number, a variable of that place, or a block before this one, from 1 on. REPLAY_POOL_HAS:
   the pointer is an object of a call sequence, by its pool, shifted by 16, and its number there. */
enum veer_replay_owner { REPLAY_RESULT_OWNS, REPLAY_OBJECT_OWNS, REPLAY_VARIABLE_OWNS, REPLAY_MADE_OWNS, REPLAY_POOL_HAS };

struct veer_replay_made {
    uint32_t owner, number;
    uint32_t offset, behind, size;
    uint32_t spare;
};

/* -- RECORD */
enum veer_replay_state {
    REPLAY_BEGUN = 1, /* the process ended before the entry returned */
    REPLAY_RETURNED,
    REPLAY_REFUSED /* a precondition does not hold */
};
enum { REPLAY_NAME = 120, REPLAY_NAMES = 256, REPLAY_RESULT = 1 << 16, REPLAY_OUTPUTS = 1 << 20 };

struct veer_replay_asked {
    uint32_t count, spare;
    char name[REPLAY_NAME];
};

struct veer_replay_record {
    uint32_t state;
    uint32_t result_length, output_length;
    uint32_t asked_count;
    uint64_t spare[6];
    struct veer_replay_asked asked[REPLAY_NAMES]; /* how often numbers of that name were asked for */
    uint8_t result[REPLAY_RESULT];           /* the bytes of all results, as in the campaign */
    uint8_t outputs[REPLAY_OUTPUTS];         /* records of struct veer_output, each followed by its bytes, as in the campaign */
};

extern const struct veer_replay_header *veer_replay_data;
extern struct veer_replay_record *veer_replay_record;

/* -- data.c */
const struct veer_replay_root *veer_replay_root(uint32_t index);
const struct veer_replay_object *veer_replay_object(uint32_t number); /* from 1 on */
const struct veer_replay_link *veer_replay_link(uint32_t index);
const struct veer_replay_call *veer_replay_call(uint32_t index);
uint32_t veer_replay_receiver(uint32_t index);
const struct veer_replay_made *veer_replay_made(uint32_t index);
const void *veer_replay_bytes(uint32_t place);
void veer_replay_map(const char *data, const char *record);

/* -- objects.c */
void *veer_replay_address(uint32_t number);                                     /* of an object; its block is made at the first question */
void veer_replay_learn(const struct veer_type *type);                           /* the functions of pointer types, and initialisers */
void veer_replay_fill(void *place, uint32_t size, const struct veer_replay_root *root); /* its bytes, and pointers to what it leads to */

int veer_replay_is_freed(uint32_t number);
void veer_replay_note_freed(uint32_t number);

/* -- sequence.c */
uint64_t veer_replay_pool_object(uint32_t pool, uint32_t number); /* its address; 0: there is none */
void veer_replay_tell_pools(void);                                /* by records of their objects */

/* -- inputs.c */
const struct veer_replay_root *veer_replay_take(const char *name);        /* the next input of that name; NULL: the recorded run looked at none */
const struct veer_replay_root *veer_replay_find(const char *name);
int veer_replay_has(const char *name, uint32_t occurrence);        /* the first one, which is not taken */
void veer_replay_append(const void *bytes, uint32_t size);           /* to the results */

/* -- outputs.c: an event that specifications see, with what is told of it */
void veer_replay_event(uint32_t event, const long *told, uint32_t count);

/* -- counted.c */
void veer_replay_keep_counters(void);
void veer_replay_restore_counters(void);

/* -- files.c */
void veer_replay_begin_files(void); /* from now on the program sees no file of the machine's */

/* -- heap.c: whose malloc is the program's, too */
extern void (*veer_replay_on_free)(uintptr_t block);
extern int veer_replay_fills; /* from now on new blocks are not zeros */

/* -- versions.c */
void veer_replay_witness(uint32_t kind, uint32_t number, const void *place); /* what lies where two versions differ, if it is seen from that place */

/* -- outputs.c */
void veer_replay_output(uint32_t kind, uint32_t number, const void *address, uint32_t size);
uint32_t veer_replay_readable(uint64_t address, uint32_t most); /* how many bytes can be read there */

/* -- main.c */
_Noreturn void veer_replay_end(enum veer_replay_state state, int code);
#endif
