/* The ledger: where precision was lost. */
#ifndef ENGINE_LEDGER_H
#define ENGINE_LEDGER_H
#include <stdint.h>

void veer_note_loss(uint32_t kind, uint32_t site);
#endif
