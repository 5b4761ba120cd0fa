/* The expression of bytes in memory: fragments of expressions and constants, put together. */
#include "gather.h"

#include <string.h>

#include "deferred.h"
#include "engine/arena.h"
#include "sites.h"
#include "unions.h"
#include "veer_shared.h"
#include "words.h"

/* The part of `words[begin:]` that is one constant or consecutive bytes of one expression: its end, at most `size`. */
static uint32_t part_end(const uint32_t *words, uint32_t begin, uint32_t size) {
    uint32_t end = begin + 1;
    if (words[begin] < VEER_FIRST_EXPRESSION)
        while (end < size && words[end] < VEER_FIRST_EXPRESSION) end++;
    else
        while (end < size && words[end] == words[begin] + ((end - begin) << VEER_FRAGMENT_SHIFT)) end++;
    return end;
}

/* The expression of one such part. */
static uint32_t part(const uint32_t *words, const uint8_t *bytes, uint32_t begin, uint32_t end) {
    uint32_t width = (end - begin) * 8;
    if (words[begin] < VEER_FIRST_EXPRESSION) {
        uint64_t value = 0;
        memcpy(&value, bytes + begin, end - begin);
        return veer_constant(width, value);
    }
    uint32_t expression = words[begin] & VEER_EXPRESSION_MASK, fragment = words[begin] >> VEER_FRAGMENT_SHIFT;
    if (fragment == 0 && VEER_NODES[expression].width == width) return expression;
    return veer_expression(VEER_OP_EXTRACT, width, expression, fragment * 8, 0);
}

/* The expression of `size` bytes of memory, at most 8. */
uint32_t veer_gather(uint64_t address, uint32_t size) {
    if (UNIONS->are_there) veer_read_member(address, size, veer_here());
    if (DEFERRED->count) veer_read_deferred(address, size);
    return veer_gather_from(veer_words(address), (const uint8_t *)(uintptr_t)address, size);
}

/* The same of copies of words and bytes. */
uint32_t veer_gather_from(const uint32_t *words, const uint8_t *bytes, uint32_t size) {
    uint32_t end = part_end(words, 0, size), result = part(words, bytes, 0, end), width = end * 8;
    while (end < size && result) {
        uint32_t next = part_end(words, end, size), more = part(words, bytes, end, next);
        width = next * 8;
        result = more ? veer_expression(VEER_OP_CONCAT, width, more, result, 0) : 0;
        end = next;
    }
    return result;
}
