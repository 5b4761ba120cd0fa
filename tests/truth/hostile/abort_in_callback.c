// entry: sorted
// outcomes: abort
// about: abort() below a library function that calls back
#include <search.h>
#include <stdlib.h>
static int chosen;
static int compare(const void *a, const void *b) {
    if (chosen == 7)
        abort();
    return *(const char *)a - *(const char *)b;
}
int sorted(unsigned char x) {
    char key = 'c', table[4] = "abc";
    size_t count = 3;
    chosen = x;
    void *found = lfind(&key, table, &count, 1, compare);
    if (x > 100)
        return found != 0;
    return 3;
}
