/* Supports: the leaves that an expression depends on. 0 = no leaf, NONE = no room. */
#ifndef ENGINE_SUPPORT_H
#define ENGINE_SUPPORT_H
#include <stdint.h>

uint32_t veer_support_leaves(uint32_t support, const uint32_t **leaves, uint32_t *single);
uint32_t veer_support_union(uint32_t left, uint32_t right);
void veer_support_attach(void);
#endif
