/* Texts as they are in the run under way: the name of a file is kept, and told from the few names that veer knows, without a decision
   about any of its bytes. */
#include "bounds.h"
#include "calling.h"
#include "elements.h"
#include "flow_models.h"
#include "flows.h"
#include "globals.h"
#include "memory_map.h"
#include "refusals.h"
#include "sites.h"
#include "veer_runtime.h"
#include "words.h"

static int has_words(uint64_t address) { return address < VEER_LOW_END; }

static int is_readable(uint64_t address) { return address >= VEER_NULL_END && (!has_words(address) || *veer_words(address) != 0); }

static uint8_t byte_at(uint64_t address) { return *(const uint8_t *)(uintptr_t)address; }

/* The term of a byte; the NUL at the end of an input is there, since the run looked at it. */
static uint32_t word_at(uint64_t address) {
    uint32_t word = has_words(address) ? *veer_words(address) : VEER_SHADOW_CONCRETE;
    return word == ELEMENTS->untouched ? VEER_SHADOW_CONCRETE : word;
}

uint64_t veer_copy_text(char *to, const char *from, uint64_t room) {
    const void *self = (const void *)veer_copy_text;
    uint64_t source = (uint64_t)(uintptr_t)from, target = (uint64_t)(uintptr_t)to, length = 0;
    uint32_t site = veer_here();
    veer_settle(veer_argument(self, 1), site);
    veer_refuse_levels(VEER_REFUSAL_EXTERNAL);
    while (length < room && is_readable(source + length) && byte_at(source + length)) length++;
    uint64_t size = length < room ? length + 1 : room;
    if (!is_readable(source + size - 1)) veer_require(source, size, 0, site);
    veer_require(target, size, 1, site);
    veer_note_dirty(target, size);
    for (uint64_t k = 0; k < size; k++) {
        to[k] = from[k];
        veer_words(target)[k] = word_at(source + k);
    }
    if (veer_has_flows()) veer_flow_moved(self, target, source, size);
    VEER_HOT->callee = 0;
    return length;
}

int veer_is_same_text(const char *one, const char *other) {
    uint64_t a = (uint64_t)(uintptr_t)one, b = (uint64_t)(uintptr_t)other;
    VEER_HOT->callee = 0;
    veer_refuse_levels(VEER_REFUSAL_EXTERNAL);
    for (;; a++, b++) {
        if (!is_readable(a) || !is_readable(b) || byte_at(a) != byte_at(b) || word_at(a) != word_at(b)) return 0;
        if (!byte_at(a)) return 1;
    }
}

int veer_is_text(const char *text, const char *expected) {
    uint64_t address = (uint64_t)(uintptr_t)text;
    VEER_HOT->callee = 0;
    veer_refuse_levels(VEER_REFUSAL_EXTERNAL);
    for (;; address++, expected++) {
        if (!is_readable(address) || byte_at(address) != (uint8_t)*expected) return 0;
        if (!*expected) return 1;
    }
}
