#include <stdlib.h>
struct node { int key; struct node *next; };
static int inserted;
enum status { OK = 0, DUPLICATE = 1, BAD = -1 };
/* Inserts behind the head, sorted; counts. */
enum status put(struct node *head, struct node *fresh)
{
    if (head == NULL || fresh == NULL || head == fresh)
        return BAD;
    if (head->key == fresh->key)
        return DUPLICATE;
    if (head->key > fresh->key) {
        int k = head->key;
        head->key = fresh->key;
        fresh->key = k;
    }
    fresh->next = head->next;
    head->next = fresh;
    inserted++;
    return OK;
}
