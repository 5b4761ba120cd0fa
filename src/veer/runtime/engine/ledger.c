/* The ledger: where precision was lost, one entry a (kind, site), with a count. */
#include "ledger.h"
#include "hash.h"
#include "places.h"
#include "publish.h"
#include "veer_shared.h"

enum { LEDGER_TABLE = 1 << 13 };

struct ledger_state {
    uint32_t of[LEDGER_TABLE];
};
ENGINE_STATE_FITS(ledger);
#define HINTS ENGINE_STATE(ledger)

#define LEDGER VEER_REGION(struct veer_ledger_entry, LEDGER)

enum { RESERVED = 32 }; /* entries kept for "this kind, some site" once the table is nearly full */

/* The entry's index, or the count if there is none. */
static uint32_t find(uint32_t kind, uint32_t site, uint32_t count)
{
    uint32_t *hint = &HINTS->of[mix(kind, site) & (LEDGER_TABLE - 1)];
    if (*hint < count && LEDGER[*hint].kind == kind && LEDGER[*hint].site == site)
        return *hint;
    for (uint32_t i = 0; i < count; i++) {
        if (LEDGER[i].kind == kind && LEDGER[i].site == site) {
            *hint = i;
            return i;
        }
    }
    return count;
}

void veer_note_loss(uint32_t kind, uint32_t site)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t count = control->ledger_count, at = find(kind, site, count);
    if (at == count && count + RESERVED >= VEER_LEDGER_CAPACITY) {
        site = VEER_NONE;
        at = find(kind, site, count);
        if (at == VEER_LEDGER_CAPACITY)
            return;
    }
    if (at == count) {
        LEDGER[at] = (struct veer_ledger_entry){kind, site, 1};
        PUBLISH(control->ledger_count, count + 1);
    } else {
        LEDGER[at].count++;
    }
}
