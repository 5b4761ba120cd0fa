/* Accesses of registers of the program's machine (libc/devices.c says what is read there). */
#include "calling.h"
#include "growth.h"
#include "memory_map.h"
#include "regions.h"
#include "sites.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "words.h"

/* An address in a region that may be an input is one of the values that it can have: each of them is a path of its own. An object of the
   unit that lies there is what is meant. */
uint64_t veer_device_at(const void *place, uint32_t is_computed) {
    uint64_t address = (uint64_t)(uintptr_t)place;
    uint32_t shadow = veer_argument((void *)veer_device_at, 0), site = veer_here();
    VEER_HOT->callee = 0;
    if (address < VEER_LOW_END && veer_words(address)[0]) return 0;
    for (uint32_t k = 0; k < REGIONS->count; k++) {
        if (address < REGIONS->of[k].begin || address >= REGIONS->of[k].end) continue;
        if (veer_symbolic(shadow)) veer_pin(veer_settle(shadow, site), address, 64, site);
        return address;
    }
    return is_computed ? address | VEER_COMPUTED_ADDRESS : 0;
}

/* Whether one more read of a register is an input: as often as the bound says. */
uint32_t veer_read_is_input(const char *root, uint32_t reads, uint32_t usual) {
    (void)root;
    VEER_HOT->callee = 0;
    if (reads < veer_grown(VEER_BOUND_READS, usual)) return 1;
    veer_meet_bound(VEER_BOUND_READS);
    return 0;
}
