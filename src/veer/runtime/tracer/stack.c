/* The stack of the unit's locals: its frames, and the one around an address. */
#include "stack.h"

#include "veer_runtime.h"
#include "words.h"

/* Clears what the last run left; no frame reaches below the first one. */
void veer_stack_begin(void) {
    if (STACK->end > VEER_FIRST_FRAME) veer_fill_words(VEER_FIRST_FRAME, STACK->end - VEER_FIRST_FRAME, 0);
    STACK->end = VEER_FIRST_FRAME;
    STACK->count = 0;
    VEER_HOT->stack_pointer = VEER_FIRST_FRAME;
}

/* The live frame with the greatest base that is not behind the address. */
struct veer_local_frame *veer_local_before(uint64_t address) {
    struct veer_local_frame *frames = STACK->frames;
    uint32_t low = 0, high = STACK->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (frames[middle].base <= address) low = middle + 1;
        else high = middle;
    }
    return low ? &frames[low - 1] : NULL;
}
