/* A sorted list without duplicates. SEEDED: a value between two others goes behind both. */
#include <assert.h>
#include <stdlib.h>

struct entry {
    int key;
    struct entry *next;
};

/* repOK: keys ascend, at most 5 of them. */
int sorted_ok(const struct entry *list)
{
    int count = 0;
    for (; list; list = list->next) {
        if (++count > 5) return 0;
        if (list->next && list->next->key <= list->key) return 0;
    }
    return 1;
}

static void check(const struct entry *list)
{
    for (; list && list->next; list = list->next) assert(list->key < list->next->key);
}

int sorted_member(const struct entry *list, int key)
{
    while (list && list->key < key) list = list->next;
    return list && list->key == key;
}

/* The list with the key; what it returns is sorted again. */
struct entry *sorted_add(struct entry *list, int key)
{
    struct entry **link = &list, *made;
    while (*link && (*link)->key < key) link = &(*link)->next;
    if (*link && (*link)->key == key) return list;
#ifdef SEEDED
    if (*link && link != &list) link = &(*link)->next;
#endif
    made = malloc(sizeof *made);
    if (!made) abort();
    made->key = key;
    made->next = *link;
    *link = made;
    check(list);
    return list;
}

struct entry *sorted_remove(struct entry *list, int key)
{
    struct entry **link = &list;
    while (*link && (*link)->key < key) link = &(*link)->next;
    if (*link && (*link)->key == key) {
        struct entry *removed = *link;
        *link = removed->next;
        free(removed);
    }
    return list;
}
