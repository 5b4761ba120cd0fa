/* Programs for seccomp(2), put together instruction by instruction. They look at one system call: its number, its arguments, and
   where in the program it was made. What is not allowed is refused in the way that `veer_filter_begin` was told. */
#ifndef VEER_FILTER_H
#define VEER_FILTER_H
#include <stdint.h>

/* linux/filter.h, linux/seccomp.h: written down here, for a user's clang may have older headers. */
struct veer_instruction {
    uint16_t code;
    uint8_t if_true, if_false;
    uint32_t value;
};
enum {
    VEER_BPF_LOAD = 0x20,          /* the word at `value` of struct seccomp_data */
    VEER_BPF_EQUAL = 0x15,
    VEER_BPF_AT_LEAST = 0x35,
    VEER_BPF_ANY_BIT = 0x45,
    VEER_BPF_AND = 0x54,
    VEER_BPF_RETURN = 0x06,
};
enum { VEER_SECCOMP_NUMBER = 0, VEER_SECCOMP_MACHINE = 4, VEER_SECCOMP_PLACE = 8, VEER_SECCOMP_ARGUMENTS = 16 };
enum { VEER_SECCOMP_OPERATION = 1, VEER_SECCOMP_LETS_SPECULATE = 4, VEER_SECCOMP_TO_ALL_THREADS = 1 };
#define VEER_MACHINE_X86_64 0xc000003eu
#define VEER_FILTER_KILL 0x80000000u
#define VEER_FILTER_TRAP 0x00030000u
#define VEER_FILTER_ERROR 0x00050000u /* | errno */
#define VEER_FILTER_ALLOW 0x7fff0000u
#define VEER_FILTER_ROOM 2048u

struct veer_filter {
    uint32_t count;
    uint32_t refusal;
    struct veer_instruction code[VEER_FILTER_ROOM];
};

static inline void veer_filter_add(struct veer_filter *filter, uint16_t code, uint32_t value, uint32_t if_true, uint32_t if_false) {
    if (filter->count < VEER_FILTER_ROOM)
        filter->code[filter->count++] = (struct veer_instruction){code, (uint8_t)if_true, (uint8_t)if_false, value};
}

static inline void veer_filter_return(struct veer_filter *filter, uint32_t action) { veer_filter_add(filter, VEER_BPF_RETURN, action, 0, 0); }

static inline void veer_filter_load(struct veer_filter *filter, uint32_t place) { veer_filter_add(filter, VEER_BPF_LOAD, place, 0, 0); }

/* The lower or the upper half of an argument. */
static inline uint32_t veer_filter_low(uint32_t argument) { return VEER_SECCOMP_ARGUMENTS + 8 * argument; }
static inline uint32_t veer_filter_high(uint32_t argument) { return VEER_SECCOMP_ARGUMENTS + 8 * argument + 4; }

static inline void veer_filter_begin(struct veer_filter *filter, uint32_t refusal) {
    filter->count = 0;
    filter->refusal = refusal;
}

/* The rules of one system call stand between these two: they begin with its number loaded, and so does what follows. What no rule
   returns for is allowed or refused, as `otherwise` says. */
static inline uint32_t veer_filter_call(struct veer_filter *filter, uint32_t number) {
    veer_filter_add(filter, VEER_BPF_EQUAL, number, 0, 0);
    return filter->count - 1;
}
static inline void veer_filter_end_call(struct veer_filter *filter, uint32_t head, uint32_t otherwise) {
    veer_filter_return(filter, otherwise);
    filter->code[head].if_false = (uint8_t)(filter->count - head - 1);
}

/* Returns `action` where the lower half of the argument is this value. */
static inline void veer_filter_on_value(struct veer_filter *filter, uint32_t argument, uint32_t value, uint32_t action) {
    veer_filter_load(filter, veer_filter_low(argument));
    veer_filter_add(filter, VEER_BPF_EQUAL, value, 0, 1);
    veer_filter_return(filter, action);
}

/* Returns `action` where the upper half of the argument is at least `from` and below `to`. */
static inline void veer_filter_on_high(struct veer_filter *filter, uint32_t argument, uint32_t from, uint32_t to, uint32_t action) {
    veer_filter_load(filter, veer_filter_high(argument));
    veer_filter_add(filter, VEER_BPF_AT_LEAST, from, 0, 2);
    veer_filter_add(filter, VEER_BPF_AT_LEAST, to, 1, 0);
    veer_filter_return(filter, action);
}

/* The same for addresses below 2^32: by the lower half, where the upper one is 0. */
static inline void veer_filter_on_low(struct veer_filter *filter, uint32_t argument, uint32_t from, uint32_t to, uint32_t action) {
    veer_filter_load(filter, veer_filter_high(argument));
    veer_filter_add(filter, VEER_BPF_EQUAL, 0, 0, 4);
    veer_filter_load(filter, veer_filter_low(argument));
    veer_filter_add(filter, VEER_BPF_AT_LEAST, from, 0, 2);
    veer_filter_add(filter, VEER_BPF_AT_LEAST, to, 1, 0);
    veer_filter_return(filter, action);
}

/* Returns `action` where one of these bits is set in the lower half. */
static inline void veer_filter_on_bits(struct veer_filter *filter, uint32_t argument, uint32_t bits, uint32_t action) {
    veer_filter_load(filter, veer_filter_low(argument));
    veer_filter_add(filter, VEER_BPF_ANY_BIT, bits, 0, 1);
    veer_filter_return(filter, action);
}
#endif
