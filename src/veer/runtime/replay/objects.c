/* The memory graph of a recorded run, in blocks of malloc's of exact size, so that the unit may free them.

   All blocks are made and linked when the first input is made. What a pointer to a function leads to, and which initialiser a type
   has, stands in the harness's tables of types, which become known with each input: such links are set then. */
#include <stdlib.h>
#include <string.h>

#include "replay.h"

enum { TYPES = 1 << 16 };

static const struct veer_type *types[TYPES]; /* by id */
static char **blocks;                        /* by number of the object, less 1 */
static unsigned char *is_initialised, *is_freed;

static void set_links(char *place, uint32_t size, uint32_t first, uint32_t count) {
    for (uint32_t k = first; k < first + count; k++) {
        const struct veer_replay_link *link = veer_replay_link(k);
        const void *target = NULL;
        if (link->offset + sizeof target > size) continue;
        if (link->object) target = blocks[link->object - 1] + link->behind;
        else if (link->type < TYPES && types[link->type]) target = types[link->type]->function;
        memcpy(place + link->offset, &target, sizeof target);
    }
}

static void note_freed(uintptr_t block) {
    for (uint32_t number = 1; number <= veer_replay_data->object_count; number++)
        if ((uintptr_t)blocks[number - 1] == block) is_freed[number - 1] = 1;
}

static void make_blocks(void) {
    uint32_t count = veer_replay_data->object_count;
    blocks = calloc(count + 1, sizeof *blocks);
    is_initialised = calloc(count + 1, 1);
    is_freed = calloc(count + 1, 1);
    for (uint32_t number = 1; number <= count; number++) {
        const struct veer_replay_object *object = veer_replay_object(number);
        char *block = blocks[number - 1] = malloc(object->size);
        if (!block && object->size) abort();
        if (object->size) memcpy(block, veer_replay_bytes(object->bytes), object->size);
    }
    for (uint32_t number = 1; number <= count; number++) {
        const struct veer_replay_object *object = veer_replay_object(number);
        set_links(blocks[number - 1], object->size, object->first_link, object->link_count);
    }
    veer_replay_on_free = note_freed;
    veer_replay_fills = veer_replay_data->made_count != 0;
}

void *veer_replay_address(uint32_t number) {
    if (!blocks) make_blocks();
    return number && number <= veer_replay_data->object_count ? blocks[number - 1] : NULL;
}

/* Pointers to functions of this type, in objects that are there already. */
static void set_functions(const struct veer_type *type) {
    for (uint32_t number = 1; number <= veer_replay_data->object_count; number++) {
        const struct veer_replay_object *object = veer_replay_object(number);
        for (uint32_t k = object->first_link; k < object->first_link + object->link_count; k++)
            if (!veer_replay_link(k)->object && veer_replay_link(k)->type == type->id) set_links(blocks[number - 1], object->size, k, 1);
    }
}

void veer_replay_learn(const struct veer_type *type) {
    if (!type || type->id >= TYPES || types[type->id]) return;
    if (!blocks) make_blocks();
    types[type->id] = type;
    if (type->kind == VEER_TYPE_POINTER && type->extent == VEER_EXTENT_FUNCTION) set_functions(type);
    veer_replay_learn(type->target);
    uint32_t fields = type->kind == VEER_TYPE_STRUCT || type->kind == VEER_TYPE_UNION ? type->count : 0;
    if (type->kind == VEER_TYPE_UNION) fields += type->maximum; /* the pointers of its other members */
    for (uint32_t k = 0; k < fields; k++) veer_replay_learn(type->fields[k].type);
}

/* The user's initialisers of the objects that a link leads to; of what lies behind them first, for theirs may look at it. */
static void initialise(uint32_t number) {
    if (!number || number > veer_replay_data->object_count || is_initialised[number - 1]) return;
    is_initialised[number - 1] = 1;
    const struct veer_replay_object *object = veer_replay_object(number);
    for (uint32_t k = object->first_link; k < object->first_link + object->link_count; k++) initialise(veer_replay_link(k)->object);
    const struct veer_type *type = object->type < TYPES ? types[object->type] : NULL;
    if (!type || type->kind != VEER_TYPE_STRUCT || !type->function) return;
    for (uint32_t k = 0; k < object->count; k++)
        ((void (*)(void *))(uintptr_t)type->function)(blocks[number - 1] + (size_t)k * type->size);
}

void veer_replay_fill(void *place, uint32_t size, const struct veer_replay_root *root) {
    if (!blocks) make_blocks();
    memset(place, 0, size);
    if (!root) return;
    memcpy(place, veer_replay_bytes(root->bytes), root->size < size ? root->size : size);
    set_links(place, size, root->first_link, root->link_count);
    for (uint32_t k = root->first_link; k < root->first_link + root->link_count; k++) initialise(veer_replay_link(k)->object);
}

int veer_replay_is_freed(uint32_t number) { return is_freed[number - 1]; }

void veer_replay_note_freed(uint32_t number) { is_freed[number - 1] = 1; }
