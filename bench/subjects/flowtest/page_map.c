/* A page map as a teaching kernel has it: each page's header is checked and changed for itself. */
#include <assert.h>
#ifndef PAGES
#define PAGES 512
#endif

enum { PRESENT = 1, WRITABLE = 2, DIRTY = 4, KERNEL = 8 };

struct header {
    unsigned char flags;
    unsigned char references;
};

static int state[PAGES]; /* 0 free, 1 in use, 2 to be written back */

static int release(struct header *page)
{
    if (page->references > 1) {
        page->references--;
        return 1;
    }
    page->references = 0;
    if (page->flags & DIRTY)
        return 2;
    return 0;
}

void page_map(struct header pages[PAGES])
{
    for (int i = 0; i < PAGES; i++) {
        struct header *page = &pages[i];
        if (!(page->flags & PRESENT))
            state[i] = 0;
        else if (page->flags & KERNEL)
            state[i] = 1;
        else
            state[i] = release(page);
    }
    for (int i = 0; i < PAGES; i++)
        assert(state[i] != 2 || pages[i].references == 0);
}
