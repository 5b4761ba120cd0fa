/* The addresses of the tracer's own mappings, and the bounds of the unit's memory. Everything from VEER_OWN_BEGIN to VEER_OWN_END
   belongs to veer. */
#ifndef VEER_MEMORY_MAP_H
#define VEER_MEMORY_MAP_H
#include "veer_wire.h"

#define VEER_OWN_BEGIN VEER_SHADOW_BASE
#define VEER_OWN_END 0x400000000000ull
#define VEER_SHADOW_SIZE ((4ull << VEER_LOW_BITS) + VEER_PAGE)
#define VEER_SLOT_INDEX_BASE 0x170000000000ull
#define VEER_OWNERS_BASE 0x180000000000ull
#define VEER_PRIVATE_SIZE 0x0f000000ull
#define VEER_SIGNAL_STACK (VEER_PRIVATE_BASE + 0x0f100000ull)
#define VEER_SIGNAL_STACK_SIZE 0x40000ull
#define VEER_SNAPSHOT_BASE 0x210000000000ull
#define VEER_GLOBALS_BASE 0x220000000000ull
#define VEER_FLOW_STATE_BASE 0x230000000000ull
#define VEER_NATIVE_STACK_BASE 0x400000000000ull
#define VEER_NATIVE_STACK_SIZE 0x10000000ull
#define VEER_LOW_END (1ull << VEER_LOW_BITS)
#define VEER_NULL_END 0x10000ull
#define VEER_REDZONE 16u

/* A range of the unit's memory. */
struct veer_range {
    uint32_t begin, end;
};

static inline int veer_own_address(uint64_t address) { return address >= VEER_OWN_BEGIN && address < VEER_OWN_END; }
#endif
