/* The C library's allocator as the replayed program sees it: which blocks are freed is told, and new ones hold no zeros where a test
   expects something of them, so that nobody expects what nobody wrote. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "replay.h"

enum { UNWRITTEN = 0xa5 };

void (*veer_replay_on_free)(uintptr_t block);
int veer_replay_fills;

void *__libc_malloc(size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);
void *malloc(size_t size);
void *realloc(void *block, size_t size);
void free(void *block);

void *malloc(size_t size) {
    void *block = __libc_malloc(size);
    if (block && veer_replay_fills) memset(block, UNWRITTEN, size);
    return block;
}

void *realloc(void *block, size_t size) {
    uintptr_t before = (uintptr_t)block;
    void *moved = __libc_realloc(block, size);
    if (before && (moved || !size) && veer_replay_on_free) veer_replay_on_free(before);
    return moved;
}

void free(void *block) {
    if (block && veer_replay_on_free) veer_replay_on_free((uintptr_t)block);
    __libc_free(block);
}
