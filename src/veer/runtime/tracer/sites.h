/* Where the run is: sites and call strings. */
#ifndef VEER_SITES_H
#define VEER_SITES_H
#include "veer_runtime.h"

/* Site of the innermost call under way. */
static inline uint32_t veer_here(void) {
    return VEER_HOT->depth > 0 ? VEER_HOT->frames[VEER_HOT->depth - 1].site : VEER_NONE;
}

uint32_t veer_context(void);
int veer_is_library_site(uint32_t site);
uint32_t veer_user_site(uint32_t site); /* a site of veer's own libc as the call that led there */
#endif
