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
#include <sys/mman.h>

struct attachment_state {
    uint32_t attached;
};
ENGINE_STATE_FITS(attachment);
#define ATTACHMENT ENGINE_STATE(attachment)

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#ifdef VEER_LIBRARY
uint8_t *veer_shared;
uint8_t *veer_engine_state;
#endif

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

#ifdef VEER_LIBRARY
/* Takes `shared` (VEER_SHARED_SIZE bytes) as the campaign; what was attached before is left. NULL only leaves. */
void veer_attach(void *shared)
{
    if (veer_engine_state)
        munmap(veer_engine_state, sizeof(struct engine_places));
    veer_engine_state = NULL;
    veer_shared = shared;
    if (!shared)
        return;
    void *memory =
        mmap(NULL, sizeof(struct engine_places), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return;
    veer_engine_state = memory;
    attach();
}
#else
/* Before main: the private mapping between two guard pages (addresses around it are never mapped by veer). */
__attribute__((constructor)) static void map_private(void)
{
    mmap((void *)(uintptr_t)ENGINE_BASE, sizeof(struct engine_places), PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
}
#endif
