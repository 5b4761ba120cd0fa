/* Input leaves: their values in the run's input, their cells in memory. */
#ifndef VEER_INPUT_LEAVES_H
#define VEER_INPUT_LEAVES_H
#include "leaf_state.h"
#include "places.h"

struct veer_input_leaves {
    uint32_t initial_length; /* of the run's input before leaves were added */
    uint32_t making; /* STRING or LENGTH input whose elements are being made: index + 1 into INPUT_OBJECTS */
};
VEER_STATE_FITS(input_leaves);
#define INPUT_LEAVES VEER_STATE(input_leaves)

void veer_input_leaves_begin(void);
void veer_input_leaves_forget(void);
uint64_t veer_leaf_input(uint32_t leaf, uint64_t alternatives);
int veer_make_bytes(uint64_t address, uint64_t size, struct veer_place place, uint32_t *first);
void veer_record_leaf(uint32_t leaf);
void veer_record_target(uint32_t leaf);
uint64_t veer_make_leaf(uint64_t address, struct veer_place place, uint32_t width, uint32_t kind, uint64_t low, uint64_t high,
                        uint32_t *made);
void veer_make_pointer(uint64_t address, const struct veer_type *type, struct veer_place place, uint32_t member);
#endif
