/* Accesses of registers of the program's machine (libc/devices.c says what is read there). */
#include "calling.h"
#include "endings.h"
#include "found.h"
#include "growth.h"
#include "image.h"
#include "memory_map.h"
#include "objects.h"
#include "regions.h"
#include "resolve.h"
#include "sites.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "words.h"

#define NEAR (1ull << 20) /* bytes: this close to an object, a number was meant for it */

/* Whether an object of the unit is at or near an address. */
static int is_near_object(uint64_t address) {
    if (address < VEER_NULL_END || address >= VEER_LOW_END) return 0;
    if (address >= IMAGE->begin && address < IMAGE->end + NEAR) return 1;
    struct veer_found found = veer_find_object(address);
    return found.region && veer_distance(address, found.base, found.capacity) <= NEAR;
}

/* Whether a number that starts here is none of a register: that of an object, or of the plain build's own memory. */
static int is_of_unit(uint64_t start) { return (start >= VEER_PLAIN_BEGIN && start < VEER_PLAIN_END) || is_near_object(start); }

/* A number of the input is judged by what it starts from, never by the value that it happens to have. Where this value is an object's, it is a
   register's address in the plain build alone: no test. An address in a region is one of the values that it can have: each is a path. */
uint64_t veer_device_at(const void *place, uint32_t is_computed) {
    uint64_t address = (uint64_t)(uintptr_t)place;
    uint32_t shadow = veer_argument((void *)veer_device_at, 0), site = veer_here();
    VEER_HOT->callee = 0;
    if (is_computed) shadow = veer_settle(shadow, site);
    int is_open = is_computed && veer_symbolic(shadow);
    if (is_open && is_of_unit(veer_start(address, shadow, site))) return 0;
    if (address < VEER_LOW_END && veer_words(address)[0]) {
        if (!is_open) return 0;
        veer_pin(shadow, address, 64, site);
        veer_finish(VEER_OUTCOME_ASSUMPTION);
    }
    if (veer_in_region(address)) {
        if (veer_symbolic(shadow)) veer_pin(veer_settle(shadow, site), address, 64, site);
        return address;
    }
    if (!is_computed || (!is_open && is_of_unit(address))) return 0;
    return address | VEER_COMPUTED_ADDRESS;
}

/* Whether one more read of a register is an input: as often as the bound says. */
uint32_t veer_read_is_input(const char *root, uint32_t reads, uint32_t usual) {
    (void)root;
    VEER_HOT->callee = 0;
    if (reads < veer_grown(VEER_BOUND_READS, usual)) return 1;
    veer_meet_bound(VEER_BOUND_READS);
    return 0;
}

/* The address of 32 bits that one of 64 bits was made of by its sign. */
static uint64_t narrow(uint64_t address) { return address >> 31 == UINT64_MAX >> 31 ? (uint32_t)address : address; }

/* The address of a device's register, where one lies there; 0: there is memory, or nothing. One that hangs on the input is a register's where it
   starts from one, and is each value that it can have: an index that leads from an object to a device is a bug. */
uint64_t veer_machine_register(const void *place) {
    uint64_t address = narrow((uint64_t)(uintptr_t)place);
    uint32_t shadow = veer_argument((void *)veer_machine_register, 0), site = veer_here();
    VEER_HOT->callee = 0;
    if ((address < VEER_LOW_END && veer_words(address)[0]) || !veer_in_region(address)) return 0;
    shadow = veer_settle(shadow, site);
    if (!veer_symbolic(shadow)) return address;
    if (!veer_in_region(narrow(veer_start((uint64_t)(uintptr_t)place, shadow, site)))) return 0;
    veer_pin(shadow, (uint64_t)(uintptr_t)place, 64, site);
    return address;
}
