/* Numbers that formatted input reads, and that nobody has looked at yet. The text is known to be a number, and its characters are kept;
   which digits, signs and exponents it has is decided where a byte of the number is used. What nobody uses has one path, not one for
   each way in which a number can be written.

       words of the number    bytes of DEFERRED(k), which copies keep
       its bytes              those of this run's value
       the first use          read(k): veer's own libc reads the kept text, and takes its decisions
       each byte that is used its word is the one of the value from then on */
#include "deferred.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calling.h"
#include "engine/arena.h"
#include "flows.h"
#include "globals.h"
#include "memory_map.h"
#include "open_calls.h"
#include "sites.h"
#include "veer_shared.h"
#include "within.h"
#include "words.h"

void veer_deferred_begin(void) { DEFERRED->count = 0; }

/* A number that does not fit sets errno, and who reads that decides what the number is. */
static int is_possible(uint64_t address, uint32_t size, uint32_t number) {
    const struct veer_control *control = VEER_CONTROL;
    if (&veer_reads_errno || control->is_concrete || control->is_compared || control->compositional || veer_has_flows()) return 0;
    return number < VEER_MOST_DEFERRED && address < VEER_LOW_END - size && veer_words(address)[0] != 0 && !veer_may_be_overwritten(address);
}

/* The value as the machine's libc has it, which leaves errno alone. */
static void store_value(void *to, uint32_t size, const char *text) {
    int error = errno;
    if (size == sizeof(double)) *(double *)to = strtod(text, NULL);
    else *(float *)to = strtof(text, NULL);
    errno = error;
}

int veer_defer_number(void *to, const void *value, uint32_t size, uint32_t number, void (*read)(uint32_t number), const char *text) {
    uint64_t address = (uint64_t)(uintptr_t)to;
    uint32_t shadow = veer_argument((const void *)veer_defer_number, 0);
    VEER_HOT->callee = 0;
    if (veer_symbolic(shadow) || !is_possible(address, size, number)) return 0;
    if (!veer_symbolic_range((uint64_t)(uintptr_t)text, strlen(text))) return 0;
    uint32_t expression = veer_arena_intern(VEER_OP_DEFERRED, 64, 0, 0, 0, number);
    if (!expression) return 0;
    store_value(to, size, text);
    veer_note_dirty(address, size);
    for (uint32_t k = 0; k < size; k++) veer_words(address)[k] = k << VEER_FRAGMENT_SHIFT | expression;
    DEFERRED->of[number].value = (uint64_t)(uintptr_t)value;
    DEFERRED->of[number].read = (uint64_t)(uintptr_t)read;
    DEFERRED->of[number].site = veer_user_site(veer_here());
    DEFERRED->of[number].is_read = 0;
    if (number >= DEFERRED->count) DEFERRED->count = number + 1;
    return 1;
}

static uint64_t value_of(uint32_t number) {
    if (!DEFERRED->of[number].is_read) {
        DEFERRED->of[number].is_read = 1;
        veer_call_within(DEFERRED->of[number].read, number, DEFERRED->of[number].site);
    }
    return DEFERRED->of[number].value;
}

/* Numbers of which a byte lies in the range are read, and these bytes have the words of their values. */
void veer_read_deferred(uint64_t address, uint64_t size) {
    uint32_t *words = veer_words(address);
    for (uint64_t i = 0; i < size; i++) {
        if (words[i] < VEER_FIRST_EXPRESSION) continue;
        const struct veer_node *node = &VEER_NODES[words[i] & VEER_EXPRESSION_MASK];
        if (node->op == VEER_OP_DEFERRED) words[i] = *veer_words(value_of((uint32_t)node->value) + (words[i] >> VEER_FRAGMENT_SHIFT));
    }
}
