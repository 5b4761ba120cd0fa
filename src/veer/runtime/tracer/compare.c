/* Compares two versions of an entry part by part: that a part is the same is a CHECK, so that the search aims at inputs for which it
   is not. How they end, and which functions they call, is the same for all inputs of a path.

       numbers     equal bits; NaNs are equal
       pointers    the same input object; blocks of the versions' own, variables and constant texts, one for one, with equal contents
       padding     is not compared; nor is what the old version has left unwritten

   What cannot be compared is a loss, which takes the claim. */
#include "compare.h"

#include <stdio.h>
#include <string.h>

#include "chunks.h"
#include "endings.h"
#include "engine/arena.h"
#include "engine/ledger.h"
#include "engine/unwritten.h"
#include "events.h"
#include "found.h"
#include "gather.h"
#include "input_objects.h"
#include "lazy.h"
#include "leaf_state.h"
#include "left_over.h"
#include "memory_map.h"
#include "objects.h"
#include "undecided.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "versions.h"
#include "words.h"

enum { MOST_PAIRS = 1024, MOST_STEPS = 32, POINTER = 8, LARGEST_TEXT = 1 << 16 };

/* Where bytes and words of one version are. */
struct veer_side {
    const uint8_t *bytes;
    const uint32_t *words;
};

/* Something of both versions that is compared, `size` bytes of each; `pair` is the pointer that leads there, -1: it is a part. */
struct veer_spot {
    struct veer_side old, new;
    uint32_t size, site;
    int32_t pair;
};

/* Two objects that stand for each other: a pointer at `offset` of the object of the pair `parent` led there. */
struct veer_pair {
    uint64_t old, new;
    const struct veer_type *type;
    const struct veer_leaving *part; /* from which pointers led there */
    int32_t parent;
    uint32_t offset, behind, site; /* `behind`: how far behind the beginnings it pointed */
};

struct veer_comparison {
    const struct veer_leaving *part; /* that is compared */
    uint32_t pair_count;
    struct veer_pair pairs[MOST_PAIRS];
};
VEER_STATE_FITS(comparison);
#define COMPARISON VEER_STATE(comparison)

/* -- the end of a comparison ----------------------------------------------------------------------------------------- */

/* The steps from the part to the place, the first one first; how many. */
static uint32_t steps_to(int32_t pair, uint32_t offset, uint32_t *steps) {
    uint32_t count = 0, reversed[MOST_STEPS];
    reversed[count++] = offset;
    for (; pair >= 0 && count < MOST_STEPS; pair = COMPARISON->pairs[pair].parent) {
        reversed[count - 1] -= COMPARISON->pairs[pair].behind; /* seen from where the pointer points */
        reversed[count++] = COMPARISON->pairs[pair].offset;
    }
    for (uint32_t k = 0; k < count; k++) steps[k] = reversed[count - 1 - k];
    return count;
}

/* The number of an input object as recorded runs count them: of those that are there. */
static uint32_t told_number(uint32_t index) {
    uint32_t number = 0;
    for (uint32_t k = 0; k <= index; k++) number += LEAF_STATES[INPUT_OBJECTS->of[k].leaf].alternative == 1;
    return number;
}

static _Noreturn void differ(uint32_t kind, uint32_t number, uint32_t site, uint32_t size, int32_t pair, uint32_t offset) {
    uint32_t *said = VEER_REGION(uint32_t, DIFFERENCE), at = 0;
    struct veer_report *report = veer_report_begin(VEER_OUTCOME_DIFFERS, site);
    said[0] = kind, said[1] = kind == VEER_PART_OBJECT ? told_number(number) : number, said[2] = size;
    said[3] = size ? steps_to(pair, offset, said + 4) : 0;
    for (uint32_t k = 0; k < 4 + said[3] && at < sizeof report->message - 12; k++)
        at += (uint32_t)snprintf(report->message + at, sizeof report->message - at, "%u ", said[k]);
    veer_finish(VEER_OUTCOME_DIFFERS);
}

static _Noreturn void differ_in(const struct veer_spot *spot, uint32_t offset, uint32_t size) {
    const struct veer_leaving *part = COMPARISON->part;
    differ(part->kind, part->number, spot->site, size, spot->pair, offset);
}

/* -- numbers --------------------------------------------------------------------------------------------------------- */

static uint32_t both(uint32_t op, uint32_t width, uint32_t a, uint32_t b) { return a && b ? veer_expression(op, width, a, b, 0) : 0; }

static int are_same(const struct veer_spot *spot, uint32_t offset, uint32_t size) {
    return memcmp(spot->old.bytes + offset, spot->new.bytes + offset, size) == 0 &&
           memcmp(spot->old.words + offset, spot->new.words + offset, size * sizeof(uint32_t)) == 0;
}

static int is_concrete(const uint32_t *words, uint32_t size) {
    for (uint32_t k = 0; k < size; k++)
        if (words[k] >= VEER_FIRST_EXPRESSION) return 0;
    return 1;
}

/* Whether nobody has written the byte, which may have been copied with others: each of its bits is what was there. */
static int is_unwritten_byte(uint32_t word) {
    uint64_t zeros = 1, ones = 0;
    const uint8_t none = 0;
    if (word < VEER_FIRST_EXPRESSION || !veer_holds_unwritten(word & VEER_EXPRESSION_MASK)) return 0;
    if (VEER_NODES[word & VEER_EXPRESSION_MASK].op == VEER_OP_UNWRITTEN) return 1;
    uint32_t term = veer_gather_from(&word, &none, 1);
    uint32_t as_zeros = term ? veer_with_unwritten_as(term, 0) : 0, as_ones = term ? veer_with_unwritten_as(term, ~0ull) : 0;
    return as_zeros && as_ones && veer_is_constant(as_zeros, &zeros) && veer_is_constant(as_ones, &ones) && zeros == 0 && ones == 0xff;
}

/* Whether nobody has written any of it. */
static int is_fresh(const uint32_t *words, uint32_t size) {
    for (uint32_t k = 0; k < size; k++)
        if (!is_unwritten_byte(words[k])) return 0;
    return 1;
}

static int is_nan(const uint8_t *bytes, uint32_t size) {
    float narrow;
    double wide;
    if (size == sizeof narrow) return memcpy(&narrow, bytes, size), narrow != narrow;
    return size == sizeof wide && (memcpy(&wide, bytes, size), wide != wide);
}

/* The term of such bytes, with zeros for what nobody has written. */
static uint32_t term_of(const struct veer_side *side, uint32_t offset, uint32_t size) {
    uint32_t term = veer_gather_from(side->words + offset, side->bytes + offset, size);
    return term && veer_holds_unwritten(term) ? veer_with_unwritten_as(term, 0) : term;
}

static uint32_t equality(const struct veer_spot *spot, uint32_t offset, uint32_t size, int is_float) {
    uint32_t old = term_of(&spot->old, offset, size), new = term_of(&spot->new, offset, size);
    uint32_t equal = both(VEER_OP_EQ, 1, old, new);
    if (!is_float || !equal) return equal;
    return both(VEER_OP_OR, 1, equal, both(VEER_OP_AND, 1, both(VEER_OP_FUNO, 1, old, old), both(VEER_OP_FUNO, 1, new, new)));
}

/* A number of 1, 2, 4 or 8 bytes. */
static void compare_number(const struct veer_spot *spot, uint32_t offset, uint32_t size, int is_float) {
    const uint8_t *old = spot->old.bytes + offset, *new = spot->new.bytes + offset;
    if (are_same(spot, offset, size) || is_fresh(spot->old.words + offset, size)) return;
    int holds = memcmp(old, new, size) == 0 || (is_float && is_nan(old, size) && is_nan(new, size));
    if (is_fresh(spot->new.words + offset, size)) differ_in(spot, offset, size);
    if (!is_concrete(spot->old.words + offset, size) || !is_concrete(spot->new.words + offset, size)) {
        uint32_t equal = equality(spot, offset, size, is_float);
        if (!equal) veer_note_loss(VEER_LOSS_UNSUPPORTED, spot->site);
        veer_event(VEER_KIND_CHECK, equal, (uint32_t)holds, spot->site);
    }
    if (!holds) differ_in(spot, offset, size);
}

/* -- pointers -------------------------------------------------------------------------------------------------------- */

/* The one expression whose eight bytes these are; 0 = it is something else. */
static uint32_t whole(const uint32_t *words) {
    if (words[0] < VEER_FIRST_EXPRESSION || words[0] >> VEER_FRAGMENT_SHIFT) return 0;
    for (uint32_t k = 1; k < POINTER; k++)
        if (words[k] != (k << VEER_FRAGMENT_SHIFT | words[0])) return 0;
    return words[0];
}

/* Where a pointer leads in this run: one that is an input is decided. 0 = its address is a term. */
static int leads(const struct veer_side *side, uint32_t offset, uint32_t site, uint64_t *address) {
    const uint32_t *words = side->words + offset;
    uint32_t expression = whole(words);
    memcpy(address, side->bytes + offset, POINTER);
    if (is_concrete(words, POINTER)) return 1;
    if (!expression) return 0;
    const struct veer_node *node = &VEER_NODES[expression];
    if (node->op == VEER_OP_LEAF && VEER_LEAVES[node->a].kind == VEER_LEAFKIND_CHOICE) {
        *address = veer_decide_pointer(node->a, site);
        return 1;
    }
    if (veer_pointer_of(expression) == VEER_NONE) return 0;
    veer_settle(expression, site);
    return 1;
}

/* Whether nobody but the version has a name for it: a block of its own, a constant. */
static int is_owned(const struct veer_found *found) { return found->region && !found->input && strcmp(found->region, "global") != 0; }

static int is_variable(const struct veer_found *found) { return strcmp(found->region, "global") == 0; }

/* Whether the two objects are the variables of one number. */
static int are_variables(uint64_t old, uint64_t new) {
    for (uint32_t k = 0; k < LEFT_OVER->of[0].count; k++) {
        const struct veer_leaving *part = &LEFT_OVER->of[0].parts[k];
        if (part->kind != VEER_PART_VARIABLE || part->address != old) continue;
        for (uint32_t other = 0; other < LEFT_OVER->of[1].count; other++) {
            const struct veer_leaving *its = &LEFT_OVER->of[1].parts[other];
            if (its->kind == VEER_PART_VARIABLE && its->number == part->number) return its->address == new;
        }
    }
    return 0;
}

/* Makes the two objects stand for each other; 0 = one of them stands for another one already. */
static int pair_up(const struct veer_found *old, const struct veer_found *new, const struct veer_type *type, const struct veer_spot *spot,
                   uint32_t offset, uint64_t behind) {
    for (uint32_t k = 0; k < COMPARISON->pair_count; k++) {
        const struct veer_pair *pair = &COMPARISON->pairs[k];
        if (pair->old == old->base || pair->new == new->base) return pair->old == old->base && pair->new == new->base;
    }
    if (COMPARISON->pair_count == MOST_PAIRS) {
        veer_note_loss(VEER_LOSS_UNSUPPORTED, spot->site);
        return 1;
    }
    COMPARISON->pairs[COMPARISON->pair_count++] =
        (struct veer_pair){.old = old->base, .new = new->base, .type = type, .part = COMPARISON->part,
                           .parent = spot->pair, .offset = offset, .behind = (uint32_t)behind, .site = spot->site};
    return 1;
}

/* Whether it is the address of a local variable, of a frame that may be gone. */
static int is_local(uint64_t address) { return address >= VEER_STACK_BASE && address < (uint64_t)VEER_STACK_BASE + VEER_STACK_SIZE; }

/* Whether two addresses mean the same; what objects of the versions' own hold is compared later. */
static int mean_the_same(uint64_t old, uint64_t new, const struct veer_type *type, const struct veer_spot *spot, uint32_t offset) {
    if (old == new) return 1;
    if (!old || !new) return 0;
    int is_passed = COMPARISON->part->kind == VEER_PART_ARGUMENT; /* what lies behind it is compared by itself */
    if (is_local(old) && is_local(new)) return 1;
    struct veer_found here = veer_find_object(old), there = veer_find_object(new);
    if (is_local(old) || is_local(new)) return is_passed && is_owned(is_local(old) ? &there : &here);
    if (!here.region || !there.region) {
        if (veer_foreign(old) && veer_foreign(new)) veer_note_loss(VEER_LOSS_UNSUPPORTED, spot->site); /* functions, for one */
        return veer_foreign(old) && veer_foreign(new);
    }
    uint64_t behind = old - here.base;
    if (here.input || there.input || behind != new - there.base || behind > here.size || behind > there.size) return 0;
    if (is_variable(&here) != is_variable(&there)) return 0;
    if (are_variables(here.base, there.base)) return 1;
    return is_passed || pair_up(&here, &there, type, spot, offset, behind);
}

static void compare_pointer(const struct veer_spot *spot, uint32_t offset, const struct veer_type *target) {
    uint64_t old, new;
    if (are_same(spot, offset, POINTER) || is_fresh(spot->old.words + offset, POINTER)) return;
    if (is_fresh(spot->new.words + offset, POINTER)) differ_in(spot, offset, POINTER);
    int is_known = leads(&spot->old, offset, spot->site, &old) & leads(&spot->new, offset, spot->site, &new);
    if (!is_known) compare_number(spot, offset, POINTER, 0);
    else if (!mean_the_same(old, new, target, spot, offset)) differ_in(spot, offset, POINTER);
}

/* -- values of types ------------------------------------------------------------------------------------------------- */

static int is_address(const struct veer_side *side, uint32_t offset) {
    uint64_t value;
    const uint32_t *words = side->words + offset;
    uint32_t expression = whole(words);
    if (expression && VEER_NODES[expression].op == VEER_OP_LEAF) return VEER_LEAVES[VEER_NODES[expression].a].kind == VEER_LEAFKIND_CHOICE;
    if (expression) return veer_pointer_of(expression) != VEER_NONE;
    memcpy(&value, side->bytes + offset, sizeof value);
    return is_concrete(words, POINTER) && value >= VEER_NULL_END && value < VEER_LOW_END && (is_local(value) || veer_find_object(value).region != NULL);
}

/* Bytes of which no type is known: words that hold addresses in both are pointers. */
static void compare_bytes(const struct veer_spot *spot, uint32_t begin, uint32_t end) {
    while (begin < end) {
        uint32_t size = begin % POINTER == 0 && end - begin >= POINTER ? POINTER : 1;
        if (are_same(spot, begin, size)) begin += size;
        else if (size == POINTER && is_address(&spot->old, begin) && is_address(&spot->new, begin)) compare_pointer(spot, begin, NULL), begin += size;
        else compare_number(spot, begin, size == POINTER && whole(spot->old.words + begin) && whole(spot->new.words + begin) ? POINTER : 1, 0),
             begin += size == POINTER && whole(spot->old.words + begin) && whole(spot->new.words + begin) ? POINTER : 1;
    }
}

/* The bytes of a struct that belong to no member whose type is known: padding, or what cannot be compared, which is a loss where it differs. */
static void look_between(const struct veer_spot *spot, uint32_t offset, const struct veer_type *type) {
    for (uint32_t at = 0; at < type->size;) {
        uint32_t next = at;
        for (uint32_t k = 0; k < type->count; k++) {
            uint32_t begin = type->fields[k].offset, end = begin + type->fields[k].type->size;
            if (begin <= at && at < end) next = end;
        }
        if (next > at) {
            at = next;
            continue;
        }
        if (!are_same(spot, offset + at, 1) && !is_fresh(spot->old.words + offset + at, 1)) {
            veer_note_loss(VEER_LOSS_UNSUPPORTED, spot->site);
            return;
        }
        at++;
    }
}

static void compare_value(const struct veer_spot *spot, uint32_t offset, const struct veer_type *type) {
    if (are_same(spot, offset, type->size)) return;
    switch (type->kind) {
    case VEER_TYPE_POINTER: compare_pointer(spot, offset, type->target); return;
    case VEER_TYPE_STRUCT:
        for (uint32_t k = 0; k < type->count; k++) compare_value(spot, offset + type->fields[k].offset, type->fields[k].type);
        look_between(spot, offset, type);
        return;
    case VEER_TYPE_ARRAY:
        for (uint32_t k = 0; k < type->count; k++) compare_value(spot, offset + k * type->target->size, type->target);
        return;
    case VEER_TYPE_UNION:
    case VEER_TYPE_OPAQUE: compare_bytes(spot, offset, offset + type->size); return;
    default:
        if (type->size <= POINTER) compare_number(spot, offset, type->size, type->kind == VEER_TYPE_FLOAT);
        else compare_bytes(spot, offset, offset + type->size);
    }
}

/* As many values of the type as there are. */
static void compare_all(const struct veer_spot *spot, const struct veer_type *type) {
    uint32_t size = type && type->kind != VEER_TYPE_OPAQUE ? type->size : 0, at = 0;
    for (; size && at + size <= spot->size; at += size) compare_value(spot, at, type);
    compare_bytes(spot, at, spot->size);
}

/* Characters, up to a NUL that is in both. */
static void compare_text(const struct veer_spot *spot, uint32_t most) {
    for (uint32_t k = 0; k < most; k++) {
        compare_number(spot, k, 1, 0);
        uint32_t term = is_concrete(spot->old.words + k, 1) ? 0 : term_of(&spot->old, k, 1), zero = term ? veer_constant(8, 0) : 0;
        veer_event(VEER_KIND_GUARD, both(VEER_OP_EQ, 1, term, zero), spot->old.bytes[k] == 0, spot->site);
        if (!spot->old.bytes[k]) return;
    }
}

/* -- objects of the versions' own ------------------------------------------------------------------------------------ */

static struct veer_side live(uint64_t address) { return (struct veer_side){(const uint8_t *)(uintptr_t)address, veer_words(address)}; }

static int is_freed(const struct veer_found *found) { return found->chunk && found->chunk->state != VEER_CHUNK_LIVE; }

static void compare_pair(int32_t number) {
    struct veer_pair pair = COMPARISON->pairs[number];
    COMPARISON->part = pair.part;
    struct veer_found old = veer_find_object(pair.old), new = veer_find_object(pair.new);
    struct veer_spot spot = {.size = (uint32_t)(old.size < new.size ? old.size : new.size), .site = pair.site, .pair = number};
    if (is_freed(&old) || is_freed(&new)) {
        if (is_freed(&old) != is_freed(&new)) differ_in(&spot, pair.behind, 1);
        return;
    }
    veer_touch_lazy(pair.old, old.size);
    veer_touch_lazy(pair.new, new.size);
    spot.old = live(pair.old), spot.new = live(pair.new);
    int is_text = pair.type && pair.type->kind == VEER_TYPE_CHAR;
    if (is_text && pair.behind == 0) compare_text(&spot, spot.size);
    else compare_all(&spot, pair.type);
    for (uint64_t k = spot.size; k < old.size && !is_text; k++)
        if (!is_fresh(veer_words(pair.old + k), 1)) differ_in(&spot, (uint32_t)k, 1); /* the new block is too small for that */
}

/* -- parts ----------------------------------------------------------------------------------------------------------- */

static struct veer_side kept(const struct veer_version *version, const struct veer_leaving *part) {
    return (struct veer_side){version->bytes + part->first, version->words + part->first};
}

/* An argument that leads to memory of the versions' own, of which nobody has kept what is there, cannot be compared. */
static void look_at_pointer(const struct veer_version *version, const struct veer_leaving *part, const struct veer_spot *spot) {
    int has_behind = part + 1 < version->parts + version->count && part[1].kind == VEER_PART_BEHIND && part[1].size;
    if (spot->size != POINTER || has_behind || are_same(spot, 0, POINTER)) return;
    if (is_address(&spot->old, 0) && is_address(&spot->new, 0)) veer_note_loss(VEER_LOSS_UNSUPPORTED, spot->site);
}

static void compare_part(const struct veer_leaving *old, const struct veer_leaving *new) {
    struct veer_spot spot = {.old = kept(&LEFT_OVER->of[0], old), .new = kept(&LEFT_OVER->of[1], new),
                             .size = old->size < new->size ? old->size : new->size, .site = old->site, .pair = -1};
    COMPARISON->part = old;
    if (old->is_freed != new->is_freed) differ(old->kind, old->number, old->site, 0, -1, 0);
    if (old->kind == VEER_PART_ARGUMENT) look_at_pointer(&LEFT_OVER->of[0], old, &spot);
    if (old->is_text) compare_text(&spot, spot.size);
    else if (old->kind == VEER_PART_BEHIND && old->size != new->size) differ(old->kind, old->number, old->site, 0, -1, 0);
    else if (old->type) compare_all(&spot, old->type);
    else compare_bytes(&spot, 0, spot.size);
}

static const struct veer_leaving *other_of(const struct veer_leaving *old) {
    const struct veer_version *new = &LEFT_OVER->of[1];
    for (uint32_t k = 0; k < new->count; k++)
        if (new->parts[k].kind == old->kind && new->parts[k].number == old->number) return &new->parts[k];
    return NULL;
}

static int is_of_call(const struct veer_leaving *part) { return part->kind >= VEER_PART_CALL; }

static const struct veer_leaving *next_of_calls(uint32_t version, uint32_t *at) {
    const struct veer_version *of = &LEFT_OVER->of[version];
    while (*at < of->count && !is_of_call(&of->parts[*at])) ++*at;
    return *at < of->count ? &of->parts[(*at)++] : NULL;
}

/* The calls of undefined functions, one by one, with what they are given. */
static void compare_calls(void) {
    uint32_t i = 0, j = 0;
    const struct veer_leaving *old, *new;
    do {
        old = next_of_calls(0, &i), new = next_of_calls(1, &j);
        if (!old && !new) return;
        if (!old || !new || old->kind != new->kind || old->number != new->number)
            differ(VEER_PART_CALL, old ? old->number : new->number, old ? old->site : new->site, 0, -1, 0);
        compare_part(old, new);
    } while (old && new);
}

static void compare_left(void) {
    veer_keep_unseen();
    for (uint32_t k = 0; k < LEFT_OVER->of[0].count; k++) {
        const struct veer_leaving *old = &LEFT_OVER->of[0].parts[k], *new = is_of_call(old) ? NULL : other_of(old);
        if (new) compare_part(old, new);
    }
}

void veer_compare_versions(void) {
    struct veer_control *control = VEER_CONTROL;
    uint32_t old = control->old_outcome, new = control->new_outcome;
    COMPARISON->pair_count = 0;
    VEER_HOT->depth = 0;
    switch (new) {
    case VEER_OUTCOME_ASSUMPTION:
    case VEER_OUTCOME_CAPACITY:
    case VEER_OUTCOME_UNSUPPORTED:
    case VEER_OUTCOME_MEMORY_LIMIT:
    case VEER_OUTCOME_OUTPUT_LIMIT:
    case VEER_OUTCOME_KILLED: veer_finish(new);
    default: break;
    }
    if (LEFT_OVER->is_full) veer_end_run(VEER_OUTCOME_CAPACITY, VERSIONS->site, "the versions leave more than is compared");
    if (old != new || control->old_exit_code != control->new_exit_code) differ(VEER_PART_ENDING, old << 8 | new, VERSIONS->site, 0, -1, 0);
    compare_calls();
    if (old == VEER_OUTCOME_RETURNED) compare_left();
    for (uint32_t k = 0; k < COMPARISON->pair_count; k++) compare_pair((int32_t)k);
    veer_finish(old);
}
