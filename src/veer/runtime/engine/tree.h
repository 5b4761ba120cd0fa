/* The execution tree. */
#ifndef ENGINE_TREE_H
#define ENGINE_TREE_H
#include <stdint.h>

void veer_tree_attach(void);
int veer_tree_record(uint32_t target, uint32_t outcome);
int veer_tree_room(uint32_t input_length);
void veer_tree_trim_trace(void);
#endif
