/* An object of any kind, as found around an address. */
#ifndef VEER_FOUND_H
#define VEER_FOUND_H
#include <stdint.h>

struct veer_chunk;
struct veer_input_object;
struct veer_sized;

struct veer_found {
    uint64_t base;
    uint64_t size;
    uint64_t capacity; /* size that does not depend on the run's input: bounds are stated with it */
    const char *region; /* "heap", "global", "local"; NULL = nothing found */
    const char *name;
    struct veer_chunk *chunk;
    struct veer_input_object *input;
    struct veer_sized *extent; /* its size is symbolic; NULL = it is not */
};

/* From an address to an object; 0 within. */
static inline uint64_t veer_distance(uint64_t address, uint64_t base, uint64_t size) {
    if (address < base) return base - address;
    return address < base + size ? 0 : address - (base + size) + 1;
}
#endif
