/* A hash table with chains. SEEDED: adding what is in it already makes its chain a ring; clearing forgets the second bucket. */
#include <stdlib.h>

#define BUCKETS 3u

struct link {
    unsigned key;
    struct link *next;
};
struct hashed {
    struct link *buckets[BUCKETS];
    int count;
};

struct hashed *hashed_new(void)
{
    struct hashed *table = calloc(1, sizeof *table);
    if (!table) abort();
    return table;
}

static struct link *found(const struct hashed *table, unsigned key)
{
    struct link *link = table->buckets[key % BUCKETS];
    while (link && link->key != key) link = link->next;
    return link;
}

int hashed_member(const struct hashed *table, unsigned key) { return found(table, key) != NULL; }

void hashed_add(struct hashed *table, unsigned key)
{
    struct link *link = found(table, key);
    if (link) {
#ifdef SEEDED
        link->next = table->buckets[key % BUCKETS];
#endif
        return;
    }
    link = malloc(sizeof *link);
    if (!link) abort();
    link->key = key;
    link->next = table->buckets[key % BUCKETS];
    table->buckets[key % BUCKETS] = link;
    table->count++;
}

int hashed_remove(struct hashed *table, unsigned key)
{
    struct link **place = &table->buckets[key % BUCKETS];
    while (*place && (*place)->key != key) place = &(*place)->next;
    if (!*place) return 0;
    struct link *link = *place;
    *place = link->next;
    free(link);
    table->count--;
    return 1;
}

void hashed_free(struct hashed *table)
{
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++) {
#ifdef SEEDED
        if (bucket == 1) continue;
#endif
        while (table->buckets[bucket]) {
            struct link *link = table->buckets[bucket];
            table->buckets[bucket] = link->next;
            free(link);
        }
    }
    free(table);
}
