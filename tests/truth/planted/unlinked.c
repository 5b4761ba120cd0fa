// bug: null-dereference: the first node has none before it
#include <stddef.h>
struct node { struct node *next; int key; };
int unlinked(int key)
{
    struct node third = {NULL, 9}, second = {&third, 5}, first = {&second, 2}, *before = NULL;
    for (struct node *at = &first; at; before = at, at = at->next)
        if (at->key == key) {
#ifdef MENDED
            if (!before)
                return 1;
#endif
            before->next = at->next;
            return 2;
        }
    return 0;
}
