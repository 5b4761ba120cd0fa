/* Supports: the set of leaves under an expression. None, one (inline in the node), or a hash-consed sorted list in
   `supports`: its length, then leaf indices in ascending order. */
#include "support.h"
#include "hash.h"
#include "ledger.h"
#include "memo.h"
#include "places.h"
#include "publish.h"
#include "veer_shared.h"
#include <string.h>

enum {
    SUPPORT_LIMIT = 2048, /* leaves in one support set; an expression over more is concretised */
    SUPPORT_TABLE = 1 << 20,
    UNION_MEMO = 4096
};

struct support_state {
    struct memo union_memo[UNION_MEMO];
    uint32_t table[SUPPORT_TABLE];
};
ENGINE_STATE_FITS(support);
#define SUPPORT ENGINE_STATE(support)

#define SUPPORTS VEER_REGION(uint32_t, SUPPORTS)
#define IS_LIST 0x80000000u

static uint32_t list_hash(const uint32_t *leaves, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = mix(hash, leaves[i]);
    return (uint32_t)hash & (SUPPORT_TABLE - 1);
}

/* Finds the lists of the campaign again. */
void veer_support_attach(void)
{
    uint32_t count = VEER_CONTROL->support_count;
    for (uint32_t at = 0; at < count; at += SUPPORTS[at] + 1) {
        uint32_t slot = list_hash(SUPPORTS + at + 1, SUPPORTS[at]);
        for (uint32_t tries = 0; SUPPORT->table[slot] && tries < 64; tries++)
            slot = (slot + 1) & (SUPPORT_TABLE - 1);
        SUPPORT->table[slot] = at + 1;
    }
}

/* The support that is this sorted list of two leaves or more. */
static uint32_t intern_list(const uint32_t *leaves, uint32_t count)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t used = control->support_count, slot = list_hash(leaves, count);
    for (uint32_t tries = 0; tries < 64; tries++, slot = (slot + 1) & (SUPPORT_TABLE - 1)) {
        uint32_t at = SUPPORT->table[slot];
        if (at == 0 || at > used)
            break;
        if (SUPPORTS[at - 1] == count && !memcmp(SUPPORTS + at, leaves, count * sizeof(uint32_t)))
            return (at - 1) | IS_LIST;
    }
    if (count > SUPPORT_LIMIT || used + count + 1 > VEER_SUPPORTS_CAPACITY) {
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_SUPPORTS);
        return VEER_NONE;
    }
    SUPPORTS[used] = count;
    memcpy(SUPPORTS + used + 1, leaves, count * sizeof(uint32_t));
    SUPPORT->table[slot] = used + 1;
    PUBLISH(control->support_count, used + count + 1);
    return used | IS_LIST;
}

/* The leaves of a support, in ascending order: returns how many, *leaves points at them (`single` holds a single one).
 */
uint32_t veer_support_leaves(uint32_t support, const uint32_t **leaves, uint32_t *single)
{
    if (support == 0)
        return 0;
    if (support & IS_LIST) {
        const uint32_t *list = SUPPORTS + (support & ~IS_LIST);
        *leaves = list + 1;
        return list[0];
    }
    *single = support - 1;
    *leaves = single;
    return 1;
}

static uint32_t merge(uint32_t left, uint32_t right)
{
    const uint32_t *a = NULL, *b = NULL;
    uint32_t single_a, single_b, merged[2 * SUPPORT_LIMIT], count = 0;
    uint32_t left_count = veer_support_leaves(left, &a, &single_a),
             right_count = veer_support_leaves(right, &b, &single_b);
    uint32_t i = 0, j = 0;
    while (i < left_count && j < right_count) {
        uint32_t x = a[i], y = b[j];
        merged[count++] = x < y ? x : y;
        i += x <= y;
        j += y <= x;
    }
    while (i < left_count)
        merged[count++] = a[i++];
    while (j < right_count)
        merged[count++] = b[j++];
    return intern_list(merged, count);
}

/* The union of two supports; NONE when there is no room for it. */
uint32_t veer_support_union(uint32_t left, uint32_t right)
{
    if (left == right || right == 0)
        return left;
    if (left == 0)
        return right;
    uint64_t key = (uint64_t)left << 32 | right;
    struct memo *memo = &SUPPORT->union_memo[mix(key, 0) & (UNION_MEMO - 1)];
    if (memo->result && memo->low == key)
        return memo->result;
    uint32_t result = merge(left, right);
    if (result != VEER_NONE)
        remember(memo, key, 0, result);
    return result;
}
