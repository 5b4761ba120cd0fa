/* Texts as they are in the run under way: the name of a file is kept, and told from the few names that veer knows, without a decision
   about any of its bytes. */
#include "bounds.h"
#include "calling.h"
#include "elements.h"
#include "engine/leaves.h"
#include "flow_models.h"
#include "flows.h"
#include "found.h"
#include "globals.h"
#include "memory_map.h"
#include "objects.h"
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

/* How many bytes stand before the NUL; `most` when there is none among so many. */
static uint64_t length_of(uint64_t address, uint64_t most, uint32_t site) {
    uint64_t length = 0;
    while (length < most && is_readable(address + length) && byte_at(address + length)) length++;
    if (length < most && !is_readable(address + length)) veer_require(address, length + 1, 0, site);
    return length;
}

uint64_t veer_text_length(const char *text, uint64_t most, int *is_constant) {
    uint64_t address = (uint64_t)(uintptr_t)text;
    uint32_t site = veer_here();
    veer_settle(veer_argument((const void *)veer_text_length, 0), site);
    VEER_HOT->callee = 0;
    veer_refuse_levels(VEER_REFUSAL_EXTERNAL);
    uint64_t length = length_of(address, most, site);
    *is_constant = 1;
    for (uint64_t k = 0; k <= length && k < most; k++) *is_constant &= word_at(address + k) == VEER_SHADOW_CONCRETE;
    return length;
}

int veer_may_be_name(const char *name) {
    VEER_HOT->callee = 0;
    veer_refuse_levels(VEER_REFUSAL_EXTERNAL);
    return !VEER_CONTROL->is_concrete || veer_knows_name(name);
}

void veer_copy_text(char *to, const char *from, uint64_t size) {
    const void *self = (const void *)veer_copy_text;
    uint64_t source = (uint64_t)(uintptr_t)from, target = (uint64_t)(uintptr_t)to;
    veer_require(target, size, 1, veer_here());
    veer_refuse_levels(VEER_REFUSAL_EXTERNAL);
    veer_note_dirty(target, size);
    for (uint64_t k = 0; k < size; k++) {
        to[k] = from[k];
        veer_words(target)[k] = word_at(source + k);
    }
    if (veer_has_flows()) veer_flow_moved(self, target, source, size);
    VEER_HOT->callee = 0;
}

/* Where the NUL is an input itself, another run that comes here may have a longer text: it is the same if the rest is, which is sure of
   what was copied from an input, and of nothing else. */
int veer_is_same_text(const char *copy, const char *text) {
    uint64_t a = (uint64_t)(uintptr_t)copy, b = (uint64_t)(uintptr_t)text;
    VEER_HOT->callee = 0;
    veer_refuse_levels(VEER_REFUSAL_EXTERNAL);
    for (;; a++, b++) {
        if (!is_readable(a) || !is_readable(b) || byte_at(a) != byte_at(b) || word_at(a) != word_at(b)) return 0;
        if (!byte_at(a)) return word_at(a) == VEER_SHADOW_CONCRETE || veer_find_object(b).input != NULL;
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
