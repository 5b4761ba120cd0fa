/* What the two versions of an entry left, for their comparison: copies of bytes and words at the moment that counts. */
#ifndef VEER_LEFT_OVER_H
#define VEER_LEFT_OVER_H
#include "places.h"

#define VEER_MOST_PARTS 2048u
#define VEER_MOST_PART_BYTES (1u << 18)

struct veer_type;

struct veer_leaving {
    uint32_t kind, number; /* enum veer_part */
    uint32_t site;
    uint32_t first, size;  /* of its bytes and words */
    uint32_t is_text;      /* only what lies before the NUL counts */
    uint32_t is_freed;
    uint32_t spare;
    uint64_t address;
    const struct veer_type *type; /* NULL: not known */
};

struct veer_version {
    uint32_t count, length;
    struct veer_leaving parts[VEER_MOST_PARTS];
    uint8_t bytes[VEER_MOST_PART_BYTES];
    uint32_t words[VEER_MOST_PART_BYTES];
};

struct veer_left_over {
    uint32_t is_full; /* more was left than there is room for */
    struct veer_leaving scratch;
    struct veer_version of[2]; /* the old one, the new one */
};
VEER_STATE_FITS(left_over);
#define LEFT_OVER VEER_STATE(left_over)

struct veer_argument;

void veer_left_over_begin(void);
void veer_keep_call(uint32_t stub, const struct veer_argument *arguments, uint32_t count);
void veer_keep_objects(void);
void veer_keep_unseen(void); /* objects that the new version alone has looked into: the old one has left them as they were made */
#endif
