/* Two versions of the unit's entry that run on the same input, one after the other (decision 0480). */
#ifndef VEER_VERSIONS_H
#define VEER_VERSIONS_H
#include "places.h"

struct veer_versions {
    uint32_t is_second;  /* the new version is under way, or has been */
    uint32_t site;       /* of the harness: what is compared behind the calls is compared there */
    uint32_t old_length; /* bytes of results before it */
    uint32_t old_count;
};
VEER_STATE_FITS(versions);
#define VERSIONS VEER_STATE(versions)

void veer_versions_begin(void);
int veer_goes_on(void);       /* behind the old version: whether the new one is to run */
void veer_second_begins(void);
void veer_second_ends(void);
#endif
