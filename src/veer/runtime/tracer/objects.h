/* Which object an address belongs to. */
#ifndef VEER_OBJECTS_H
#define VEER_OBJECTS_H
#include "found.h"

struct veer_found veer_find_object(uint64_t address);
int veer_foreign(uint64_t address);
#endif
