/* The expression of bytes in memory. */
#ifndef VEER_GATHER_H
#define VEER_GATHER_H
#include <stdint.h>

uint32_t veer_gather(uint64_t address, uint32_t size);
uint32_t veer_gather_from(const uint32_t *words, const uint8_t *bytes, uint32_t size);
#endif
