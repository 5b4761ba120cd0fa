/* Lists of arguments that veer made and the machine's printf reads: vfprintf(stderr, format, list).

   The machine would read addresses that nobody has decided yet. So it gets a list of its own, with what each conversion
   takes. Where the format is an input, nothing is decided, for the same path has other formats: its conversions take what
   lies there, and 0 for a pointer that is open. */
#include "printed_lists.h"

#include <string.h>

#include "bounds.h"
#include "memory_map.h"
#include "unions.h"
#include "variadic.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "words.h"

enum { MOST = 512 };
enum kind { NUMBER, REAL, WIDE, TEXT }; /* WIDE: a long double */

/* The list that the machine reads, and what it is made of. */
static struct {
    _Alignas(16) uint64_t values[MOST];
    uint64_t from;   /* where the arguments lie, 0 if nobody has asked for one yet */
    uint64_t number; /* of the next one */
    uint32_t count;
    int is_known; /* the format */
} printed;

/* The argument that comes next, as it is in the run. */
static uint64_t next_argument(enum kind kind, uint32_t site) {
    uint64_t address = printed.from + 8 * printed.number;
    if (kind == TEXT && printed.is_known) {
        if (UNIONS->are_there) veer_take_member(address, 1, 0, site);
        veer_decide_range(address, 8, site);
    }
    return *(const uint64_t *)(uintptr_t)address;
}

static void take(enum kind kind, uint32_t site) {
    if (kind == WIDE) printed.count += printed.count & 1; /* at a multiple of 16 */
    if (printed.count + 2 > MOST) return;
    int is_there = printed.from && printed.number < VEER_MOST_REST && kind != WIDE;
    if (kind != WIDE) veer_tell_argument(printed.number, kind == REAL);
    printed.values[printed.count] = is_there ? next_argument(kind, site) : 0;
    printed.count += kind == WIDE ? 2 : 1;
    printed.number++;
}

/* What a conversion takes that begins behind a '%'; where it ends. */
static const char *take_conversion(const char *s, uint32_t site) {
    int is_wide = 0;
    for (; *s && strchr("0123456789*-+ #'.hlqjztL", *s); s++) {
        if (*s == '*') take(NUMBER, site);
        is_wide |= *s == 'L';
    }
    if (!*s) return s;
    if (strchr("aAeEfFgG", *s)) take(is_wide ? WIDE : REAL, site);
    else if (*s == 's' || *s == 'S') take(TEXT, site);
    else if (*s != '%' && *s != 'm') take(NUMBER, site);
    return s + 1;
}

/* Whether no byte of a text is an input. */
static int is_known(const char *text) {
    for (uint64_t at = (uint64_t)(uintptr_t)text;; at++) {
        if (at < VEER_LOW_END && veer_words(at)[0] >= VEER_FIRST_EXPRESSION) return 0;
        if (!*(const char *)(uintptr_t)at) return 1;
    }
}

static int is_readable(uint64_t address) {
    return address >= VEER_NULL_END && (address >= VEER_LOW_END || veer_words(address)[0] != 0);
}

void veer_ready_list(uint64_t format, uint64_t list, uint32_t site) {
    struct veer_list *made = veer_made_list(list);
    if (!made || !is_readable(format)) return;
    const char *text = (const char *)(uintptr_t)format;
    if (!strchr(text, '%')) return;
    memset(&printed, 0, sizeof printed);
    printed.is_known = is_known(text);
    if (printed.is_known) veer_decide_range(list, sizeof *made, site);
    printed.number = veer_argument_number(made);
    printed.from = made->overflow ? made->overflow - 8 * printed.number : 0;
    for (const char *s = strchr(text, '%'); s; s = strchr(s, '%')) s = take_conversion(s + 1, site);
    made->overflow = (uint64_t)(uintptr_t)printed.values;
    veer_fill_words(list, sizeof *made, VEER_SHADOW_CONCRETE);
}
