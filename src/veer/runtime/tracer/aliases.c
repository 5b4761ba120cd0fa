/* Which objects that are there a pointer input may lead to: by their lengths, by their types. */
#include "aliases.h"

#include <string.h>

#include "elements.h"
#include "growth.h"
#include "input_objects.h"
#include "roots.h"
#include "veer_wire.h"

/* Whether `object` can stand where `pointer` points, as far as lengths go; a pointer to one element asks that it exists. */
int veer_object_fits(struct veer_input_object *object, const struct veer_type *pointer, uint32_t site) {
    const struct veer_type *made = object->pointer;
    switch (pointer->extent) {
    case VEER_EXTENT_STRING: return made->extent == VEER_EXTENT_STRING && veer_maximum(made) <= veer_maximum(pointer);
    case VEER_EXTENT_FIXED: return made->extent == VEER_EXTENT_FIXED && made->maximum >= pointer->maximum;
    case VEER_EXTENT_LENGTH:
        return made->extent == VEER_EXTENT_LENGTH && made->length_unit == pointer->length_unit && made->count == pointer->count &&
               veer_maximum(made) <= veer_maximum(pointer) && made->length && pointer->length && strcmp(made->length, pointer->length) == 0 &&
               object->length_leaf == veer_root_of(pointer->length)->leaf; /* of this very call, in a sequence */
    default: break;
    }
    if (object->count == 0 && made->extent != VEER_EXTENT_LENGTH) return 0;
    veer_element_exists(object, 0, VEER_KIND_ASSUME, site);
    return object->count > 0;
}

static int is_integer(const struct veer_type *type) {
    return type->kind == VEER_TYPE_UNSIGNED || type->kind == VEER_TYPE_SIGNED || type->kind == VEER_TYPE_CHAR;
}

/* Whether an object of the type `made` may stand where one of the type `wanted` is wanted (C11 6.5p7): the same type, by whatever
   name, and integers of one size. model/aliasing.py has the same rule. */
int veer_may_alias(const struct veer_type *made, const struct veer_type *wanted) {
    while (made && wanted && made->id != wanted->id && made->kind == VEER_TYPE_POINTER && wanted->kind == VEER_TYPE_POINTER &&
           made->extent == wanted->extent) {
        made = made->target;
        wanted = wanted->target;
    }
    if (!made || !wanted) return made == wanted;
    if (made->id == wanted->id) return 1;
    if (made->size != wanted->size) return 0;
    if (is_integer(made)) return is_integer(wanted);
    return made->kind == wanted->kind && (made->kind == VEER_TYPE_BOOL || made->kind == VEER_TYPE_FLOAT);
}

/* What a pointer to a part of a larger object is declared to lead to; NULL of all others. */
static const struct veer_type *part_of(const struct veer_type *pointer) {
    return pointer->extent == VEER_EXTENT_FUNCTION ? NULL : (const struct veer_type *)pointer->function;
}

/* Where a pointer leads in an object of its own, in bytes from its beginning (docs/decisions/0575). */
static uint64_t inside_of(const struct veer_type *pointer) { return part_of(pointer) ? pointer->count : 0; }

/* Whether a struct has a member of that type, in a struct within it, too; where the first one lies is added to `inside`. */
static int has_member(const struct veer_type *structure, const struct veer_type *part, uint64_t *inside) {
    uint64_t start = *inside;
    for (uint32_t k = 0; structure->kind == VEER_TYPE_STRUCT && k < structure->count; k++) {
        *inside = start + structure->fields[k].offset;
        if (structure->fields[k].type == part || has_member(structure->fields[k].type, part, inside)) return 1;
    }
    return 0;
}

/* Whether a pointer may lead to an object, and where in it: to its beginning; one that is taken for a part of a larger object to that part of
   such an object, and to what it is declared to lead to, alone or as a member of another object, as the head of a list. */
int veer_leads_into(const struct veer_input_object *object, const struct veer_type *pointer, uint64_t *inside) {
    const struct veer_type *made = object->pointer->target, *part = part_of(pointer);
    *inside = inside_of(pointer);
    if (veer_may_alias(made, pointer->target)) return 1;
    if (!part || !made) return 0;
    *inside = 0;
    return veer_may_alias(made, part) || has_member(made, part, inside);
}
