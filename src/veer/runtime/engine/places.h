/* Where each module of the engine keeps what it does not share with Python.

   All of it lies in one mapping at a fixed address, far from the program's data, in executors and in Python's process alike:
   a wild write of the unit is unlikely to hit it, and a field is as cheap to reach as a global variable.
   A module's header (or, for what nobody else looks at, its .c file) says what the state is:

       struct trail_state { ... };
       ENGINE_STATE_FITS(trail);
       #define TRAIL ENGINE_STATE(trail)

   The room is given here. Large arrays cost address space only: pages are touched as they are used. */
#ifndef ENGINE_PLACES_H
#define ENGINE_PLACES_H
#include "veer_wire.h"
#include <stddef.h>

#define FOR_EACH_ENGINE_PLACE(PLACE) \
    PLACE(attachment, 0x40)          \
    PLACE(ladder, 0x40)              \
    PLACE(slice, 0x90a040)           \
    PLACE(arena, 0x150440)           \
    PLACE(support, 0x420040)         \
    PLACE(leaves, 0x540040)          \
    PLACE(ledger, 0x8040)            \
    PLACE(tables, 0x40040)           \
    PLACE(blocks, 0x40040)           \
    PLACE(paths, 0xc0040)            \
    PLACE(solutions, 0x6000040)      \
    PLACE(grid, 0x100040)            \
    PLACE(ranges, 0x180040)          \
    PLACE(bounds, 0x42040)           \
    PLACE(unwritten, 0x1c040)        \
    PLACE(lanes, 0x2100040)          \
    PLACE(trail, 0xca00080)          \
    PLACE(expansion, 0x8400040)      \
    PLACE(tracks, 0x43080)           \
    PLACE(mutation, 0x8080)          \
    PLACE(finds, 0x100040)           \
    PLACE(frontier, 0x200040)        \
    PLACE(evaluator, 0x1c040040)

struct engine_places {
#define ENGINE_ROOM(module, bytes) _Alignas(64) uint8_t module[bytes];
    FOR_EACH_ENGINE_PLACE(ENGINE_ROOM)
#undef ENGINE_ROOM
};

#define ENGINE_BASE ((uint8_t *)(uintptr_t)(VEER_PRIVATE_BASE + 0x10000000ull))
#define ENGINE_STATE(module) ((struct module##_state *)(void *)(ENGINE_BASE + offsetof(struct engine_places, module)))
#define ENGINE_STATE_FITS(module) \
    _Static_assert(sizeof(struct module##_state) <= sizeof(((struct engine_places *)0)->module), "more room in places.h")
#endif
