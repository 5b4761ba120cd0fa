// bug: out-of-bounds-write: the end of a vector is kept from before it grew
#include <stdlib.h>
struct vector { int *begin, *end, *limit; };
static int push(struct vector *v, int value)
{
    if (v->end == v->limit) {
        size_t size = (size_t)(v->limit - v->begin);
        int *grown = realloc(v->begin, (size + 1) * 2 * sizeof *grown);
        if (!grown)
            return -1;
#ifdef MENDED
        v->end = grown + size;
#endif
        v->begin = grown;
        v->limit = grown + (size + 1) * 2;
    }
    *v->end++ = value;
    return 0;
}
int stacked(unsigned char many)
{
    struct vector v = {malloc(sizeof(int)), NULL, NULL};
    if (!v.begin)
        return -1;
    v.end = v.begin;
    v.limit = v.begin + 1;
    int last = 0;
    for (int i = 0; i < many % 4; i++)
        last = push(&v, i);
    free(v.begin);
    return last;
}
