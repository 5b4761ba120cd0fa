#include "tracks.h"
#include "veer_shared.h"
#include <stdlib.h>

/* The objects of the leaves that were asked for. */
static void find_objects(void)
{
    const uint32_t *drawn = VEER_REGION(uint32_t, DRAWN);
    TRACKS->object_count = 0;
    for (uint32_t k = 0; k < VEER_CONTROL->drawn_count; k++) {
        uint32_t object = VEER_LEAVES[drawn[k]].object, i = TRACKS->object_count;
        while (i > 0 && TRACKS->objects[i - 1] != object)
            i--;
        if (i || TRACKS->object_count == MOST_TRACKS)
            continue;
        TRACKS->objects[TRACKS->object_count++] = object;
    }
}

static int is_listed(uint32_t object)
{
    for (uint32_t i = TRACKS->object_count; i > 0; i--)
        if (TRACKS->objects[i - 1] == object)
            return 1;
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct veer_leaf *left = &VEER_LEAVES[*(const uint32_t *)a], *right = &VEER_LEAVES[*(const uint32_t *)b];
    if (left->object != right->object)
        return left->object < right->object ? -1 : 1;
    return left->offset < right->offset ? -1 : left->offset > right->offset;
}

static int goes_on(const struct veer_leaf *last, const struct veer_leaf *leaf)
{
    return leaf->object == last->object && leaf->width == last->width && leaf->kind == last->kind &&
           leaf->kind != VEER_LEAFKIND_CHOICE && leaf->offset == last->offset + last->width / 8;
}

int veer_tracks_begin(void)
{
    uint32_t count = 0, previous = VEER_NONE;
    int is_known = 0;
    find_objects();
    for (uint32_t leaf = 0; leaf < VEER_CONTROL->leaf_count && count < MOST_PLACES; leaf++) {
        if (VEER_LEAVES[leaf].object != previous)
            is_known = is_listed(previous = VEER_LEAVES[leaf].object);
        if (is_known && VEER_LEAVES[leaf].width >= 8)
            TRACKS->leaves[count++] = leaf;
    }
    qsort(TRACKS->leaves, count, sizeof *TRACKS->leaves, by_place);
    TRACKS->count = 0;
    for (uint32_t k = 0; k < count; k++) {
        const struct veer_leaf *leaf = &VEER_LEAVES[TRACKS->leaves[k]];
        const struct veer_leaf *last = k ? &VEER_LEAVES[TRACKS->leaves[k - 1]] : NULL;
        if (last && goes_on(last, leaf)) {
            struct track *track = &TRACKS->of[TRACKS->count - 1];
            track->count++;
            track->is_together &= leaf->input_offset == last->input_offset + track->bytes;
            continue;
        }
        if (TRACKS->count == MOST_TRACKS)
            break;
        TRACKS->of[TRACKS->count++] = (struct track){k, 1, leaf->width / 8u, leaf->kind, 1};
    }
    TRACKS->leaf_count = count;
    return TRACKS->count > 0;
}
