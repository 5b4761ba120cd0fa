/* What the run's decisions have left of the values of narrow leaves. */
#ifndef VEER_KNOWN_H
#define VEER_KNOWN_H
#include <stdint.h>

int veer_learn(uint32_t literal, uint32_t holds);
#endif
