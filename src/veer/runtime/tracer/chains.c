/* Chains of equalities over one value: a switch asks its cases in their order, a pin the values that any run saw. */
#include "engine/arena.h"
#include "engine/bits.h"
#include "events.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "verify.h"
#include "words.h"

enum { MAX_PINS = 1024 }; /* links of one chain that a run asks */

void veer_switch(uint32_t shadow, uint64_t value, uint32_t width, uint32_t first_site, uint32_t count, const uint64_t *cases) {
    uint64_t mask = mask_of(width);
    shadow = veer_settle(shadow, first_site);
    if (!veer_symbolic(shadow) || veer_past_bound()) return;
    veer_verify(shadow, value);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t holds = (cases[k] & mask) == (value & mask);
        uint32_t constant = veer_constant(width, cases[k] & mask);
        uint32_t literal = constant ? veer_expression(VEER_OP_EQ, 1, shadow, constant, 0) : 0;
        veer_event(VEER_KIND_BRANCH, literal, holds, first_site + k);
        if (holds) return;
    }
}

/* One link of a pin: GUARD `shadow == candidate`. */
static void pin_link(uint32_t shadow, uint32_t width, uint64_t candidate, uint32_t holds, uint32_t site) {
    uint32_t constant = veer_constant(width, candidate);
    uint32_t literal = constant ? veer_expression(VEER_OP_EQ, 1, shadow, constant, 0) : 0;
    veer_event(VEER_KIND_GUARD, literal, holds, site);
}

/* Appends `value` to the chain behind `*link`; 0 if the table is full. */
static int append_pin(uint32_t *link, uint64_t value) {
    struct veer_pin_link *pins = VEER_REGION(struct veer_pin_link, PINS);
    uint32_t index = pins[0].next + 1;
    if (index >= VEER_PINS_CAPACITY) return 0;
    pins[index] = (struct veer_pin_link){.value = value};
    pins[0].next = index;
    *link = index;
    return 1;
}

/* Fixes a symbolic value to the one it has. All values that any run of the campaign saw are asked in the order of their
   discovery, up to the one that holds, so that the chain of guards is the same whoever walks it first. */
void veer_pin(uint32_t shadow, uint64_t value, uint32_t width, uint32_t site) {
    uint64_t known;
    shadow = veer_settle(shadow, site);
    if (!veer_symbolic(shadow) || veer_past_bound() || veer_is_constant(shadow, &known)) return;
    struct veer_pin_link *pins = VEER_REGION(struct veer_pin_link, PINS);
    uint32_t *link = &VEER_REGION(uint32_t, PIN_FIRST)[shadow];
    value &= mask_of(width);
    veer_verify(shadow, value);
    VEER_CONTROL->pinned_operations++;
    for (uint32_t asked = 0; asked < MAX_PINS; asked++) {
        if (*link == 0 && !append_pin(link, value)) break;
        uint32_t holds = pins[*link].value == value;
        pin_link(shadow, width, pins[*link].value, holds, site);
        if (holds) {
            if (width > 1) veer_mark_pinned(shadow);
            return;
        }
        link = &pins[*link].next;
    }
    VEER_CONTROL->pinned_operations--;
    veer_unsupported(site, VEER_LOSS_ADDRESS);
}
