/* Which elements of an input there are: decided when they are first touched. */
#ifndef VEER_ELEMENTS_H
#define VEER_ELEMENTS_H
#include "places.h"
#include "veer_harness.h"

#define VEER_MAX_CHARACTERS (1u << 18)

struct veer_chunk;
struct veer_found;
struct veer_input_object;

struct veer_elements {
    uint32_t untouched; /* word of concrete bytes whose existence nobody has asked for yet: a constant's id */
    uint32_t character_count;
    uint32_t characters[VEER_MAX_CHARACTERS]; /* leaves of the strings' characters */
};
VEER_STATE_FITS(elements);
#define ELEMENTS VEER_STATE(elements)

static inline int veer_has_length(const struct veer_type *pointer) { return pointer->extent == VEER_EXTENT_LENGTH; }

void veer_elements_begin(void);
uint32_t veer_length_literal(const struct veer_input_object *object, uint64_t index, int *holds);
uint32_t veer_first_element(const struct veer_input_object *object);
void veer_element_exists(struct veer_input_object *object, uint64_t index, uint32_t kind, uint32_t site);
void veer_touch(uint32_t leaf, uint32_t site);
void veer_find_end(const struct veer_chunk *chunk, uint32_t site);
void veer_end_is_seen(const struct veer_chunk *chunk, uint64_t size, uint32_t site);
int veer_varies(const struct veer_input_object *object);
uint32_t veer_concrete_word(const struct veer_found *object);
void veer_mark_untouched(uint64_t address, uint64_t size);
void veer_behind_choice(const struct veer_found *object, uint32_t site);
#endif
