/* Monitors of specifications: a violation ends the process, and says what led there. */
#include <stdio.h>
#include <stdlib.h>

#include "replay.h"

unsigned veer_specification_at(const struct veer_heed *heed) {
    (void)heed;
    return VEER_SPECIFICATION_TELLS | (VEER_SPECIFICATION_IDLE + 1);
}

void veer_specification_event(unsigned event, unsigned count, long first, long second, long third, long fourth) {
    long told[] = {first, second, third, fourth};
    veer_replay_event(event, told, count);
}

void veer_specification_state(unsigned number, int seen, const unsigned char *registers, unsigned count, const unsigned char *distances) {
    (void)number, (void)seen, (void)registers, (void)count, (void)distances;
}

void veer_specification_check(int holds, unsigned number, const char *name) {
    (void)number;
    if (holds) return;
    fprintf(stderr, "Specification %s is violated\n", name);
    abort();
}

void veer_specification_full(void) { veer_replay_end(REPLAY_REFUSED, 0); }
