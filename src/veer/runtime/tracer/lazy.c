#include "lazy.h"

#include <string.h>

#include "veer_shared.h"
#include "words.h"

enum { LEAST = 2048, PIECES = 64, GRAIN = 256 };

int veer_make_lazy(uint64_t address, uint64_t size) {
    if (!VEER_CONTROL->is_concrete || size < LEAST || LAZY->count == VEER_MOST_LAZY) return 0;
    uint64_t piece = ((size + PIECES - 1) / PIECES + GRAIN - 1) & ~(uint64_t)(GRAIN - 1);
    LAZY->of[LAZY->count++] = (struct veer_lazy_block){.begin = (uint32_t)address, .end = (uint32_t)(address + size), .piece = (uint32_t)piece};
    return 1;
}

int veer_is_lazy(uint64_t address) { return LAZY->count && LAZY->of[LAZY->count - 1].begin == address; }

static uint32_t piece_bytes(const struct veer_lazy_block *block, uint32_t k) {
    uint32_t begin = block->begin + k * block->piece;
    return block->end - begin < block->piece ? block->end - begin : block->piece;
}

int veer_touch_lazy(uint64_t address, uint64_t size) {
    int found = 0;
    for (uint32_t i = 0; i < LAZY->count; i++) {
        struct veer_lazy_block *block = &LAZY->of[i];
        if (address >= block->end || address + size <= block->begin) continue;
        uint64_t begin = address < block->begin ? block->begin : address, end = address + size < block->end ? address + size : block->end;
        for (uint32_t k = (uint32_t)(begin - block->begin) / block->piece; block->begin + (uint64_t)k * block->piece < end; k++) {
            if (block->touched >> k & 1) continue;
            uint64_t place = block->begin + (uint64_t)k * block->piece;
            memset((void *)(uintptr_t)place, 0, piece_bytes(block, k));
            veer_fill_words(place, piece_bytes(block, k), VEER_SHADOW_CONCRETE);
            block->touched |= 1ull << k;
            found = 1;
        }
    }
    return found;
}

static void clear_touched(struct veer_lazy_block *block) {
    for (; block->touched; block->touched &= block->touched - 1) {
        uint32_t k = (uint32_t)__builtin_ctzll(block->touched);
        veer_fill_words(block->begin + (uint64_t)k * block->piece, piece_bytes(block, k), VEER_SHADOW_UNADDRESSABLE);
    }
}

int veer_free_lazy(uint64_t address) {
    for (uint32_t i = 0; i < LAZY->count; i++) {
        struct veer_lazy_block *block = &LAZY->of[i];
        if (block->begin != address || block->begin == block->end) continue;
        clear_touched(block);
        block->end = block->begin;
        return 1;
    }
    return 0;
}

uint64_t veer_clear_lazy(uint64_t position) {
    for (uint32_t i = 0; i < LAZY->count; i++) {
        struct veer_lazy_block *block = &LAZY->of[i];
        veer_fill_words(position, block->begin - position, VEER_SHADOW_UNADDRESSABLE);
        clear_touched(block);
        position = block->end;
    }
    LAZY->count = 0;
    return position;
}
