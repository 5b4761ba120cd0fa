// bug: undefined: an array index is out of bounds: a character may be negative
static unsigned counts[16];
int bucket_of(const char *word)
{
    int hash = 0;
    if (!word)
        return -1;
    for (; *word; word++)
#ifdef MENDED
        hash = (hash * 7 + (unsigned char)*word) % 16;
#else
        hash = (hash * 7 + *word) % 16;
#endif
    return (int)++counts[hash];
}
