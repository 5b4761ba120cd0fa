/* Which objects that are there a pointer input may lead to. */
#ifndef VEER_ALIASES_H
#define VEER_ALIASES_H
#include "veer_harness.h"

struct veer_input_object;

int veer_object_fits(struct veer_input_object *object, const struct veer_type *pointer, uint32_t site);
int veer_may_alias(const struct veer_type *made, const struct veer_type *wanted);
int veer_leads_into(const struct veer_input_object *object, const struct veer_type *pointer, uint64_t *inside);
#endif
