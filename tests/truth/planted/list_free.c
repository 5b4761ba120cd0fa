// bug: use-after-free: the next node is read from the one that was freed
#include <stdlib.h>
struct node { struct node *next; int value; };
int list_free(unsigned char count)
{
    struct node *head = NULL;
    for (int i = 0; i < count % 3; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        if (!fresh)
            break;
        fresh->next = head;
        fresh->value = i;
        head = fresh;
    }
    int freed = 0;
#ifdef MENDED
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
        freed++;
    }
#else
    for (; head; head = head->next) {
        free(head);
        freed++;
    }
#endif
    return freed;
}
