/* The objects that pointer inputs lead to. */
#ifndef VEER_INPUT_OBJECTS_H
#define VEER_INPUT_OBJECTS_H
#include "places.h"
#include "veer_harness.h"

#define VEER_MAX_INPUT_OBJECTS (1u << 14)

/* Of the object that is a pointer input's own: it may come to be, it is there, or the pointer leads elsewhere. */
enum veer_object_state { VEER_OBJECT_POSSIBLE = 0, VEER_OBJECT_MADE = 1, VEER_OBJECT_NEVER = 2 };

/* An object that a pointer input leads to, or may lead to. */
struct veer_input_object {
    uint32_t object; /* id in the campaign's table, once it is made */
    uint32_t chunk;
    const struct veer_type *pointer; /* through which type it was made */
    uint32_t element_size;
    uint32_t count;         /* elements that it has in this run */
    uint32_t known;         /* STRING, LENGTH: so many elements are known to exist by decisions */
    uint32_t first_leaf;    /* STRING: index into ELEMENTS->characters of the leaf of character 0 */
    uint32_t length_leaf;   /* LENGTH: leaf that holds the length, or NONE */
    uint64_t length_value;
    uint32_t more_leaf; /* LENGTH: leaf that holds how many elements there are behind those, or NONE (growth.h) */
    uint32_t more;      /* its value */
    uint32_t depth;
    uint32_t leaf;  /* the pointer whose fresh object it is */
    uint32_t state; /* enum veer_object_state */
    uint32_t is_filled; /* its contents are inputs of this run: from its making on, eagerly before */
    uint32_t is_header;  /* its header alone is there: how many elements it has is not decided */
    uint32_t is_settled; /* which elements there are was decided before the call (settled.c) */
};

struct veer_input_objects {
    uint32_t count, made;
    uint32_t graph_depth, most; /* bounds of the graph */
    struct veer_input_object of[VEER_MAX_INPUT_OBJECTS];
};
VEER_STATE_FITS(input_objects);
#define INPUT_OBJECTS VEER_STATE(input_objects)

void veer_input_objects_begin(void);
uint32_t veer_reserve_object(uint32_t leaf, const struct veer_type *pointer, uint32_t depth, uint32_t site);
uint64_t veer_object_address(const struct veer_input_object *object);
void veer_make_object(struct veer_input_object *object, uint32_t site);
void veer_fill_object(struct veer_input_object *object, uint32_t site);
int veer_complete_object(uint64_t address, uint32_t site);
#endif
