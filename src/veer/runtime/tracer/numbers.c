/* Floating-point numbers of concrete text: the machine's libc reads them, which saves the instrumented reading of veer's own. */
#include <stdlib.h>

#include "calling.h"
#include "flow_map.h"
#include "flow_models.h"
#include "flows.h"
#include "memory_map.h"
#include "refusals.h"
#include "sites.h"
#include "veer_runtime.h"
#include "words.h"

/* Whether a character can be part of what strtod takes, blanks before it included. */
static int can_belong(unsigned char c) {
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || (c >= '\t' && c <= '\r') || c == ' ' || c == '.' || c == '+' ||
           c == '-' || c == '_' || c == '(' || c == ')';
}

/* Whether the bytes that strtod may look at can be read and are concrete. */
static int is_plain_text(uint64_t address) {
    for (; address >= VEER_NULL_END && address < VEER_LOW_END; address++) {
        if (*veer_words(address) != VEER_SHADOW_CONCRETE) return 0;
        if (!can_belong(*(const unsigned char *)(uintptr_t)address)) return 1;
    }
    return 0;
}

/* Both leave the value where its bytes are concrete already: in a local of veer's own libc. */
long veer_read_double(const char *text, double *value) {
    uint32_t shadow = veer_argument((const void *)veer_read_double, 0);
    char *end;
    VEER_HOT->callee = 0;
    if (veer_has_flows())
        veer_flow_add((uint64_t)(uintptr_t)value, sizeof *value, veer_flow_read_text((const void *)veer_read_double, text), VEER_FLOWKIND_CALL, veer_here());
    if (veer_symbolic(shadow) || !is_plain_text((uint64_t)(uintptr_t)text)) return -1;
    veer_refuse_levels(VEER_REFUSAL_EXTERNAL);
    *value = strtod(text, &end);
    return end - text;
}

long veer_read_float(const char *text, float *value) {
    uint32_t shadow = veer_argument((const void *)veer_read_float, 0);
    char *end;
    VEER_HOT->callee = 0;
    if (veer_has_flows())
        veer_flow_add((uint64_t)(uintptr_t)value, sizeof *value, veer_flow_read_text((const void *)veer_read_float, text), VEER_FLOWKIND_CALL, veer_here());
    if (veer_symbolic(shadow) || !is_plain_text((uint64_t)(uintptr_t)text)) return -1;
    veer_refuse_levels(VEER_REFUSAL_EXTERNAL);
    *value = strtof(text, &end);
    return end - text;
}
