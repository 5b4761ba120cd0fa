/* The memory that an executor shares with Python, at one address in executors and in the library that Python loads. */
#ifndef VEER_SHARED_H
#define VEER_SHARED_H
#include "veer_wire.h"

#define VEER_SHARED ((uint8_t *)(uintptr_t)VEER_SHARED_BASE)
#define VEER_CONTROL ((struct veer_control *)VEER_SHARED)
#define VEER_REGION(type, NAME) ((type *)(VEER_SHARED + VEER_##NAME##_OFFSET))
#define VEER_NODES VEER_REGION(struct veer_node, NODES)
#define VEER_LEAVES VEER_REGION(struct veer_leaf, LEAVES)
#define VEER_OBJECTS VEER_REGION(struct veer_object, OBJECTS)
#define VEER_TRACE VEER_REGION(struct veer_event, TRACE)
#define VEER_PATHS VEER_REGION(struct veer_path, PATHS)
#define VEER_INPUTS VEER_REGION(uint8_t, INPUTS)
#define VEER_REPORTS VEER_REGION(struct veer_report, REPORTS)
#define VEER_IDS VEER_REGION(uint32_t, IDS)
#endif
