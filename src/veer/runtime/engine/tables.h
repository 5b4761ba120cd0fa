/* Tables: the number `b` of LOOKUP. */
#ifndef ENGINE_TABLES_H
#define ENGINE_TABLES_H
#include <stdint.h>

/* The table of these entries of 1, 2, 4 or 8 bytes. 0 = no room. */
uint32_t veer_intern_table(const void *entries, uint32_t count, uint32_t entry_bytes);
uint32_t veer_table_count(uint32_t table);
uint32_t veer_table_width(uint32_t table);
uint64_t veer_table_entry(uint32_t table, uint64_t index);
void veer_tables_attach(void);
#endif
