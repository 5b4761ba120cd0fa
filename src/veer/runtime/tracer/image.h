/* Where the parts of the executable lie. */
#ifndef VEER_IMAGE_H
#define VEER_IMAGE_H
#include "places.h"

struct veer_image {
    uint64_t begin, end, text_end;
    uint64_t break_begin; /* of the program break */
    uint64_t data_begin, data_end, const_begin, const_end; /* the unit's globals, writable and constant */
};
VEER_STATE_FITS(image);
#define IMAGE VEER_STATE(image)
#endif
