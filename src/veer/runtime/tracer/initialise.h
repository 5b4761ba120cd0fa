/* Initialisers of the user's. */
#ifndef VEER_INITIALISE_H
#define VEER_INITIALISE_H
#include <stdint.h>

struct veer_input_object;

void veer_initialise_object(struct veer_input_object *object, uint32_t site);
#endif
