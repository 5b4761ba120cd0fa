/* What has no symbolic meaning: counted, and an entry of the ledger. */
#include "engine/ledger.h"
#include "refusals.h"
#include "sites.h"
#include "veer_runtime.h"
#include "veer_shared.h"

void veer_unsupported(uint32_t site, uint32_t loss) {
    veer_refuse_levels(VEER_REFUSAL_LOSS);
    VEER_CONTROL->concretised_operations++;
    veer_note_loss(loss, veer_user_site(site));
}
