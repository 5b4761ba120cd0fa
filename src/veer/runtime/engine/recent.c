/* Recent models: what satisfied the slice a moment ago often does again. */
#include "engine.h"

enum { RECENT = 16 };

/* Puts the slice's leaves of one of the last stored inputs into `input`, if the slice holds there. 0 = none does. */
int veer_rung_recent(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length)
{
    const struct slice *slice = &ENGINE->slice;
    uint32_t paths = VEER_CONTROL->path_count;
    for (uint32_t back = 1; back <= RECENT && back <= paths; back++) {
        const struct veer_path *path = &VEER_PATHS[paths - back];
        const uint8_t *model = VEER_INPUTS + path->input_offset;
        if (!veer_slice_holds(literal, want, model, path->input_length))
            continue;
        for (uint32_t i = 0; i < slice->leaf_count; i++)
            veer_set_leaf(slice->leaves[i], veer_leaf_value(slice->leaves[i], model, path->input_length), input);
        if (veer_slice_holds(literal, want, input, length))
            return 1;
    }
    return 0;
}
