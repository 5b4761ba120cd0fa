/* How objects lie in memory: whether a run asked for it. */
#ifndef VEER_PLACEMENT_H
#define VEER_PLACEMENT_H
void veer_places_begin(void);
#endif
