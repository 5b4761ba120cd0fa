/* A buffer of the last readings of a sensor: what comes in when it is full takes the place of the oldest one. */
#ifndef RING_H
#define RING_H
#include <stdbool.h>
#include <stdint.h>

enum { RING_SIZE = 8 };

struct ring {
    int16_t reading[RING_SIZE];
    uint8_t next;  /* where the next reading goes */
    uint8_t count; /* readings that there are, at most RING_SIZE */
};

void ring_clear(struct ring *ring);

/* Returns false if the oldest reading was lost. */
bool ring_put(struct ring *ring, int16_t reading);

/* @req HTR-12: the average of what is there; 0 without any reading. */
int16_t ring_average(const struct ring *ring);
#endif
