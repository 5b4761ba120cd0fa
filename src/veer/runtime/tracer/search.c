/* Where a symbolic byte stands in a concrete text, as strchr and memchr ask: a term, by a table of all values of the byte. The loop
   over the text would split the runs at each of its characters. */
#include <string.h>

#include "calling.h"
#include "declared.h"
#include "engine/arena.h"
#include "engine/tables.h"
#include "events.h"
#include "flow_models.h"
#include "flows.h"
#include "memory_map.h"
#include "values.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "verify.h"
#include "words.h"

enum { MOST_TEXT = 4096 };

/* How many bytes of the text are searched, its NUL included; 0 = one of them is symbolic or not to be read, or there are too many. */
static uint64_t length_of(uint64_t address, uint64_t most, int is_string) {
    for (uint64_t n = 0; n <= MOST_TEXT; n++) {
        if (n == most) return n;
        if (address + n < VEER_NULL_END || address + n >= VEER_LOW_END || *veer_words(address + n) != VEER_SHADOW_CONCRETE) return 0;
        if (is_string && *(const unsigned char *)(uintptr_t)(address + n) == 0) return n + 1;
    }
    return 0;
}

/* For each value of a byte, 1 + the place where the text has it first, or 0. */
static uint32_t table_of_places(const unsigned char *text, uint64_t length) {
    uint16_t places[256] = {0};
    uint8_t narrow[256];
    for (uint64_t k = length; k-- > 0;) places[text[k]] = (uint16_t)(k + 1);
    if (length > 255) return veer_intern_table(places, 256, 2);
    for (int value = 0; value < 256; value++) narrow[value] = (uint8_t)places[value];
    return veer_intern_table(narrow, 256, 1);
}

/* The term of the answer, 64 bits wide; 0 = none can be made. */
static uint32_t place_term(const void *self, const void *text, int c, uint64_t most) {
    uint32_t byte = veer_argument(self, 1);
    veer_level_access((uint64_t)(uintptr_t)text, 1, 0);
    if (!veer_symbolic(byte) || veer_symbolic(veer_argument(self, 0)) || veer_symbolic(veer_argument(self, 2)) || veer_past_bound()) return 0;
    uint64_t length = length_of((uint64_t)(uintptr_t)text, most, most == VEER_WHOLE_STRING), known;
    byte = length ? veer_operand(VEER_NODES[byte].width, byte, (uint64_t)(int64_t)c) : 0;
    if (!byte || VEER_NODES[byte].width < 8 || veer_is_constant(byte, &known)) return 0;
    uint32_t table = table_of_places(text, length);
    if (table && VEER_NODES[byte].width > 8) byte = veer_expression(VEER_OP_EXTRACT, 8, byte, 0, 0);
    if (!table || !byte) return 0;
    uint32_t place = veer_expression(VEER_OP_LOOKUP, length > 255 ? 16 : 8, byte, table, 0);
    return place ? veer_expression(VEER_OP_ZEXT, 64, place, 0, 0) : 0;
}

VEER_MARKED(long, veer_place_of, const void *text, int c, uint64_t most) {
    const void *self = (const void *)veer_place_of;
    uint32_t term = place_term(self, text, c, most);
    VEER_HOT->callee = 0;
    if (veer_has_flows()) veer_flow_read_text(self, text);
    if (!term) return -1;
    const unsigned char *found = most == VEER_WHOLE_STRING ? (const unsigned char *)strchr(text, c) : memchr(text, c, most);
    long place = found ? found - (const unsigned char *)text + 1 : 0;
    veer_verify(term, (uint64_t)place);
    VEER_HOT->returned = veer_result_shadow(term);
    VEER_HOT->returner = (uint64_t)(uintptr_t)self;
    return place;
}
