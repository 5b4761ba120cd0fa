/* The same program without instrumentation: gives the same inputs, prints the same result. */
#include <stdint.h>
#include <stdio.h>
int program(void);
void veer_input(void *cell, uint64_t size, const char *name) {
    static uint32_t state = 12345;
    (void)name;
    for (uint64_t k = 0; k < size; k++) ((uint8_t *)cell)[k] = (uint8_t)((state = state * 1103515245u + 12345u) >> 16);
}
int main(void) {
    printf("result %d\n", program());
    return 0;
}
