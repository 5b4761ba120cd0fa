/* The words of ranges of memory. */
#include "words.h"

#include <string.h>

#include "veer_wire.h"

/* Sets the words of a range, all to the same value. */
void veer_fill_words(uint64_t address, uint64_t size, uint32_t word) {
    uint32_t *words = veer_words(address);
    if (word == 0) memset(words, 0, size * 4);
    else
        for (uint64_t i = 0; i < size; i++) words[i] = word;
}

/* Index of the first byte of the range that is not addressable, or `size`. The range lies in the low 2 GiB. */
uint64_t veer_first_zero(uint64_t address, uint64_t size) {
    const uint32_t *words = veer_words(address);
    uint64_t i = 0;
    for (; i + 16 <= size; i += 16) {
        uint32_t any = 0;
        for (int k = 0; k < 16; k++) any |= words[i + k] == 0;
        if (any) break;
    }
    while (i < size && words[i] != 0) i++;
    return i;
}

int veer_symbolic_words(uint64_t address, uint64_t size) {
    const uint32_t *words = veer_words(address);
    uint64_t i = 0;
    for (; i + 16 <= size; i += 16) {
        uint32_t any = 0;
        for (int k = 0; k < 16; k++) any |= words[i + k] >= VEER_FIRST_EXPRESSION;
        if (any) return 1;
    }
    for (; i < size; i++)
        if (words[i] >= VEER_FIRST_EXPRESSION) return 1;
    return 0;
}
