#include "ring.h"

void ring_clear(struct ring *ring)
{
    ring->next = 0;
    ring->count = 0;
}

bool ring_put(struct ring *ring, int16_t reading)
{
    bool has_room = ring->count < RING_SIZE;
    ring->reading[ring->next] = reading;
    ring->next = (uint8_t)((ring->next + 1u) % RING_SIZE);
    if (has_room)
        ring->count++;
    return has_room;
}

int16_t ring_average(const struct ring *ring)
{
    int32_t sum = 0;
    for (uint8_t i = 0; i < ring->count; i++)
        sum += ring->reading[(ring->next + RING_SIZE - 1u - i) % RING_SIZE];
    return (int16_t)(sum / ring->count); /* a mistake: nobody asks whether there is any */
}
