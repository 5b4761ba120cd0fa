/* Novelty of concrete runs, as AFL has it: each edge has eight ranges of how often a run takes it (1, 2, 3, 4-7, 8-15, 16-31, 32-127,
   128-), and a range that no run had is news. So loops and recursion that go deeper are news, too. */
#include "novelty.h"
#include "executes.h"
#include "veer_shared.h"

static uint8_t range_of(uint8_t count)
{
    static const uint8_t small[4] = {0, 1, 2, 4};
    if (count < 4)
        return small[count];
    return count < 8 ? 8 : count < 16 ? 16 : count < 32 ? 32 : count < 128 ? 64 : 128;
}

static void note_edge(uint32_t edge, uint8_t count, struct run_news *news)
{
    uint8_t *seen = VEER_REGION(uint8_t, MUTATION_SEEN);
    uint32_t *hits = VEER_REGION(uint32_t, MUTATION_HITS);
    uint8_t range = range_of(count);
    news->counts += !(seen[edge] & range);
    news->edges += !VEER_REGION(uint8_t, EDGE_SEEN)[edge];
    seen[edge] |= range;
    hits[edge] += hits[edge] != UINT32_MAX;
    if (news->rarest == VEER_NONE || hits[edge] < hits[news->rarest])
        news->rarest = edge;
}

/* Whether one of 64 bytes is not 0; there are zeros behind the last edge. */
static int any_of(const uint8_t *counts)
{
    const uint64_t *words = (const uint64_t *)(const void *)counts;
    uint64_t any = 0;
    for (int k = 0; k < 8; k++)
        any |= words[k];
    return any != 0;
}

struct run_news veer_run_news(void)
{
    const uint8_t *counts = veer_edge_counts();
    struct run_news news = {0, 0, VEER_NONE};
    uint32_t end = VEER_CONTROL->edge_count;
    for (uint32_t k = 0; k < end; k += 8) {
        if (k % 64 == 0 && !any_of(counts + k)) {
            k += 56;
            continue;
        }
        uint64_t eight = *(const uint64_t *)(const void *)(counts + k);
        while (eight) {
            uint32_t place = (uint32_t)__builtin_ctzll(eight) / 8;
            if (k + place < end)
                note_edge(k + place, (uint8_t)(eight >> (8 * place)), &news);
            eight &= ~(0xffull << (8 * place));
        }
    }
    return news;
}
