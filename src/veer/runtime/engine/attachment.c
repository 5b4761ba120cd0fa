/* Where the engine keeps what it does not share, and how it joins a campaign that may be half done. */
#include "attachment.h"
#include "arena.h"
#include "contexts.h"
#include "evaluate.h"
#include "leaves.h"
#include "paths.h"
#include "places.h"
#include "publish.h"
#include "solutions.h"
#include "support.h"
#include "tables.h"
#include "trail.h"
#include "tree.h"
#include "veer_shared.h"

struct attachment_state {
    uint32_t attached;
};
ENGINE_STATE_FITS(attachment);
#define ATTACHMENT ENGINE_STATE(attachment)

static void attach(void)
{
    struct veer_control *control = VEER_CONTROL;
    ATTACHMENT->attached = 1;
    veer_evaluate_attach();
    veer_solutions_attach();
    if (control->node_count < VEER_FIRST_EXPRESSION)
        PUBLISH(control->node_count, VEER_FIRST_EXPRESSION);
    if (control->context_count == 0)
        veer_contexts_attach();
    veer_support_attach();
    veer_tables_attach();
    veer_arena_attach();
    veer_leaves_attach();
    veer_tree_attach();
    veer_paths_attach();
    veer_trail_attach();
}

/* Joins the campaign in the shared memory, once a process. Everything private is rebuilt from published records. */
void veer_engine_ready(void)
{
    if (!ATTACHMENT->attached)
        attach();
}
