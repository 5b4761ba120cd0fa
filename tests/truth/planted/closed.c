// bug: use-after-free: the state of a session is asked behind its end
#include <stdlib.h>
struct session { int state; int id; };
int closed(int id)
{
    struct session *s = malloc(sizeof *s);
    if (!s)
        return -1;
    s->state = id < 0 ? 3 : 1;
    s->id = id;
#ifdef MENDED
    int state = s->state;
    free(s);
    return state == 3 ? 1 : 0;
#else
    free(s);
    return s->state == 3 ? 1 : 0;
#endif
}
