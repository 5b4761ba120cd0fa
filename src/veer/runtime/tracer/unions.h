/* Unions with pointers among their members. */
#ifndef VEER_UNIONS_H
#define VEER_UNIONS_H
#include "leaf_state.h"
#include "places.h"

#define VEER_UNION_OFFSET 0x40000000u /* added to the offset of such a place: which of several pointers lies there */

struct veer_unions {
    uint32_t are_there; /* whether pointers were offered in this run */
};
VEER_STATE_FITS(unions);
#define UNIONS VEER_STATE(unions)

void veer_unions_begin(void);
void veer_offer_members(uint64_t address, const struct veer_type *type, struct veer_place place);
void veer_take_member(uint64_t address, uint32_t is_pointer, uint32_t name, uint32_t site);
int veer_is_offered(uint64_t address);
void veer_read_member(uint64_t address, uint32_t size, uint32_t site);
#endif
