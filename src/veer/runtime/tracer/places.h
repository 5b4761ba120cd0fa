/* Where each module of the tracer keeps its state.

   All of it lies in one mapping of its own, so that a wild write in the unit's data cannot reach it by a small offset. Addresses are
   constants, so that a field is as cheap to reach as a global variable. A module's header (or, for what nobody else looks at, its .c
   file) says what the state is:

       struct veer_chunks { ... };
       VEER_STATE_FITS(chunks);
       #define CHUNKS VEER_STATE(chunks)

   The room is given here. What is small comes first, close together; tables cost address space only, until they are used. */
#ifndef VEER_PLACES_H
#define VEER_PLACES_H
#include <stddef.h>

#include "memory_map.h"

#define VEER_FOR_EACH_PLACE(PLACE) \
    PLACE(process, 0x40)           \
    PLACE(guard, 0x40)             \
    PLACE(run, 0x100)              \
    PLACE(image, 0x40)             \
    PLACE(bounds, 0x40)            \
    PLACE(uninitialised, 0x1040)   \
    PLACE(unions, 0x40)            \
    PLACE(slot_index, 0x40)        \
    PLACE(input_leaves, 0x40)      \
    PLACE(waiting, 0x1040)         \
    PLACE(sequences, 0x1040)       \
    PLACE(open_streams, 0x640)     \
    PLACE(made_before, 0x40)       \
    PLACE(extents, 0x18040)        \
    PLACE(input_objects, 0x140040) \
    PLACE(chunks, 0x6400040)       \
    PLACE(stack, 0x500040)         \
    PLACE(globals, 0x28040)        \
    PLACE(alternatives, 0x80040)   \
    PLACE(elements, 0x100040)      \
    PLACE(roots, 0x80040)          \
    PLACE(open_calls, 0x402840)    \
    PLACE(library, 0x1040)         \
    PLACE(callees, 0x240)          \
    PLACE(regions, 0x1040)         \
    PLACE(mapped, 0xa40)           \
    PLACE(stub_names, 0x7840)      \
    PLACE(left, 0x40)              \
    PLACE(lazy, 0x640)             \
    PLACE(interrupts, 0x40)        \
    PLACE(deferred, 0x240)         \
    PLACE(assertions, 0x40)        \
    PLACE(specifications, 0x100)   \
    PLACE(endings, 0x140)          \
    PLACE(cell_tables, 0x90840)    \
    PLACE(levels, 0x1a0a40)        \
    PLACE(declarations, 0x2840)    \
    PLACE(events, 0x4000040)       \
    PLACE(leaf_states, 0x2a00040)  \
    PLACE(coverage_copy, 0x1000040) \
    PLACE(versions, 0x40)          \
    PLACE(left_over, 0x2d0000)     \
    PLACE(comparison, 0x10040)

/* The same for flows (flows.h), in a mapping that exists only when it is asked for. */
#define VEER_FOR_EACH_FLOW_PLACE(PLACE) \
    PLACE(flow_control, 0x6800c0)       \
    PLACE(flow_map, 0x2800040)          \
    PLACE(flow_facts, 0x20040)          \
    PLACE(flow_sets, 0x280040)

#define VEER_ROOM(module, bytes) _Alignas(64) uint8_t module[bytes];
struct veer_places {
    VEER_FOR_EACH_PLACE(VEER_ROOM)
};
struct veer_flow_places {
    VEER_FOR_EACH_FLOW_PLACE(VEER_ROOM)
};
#undef VEER_ROOM
_Static_assert(sizeof(struct veer_places) <= VEER_PRIVATE_SIZE, "the tracer's state must fit below the engine's");

#define VEER_STATE(module) ((struct veer_##module *)(VEER_PRIVATE_BASE + offsetof(struct veer_places, module)))
#define VEER_STATE_FITS(module) \
    _Static_assert(sizeof(struct veer_##module) <= sizeof(((struct veer_places *)0)->module), "more room in places.h")
#define VEER_FLOW_STATE(module) ((struct veer_##module *)(VEER_FLOW_STATE_BASE + offsetof(struct veer_flow_places, module)))
#define VEER_FLOW_STATE_FITS(module) \
    _Static_assert(sizeof(struct veer_##module) <= sizeof(((struct veer_flow_places *)0)->module), "more room in places.h")
#endif
