/* Inputs of any type: structs, unions and arrays of leaves. */
#ifndef VEER_INPUT_VALUES_H
#define VEER_INPUT_VALUES_H
#include "leaf_state.h"

uint32_t veer_scalar_leaf(const struct veer_type *type, struct veer_place place);
uint32_t veer_make_value(uint64_t address, const struct veer_type *type, struct veer_place place);
#endif
