/* A protection table: permissions of segments are inserted, looked up, and taken back. */
#include <assert.h>

enum { ENTRIES = 6, NONE = 0, READ = 1, WRITE = 2, EXECUTE = 3 };

struct request {
    unsigned char first, count; /* words that get a permission */
    unsigned char bits[ENTRIES]; /* what each word had */
    unsigned char wanted[ENTRIES];
};

static unsigned char table[16];
static unsigned char changed[ENTRIES];

static unsigned char allowed(unsigned char old, unsigned char wanted)
{
    if (wanted > EXECUTE)
        return old;
    if (old == EXECUTE && wanted == WRITE)
        return READ;
    return wanted;
}

int protect(struct request *r)
{
    int words = 0;
    if (r->first < 16 && r->count <= 4 && r->first + r->count <= 16)
        for (int i = 0; i < r->count; i++)
            words++;
    table[0] = (unsigned char)words;
    for (int i = 0; i < ENTRIES; i++) {
        unsigned char next = allowed(r->bits[i], r->wanted[i]);
        if (next != r->bits[i])
            changed[i] = next == NONE ? 2 : 1;
    }
    for (int i = 0; i < ENTRIES; i++)
        if (changed[i] == 2)
            assert(r->wanted[i] == NONE);
    return words;
}
