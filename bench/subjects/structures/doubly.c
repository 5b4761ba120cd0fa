/* A doubly linked list. SEEDED: concatenation with an empty second list dereferences NULL. */
#include <stdlib.h>

struct node {
    int value;
    struct node *next, *previous;
};

/* repOK: `list` is the first node, the nodes behind it point back, at most 5 of them. */
int doubly_ok(const struct node *list)
{
    int count = 0;
    if (list && list->previous) return 0;
    for (; list; list = list->next) {
        if (++count > 5) return 0;
        if (list->next && list->next->previous != list) return 0;
    }
    return 1;
}

/* Two lists that share no node: the last nodes differ. */
int apart(const struct node *first, const struct node *second)
{
    if (!first || !second) return 1;
    while (first->next) first = first->next;
    while (second->next) second = second->next;
    return first != second;
}

struct node *doubly_last(struct node *list)
{
    while (list && list->next) list = list->next;
    return list;
}

struct node *doubly_concatenate(struct node *first, struct node *second)
{
    struct node *last = doubly_last(first);
    if (!first) return second;
#ifndef SEEDED
    if (!second) return first;
#endif
    last->next = second;
    second->previous = last;
    return first;
}

/* The list without its first node of that value. */
struct node *doubly_remove(struct node *list, int value)
{
    struct node *node = list;
    while (node && node->value != value) node = node->next;
    if (!node) return list;
    if (node->next) node->next->previous = node->previous;
    if (node->previous) node->previous->next = node->next;
    else list = node->next;
    free(node);
    return list;
}
