/* The same program without instrumentation, or with its counters alone: gives the same inputs, prints the same result. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
int program(void);
uint8_t veer_edge_hits[100000];
uint64_t veer_counter_hash;
void veer_input(void *cell, uint64_t size, const char *name) {
    static uint32_t state = 12345;
    for (uint64_t k = 0; k < size && strcmp(name, "keep") != 0; k++) ((uint8_t *)cell)[k] = (uint8_t)((state = state * 1103515245u + 12345u) >> 16);
}
int main(int argc, char **argv) {
    unsigned edges = 0;
    (void)argv;
    printf("result %d\n", program());
    for (unsigned k = 0; k < sizeof veer_edge_hits; k++) edges += veer_edge_hits[k];
    if (argc > 1) printf("hash %llx edges %u\n", (unsigned long long)veer_counter_hash, edges);
    return 0;
}
