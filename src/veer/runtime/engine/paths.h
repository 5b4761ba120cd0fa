/* Paths: what is kept of a run. */
#ifndef ENGINE_PATHS_H
#define ENGINE_PATHS_H
#include "veer_wire.h"

void veer_paths_attach(void);
void veer_path_expect(void);
uint32_t veer_path_begin(uint32_t outcome, uint32_t adds, uint32_t flags);
int veer_is_new_bug(const struct veer_report *report); /* whether no report of it is kept, and one would be */
void veer_path_finish(uint32_t path, uint32_t node, uint32_t flags);
#endif
