/* Tables: contents of memory that is read at a symbolic index, each kept once for the campaign. Immutable, so that LOOKUP is
   an operator like any other. */
#include "tables.h"
#include "hash.h"
#include "ledger.h"
#include "places.h"
#include "publish.h"
#include "veer_shared.h"
#include <string.h>

enum { TABLE_TABLE = 1 << 16 };

struct tables_state {
    uint32_t of[TABLE_TABLE]; /* numbers of tables */
};
ENGINE_STATE_FITS(tables);
#define TABLE_INDEX ENGINE_STATE(tables)

#define TABLES VEER_REGION(uint64_t, TABLES)

static const struct veer_lookup_table *table_of(uint32_t table)
{
    return (const struct veer_lookup_table *)&TABLES[table];
}

static uint32_t words_of(uint32_t count, uint32_t entry_bytes)
{
    return 1 + (uint32_t)(((uint64_t)count * entry_bytes + 7) / 8);
}

static uint32_t table_hash(const uint64_t *words, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = mix(hash, words[i]);
    return (uint32_t)hash & (TABLE_TABLE - 1);
}

/* Finds the tables of the campaign again. */
void veer_tables_attach(void)
{
    struct veer_control *control = VEER_CONTROL;
    if (control->table_words == 0)
        PUBLISH(control->table_words, 1);
    for (uint64_t at = 1; at < control->table_words;) {
        uint32_t words = words_of(table_of((uint32_t)at)->count, table_of((uint32_t)at)->entry_bytes);
        uint32_t slot = table_hash(&TABLES[at], words);
        for (uint32_t tries = 0; TABLE_INDEX->of[slot] && tries < 64; tries++)
            slot = (slot + 1) & (TABLE_TABLE - 1);
        TABLE_INDEX->of[slot] = (uint32_t)at;
        at += words;
    }
}

/* The number of the table of these entries (`entry_bytes` 1, 2, 4 or 8); 0 = no room. */
uint32_t veer_intern_table(const void *entries, uint32_t count, uint32_t entry_bytes)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t words = words_of(count, entry_bytes);
    uint64_t used = control->table_words;
    if (used + words > VEER_TABLES_CAPACITY) {
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_TABLES);
        return 0;
    }
    /* It is made behind the last one; published only if it is new. */
    uint64_t *place = &TABLES[used];
    place[words - 1] = 0;
    *(struct veer_lookup_table *)place = (struct veer_lookup_table){count, entry_bytes};
    memcpy(place + 1, entries, (size_t)count * entry_bytes);
    uint32_t slot = table_hash(place, words);
    for (uint32_t tries = 0; tries < 64; tries++, slot = (slot + 1) & (TABLE_TABLE - 1)) {
        uint32_t known = TABLE_INDEX->of[slot];
        if (known == 0 || known >= used)
            break;
        if (!memcmp(&TABLES[known], place, (size_t)words * sizeof(uint64_t)))
            return known;
    }
    TABLE_INDEX->of[slot] = (uint32_t)used;
    PUBLISH(control->table_words, used + words);
    return (uint32_t)used;
}

uint32_t veer_table_count(uint32_t table)
{
    return table_of(table)->count;
}

/* The width of the entries; 0 = there is no such table. */
uint32_t veer_table_width(uint32_t table)
{
    return table && table < VEER_CONTROL->table_words ? 8 * table_of(table)->entry_bytes : 0;
}

/* An entry; 0 behind the end. */
uint64_t veer_table_entry(uint32_t table, uint64_t index)
{
    const struct veer_lookup_table *record = table_of(table);
    const void *entries = record + 1;
    if (index >= record->count)
        return 0;
    switch (record->entry_bytes) {
    case 1: return ((const uint8_t *)entries)[index];
    case 2: return ((const uint16_t *)entries)[index];
    case 4: return ((const uint32_t *)entries)[index];
    default: return ((const uint64_t *)entries)[index];
    }
}
