/* A ring of a doubly linked list with a count of its own: a memory graph with arithmetic in it. */
#include <stddef.h>

struct entry {
    int weight;
    unsigned uses : 4;
    unsigned pinned : 1;
    struct entry *next;
};

static int total;
static int last = -1;

/* Uses an entry of a list of at most four once more; returns its place, or -1. */
int touch(struct entry *list, int weight)
{
    int place = 0;
    while (list != NULL && place < 4) {
        if (list->weight == weight) {
            if (list->uses < 15)
                list->uses++;
            if (list->uses > 2)
                list->pinned = 1;
            total = total + weight * 2;
            last = place;
            return place;
        }
        place++;
        list = list->next;
    }
    last = -2;
    return -1;
}
