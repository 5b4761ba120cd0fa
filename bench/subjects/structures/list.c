/* A singly linked list. SEEDED puts in bugs: reversing loses a list of one, and removing the last element leaks it. */
#include <stdlib.h>

struct cell {
    int value;
    struct cell *next;
};

/* repOK: the list ends, and has at most 5 cells. */
int list_ok(const struct cell *list)
{
    int count = 0;
    for (; list; list = list->next)
        if (++count > 5) return 0;
    return 1;
}

int list_length(const struct cell *list)
{
    int count = 0;
    for (; list; list = list->next) count++;
    return count;
}

struct cell *list_find(struct cell *list, int value)
{
    while (list && list->value != value) list = list->next;
    return list;
}

struct cell *list_reverse(struct cell *list)
{
    struct cell *reversed = NULL;
#ifdef SEEDED
    if (list && !list->next->next) return list;
#endif
    while (list) {
        struct cell *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    return reversed;
}

struct cell *list_push(struct cell *list, int value)
{
    struct cell *cell = malloc(sizeof *cell);
    if (!cell) abort();
    cell->value = value;
    cell->next = list;
    return cell;
}

/* Removes the first cell of that value. */
struct cell *list_remove(struct cell *list, int value)
{
    struct cell **link = &list;
    while (*link && (*link)->value != value) link = &(*link)->next;
    if (*link) {
        struct cell *removed = *link;
        *link = removed->next;
#ifdef SEEDED
        if (!removed->next) return list;
#endif
        free(removed);
    }
    return list;
}
