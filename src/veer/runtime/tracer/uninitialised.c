/* Reads of memory that was never written: found where a value that depends on it is used. */
#include "uninitialised.h"

#include <string.h>

#include "endings.h"
#include "engine/arena.h"
#include "engine/evaluate.h"
#include "engine/ledger.h"
#include "events.h"
#include "gather.h"
#include "places.h"
#include "sites.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"

enum { KEPT = 1024, MOST_ASKED = 16 };
enum { ONLY_FOR_STUBS = 2 }; /* control.follows_unwritten */

/* The expressions of what is unwritten that were asked for last: frames of the same function come again and again. */
struct veer_uninitialised {
    uint32_t kept[KEPT];
};
VEER_STATE_FITS(uninitialised);

static int is_this(uint32_t expression, uint64_t what) {
    const struct veer_node *node = &VEER_NODES[expression];
    return expression && expression < VEER_CONTROL->node_count && node->op == VEER_OP_UNWRITTEN && node->value == what;
}

static uint32_t expression_of(uint64_t what) {
    uint32_t *kept = &VEER_STATE(uninitialised)->kept[(what ^ what >> 28) % KEPT];
    if (!is_this(*kept, what)) *kept = veer_unwritten(what);
    return *kept;
}

/* Whether it is known what nobody has written. Of runs without symbols only those that are recorded know it, for their stubs. */
static int is_followed(void) {
    const struct veer_control *control = VEER_CONTROL;
    return control->follows_unwritten && (!control->is_concrete || control->record);
}

/* Sets the words of a range that nobody has written: concrete where that is not followed. The memory there is 0. */
void veer_mark_unwritten(uint64_t address, uint64_t size, uint64_t what) {
    uint32_t value = is_followed() ? expression_of(what) : 0;
    if (!value) {
        veer_fill_words(address, size, VEER_SHADOW_CONCRETE);
        return;
    }
    uint32_t *words = veer_words(address), bytes[8];
    for (uint32_t k = 0; k < 8; k++) bytes[k] = k << VEER_FRAGMENT_SHIFT | value;
    uint64_t k = 0;
    for (; k + 8 <= size; k += 8) memcpy(words + k, bytes, sizeof bytes);
    for (uint32_t i = 0; k < size; k++, i++) words[k] = bytes[i];
}

enum { FIRST_VALUES = 256 }; /* bytes: MOST_BYTES of instrument/unwritten.py */

/* The first page of the locals' stack belongs to no frame. Its first bytes are the first value of each local variable that the
   compiler keeps in a register (instrument/unwritten.py): never written, and 0. */
__asm__(".globl veer_unwritten_memory\n"
        ".set veer_unwritten_memory, 0x60000000\n");
_Static_assert(VEER_STACK_BASE == 0x60000000, "the address above");

/* A run begins: the first values of variables. */
void veer_uninitialised_begin(void) { veer_mark_unwritten(VEER_STACK_BASE, FIRST_VALUES, veer_unwritten_local(0, 0)); }

static int is_unwritten_word(uint32_t word) {
    uint32_t expression = word & VEER_EXPRESSION_MASK;
    return word >= VEER_FIRST_EXPRESSION && VEER_NODES[expression].op == VEER_OP_UNWRITTEN;
}

/* Whether all words of a range are bytes of one value that nobody wrote. */
int veer_is_fresh(uint64_t address, uint64_t size) {
    const uint32_t *words = veer_words(address);
    if (!is_unwritten_word(words[0])) return 0;
    for (uint64_t k = 1; k < size; k++)
        if ((words[k] ^ words[0]) & VEER_EXPRESSION_MASK) return 0;
    return 1;
}

/* Makes what nobody has written concrete: somebody whom veer does not see may have written it. */
void veer_forget_unwritten(uint64_t address, uint64_t size) {
    uint32_t *words = veer_words(address);
    for (uint64_t k = 0; k < size; k++)
        if (is_unwritten_word(words[k])) words[k] = VEER_SHADOW_CONCRETE;
}

/* Whether a byte of the range was never written, or is a copy of one. */
int veer_is_unwritten(uint64_t address, uint64_t size) {
    const uint32_t *words = veer_words(address);
    for (uint64_t k = 0; k < size; k++)
        if (words[k] >= VEER_FIRST_EXPRESSION && veer_holds_unwritten(words[k] & VEER_EXPRESSION_MASK)) return 1;
    return 0;
}

static _Noreturn void report(uint64_t what, uint32_t site) {
    struct veer_report *found = veer_report_begin(VEER_OUTCOME_UNINITIALISED, site);
    const char *text = what & IS_BLOCK ? "memory that was allocated" : "a local variable";
    found->value = what;
    strncpy(found->message, text, sizeof found->message - 1);
    veer_finish(VEER_OUTCOME_UNINITIALISED);
}

/* The expression with 0 for what was never written; 0, and a loss, if it is too large. */
uint32_t veer_without_unwritten(uint32_t expression, uint32_t site) {
    uint32_t without = veer_with_unwritten_as(expression, 0);
    if (!without) veer_unsupported(site, VEER_LOSS_UNSUPPORTED);
    return without;
}

/* Asks whether `expression` is the same with this filling as with zeros, of all inputs of this path. Where it is not for this one, and
   `is_bug`, the run ends here, as every one that the answer holds for. */
static void ask_same(uint32_t expression, uint32_t zeros, uint64_t filling, int is_bug, uint32_t site) {
    uint32_t filled = veer_with_unwritten_as(expression, filling);
    uint32_t same = zeros && filled ? veer_expression(VEER_OP_EQ, 1, zeros, filled, 0) : 0;
    uint64_t holds = 1;
    if (!same) return;
    if (!veer_is_constant(same, &holds)) {
        veer_evaluate_begin(VEER_INPUTS + VEER_CONTROL->input_bytes, VEER_CONTROL->current_length);
        holds = veer_evaluate(same);
        veer_event(VEER_KIND_CHECK, same, (uint32_t)holds, site);
    }
    if (!holds && is_bug) report(veer_what_is_unwritten(expression), site);
}

/* See veer_written: `expression` holds what was never written. Whether its value hangs on that is asked of all inputs of this path, too:
   with ones (a table of which only a part was written), and with the constants that it is compared with (an array of which one
   element was written, somewhere). A difference that only random fillings show is no question to a solver: the claim is lost. */
uint32_t veer_decided_by(uint32_t expression, uint32_t site) {
    int is_bug = VEER_CONTROL->follows_unwritten != ONLY_FOR_STUBS && !VEER_CONTROL->is_concrete;
    uint64_t fillings[MOST_FILLINGS];
    uint32_t count = veer_unwritten_fillings(expression, fillings), zeros = veer_with_unwritten_as(expression, 0);
    if (!is_bug) count = 1;
    if (count > MOST_ASKED) count = MOST_ASKED;
    for (uint32_t k = 0; k < count; k++) ask_same(expression, zeros, fillings[k], is_bug, site);
    const uint8_t *input = VEER_INPUTS + VEER_CONTROL->input_bytes;
    if (is_bug && veer_depends_on_unwritten(expression, input, VEER_CONTROL->current_length)) {
        if (VEER_NODES[zeros].op != VEER_OP_CONST) veer_note_loss(VEER_LOSS_UNSUPPORTED, veer_user_site(site));
        report(veer_what_is_unwritten(expression), site);
    }
    return veer_without_unwritten(expression, site);
}
