/* Call strings, hash-consed as (parent, call site). Context 0 is the empty one. */
#include "contexts.h"
#include "hash.h"
#include "ledger.h"
#include "publish.h"
#include "veer_shared.h"

#define CONTEXTS VEER_REGION(struct veer_context, CONTEXTS)
#define TABLE VEER_REGION(uint32_t, CONTEXT_TABLE)

void veer_contexts_attach(void)
{
    CONTEXTS[0] = (struct veer_context){VEER_NONE, VEER_NONE};
    PUBLISH(VEER_CONTROL->context_count, 1);
}

uint32_t veer_intern_context(uint32_t parent, uint32_t site)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t used = control->context_count;
    uint32_t slot = (uint32_t)mix((uint64_t)parent << 32 | site, 1) & (VEER_CONTEXT_TABLE_CAPACITY - 1);
    for (;; slot = (slot + 1) & (VEER_CONTEXT_TABLE_CAPACITY - 1)) {
        uint32_t at = TABLE[slot];
        if (at == 0 || at >= used) /* the latter was left by a process that died before it published */
            break;
        if (CONTEXTS[at].parent == parent && CONTEXTS[at].site == site)
            return at;
    }
    if (used >= VEER_CONTEXTS_CAPACITY) {
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_CONTEXTS);
        return VEER_NONE;
    }
    CONTEXTS[used] = (struct veer_context){parent, site};
    __atomic_store_n(&TABLE[slot], used, __ATOMIC_RELEASE);
    PUBLISH(control->context_count, used + 1);
    return used;
}
