// bug: out-of-bounds-read: a reversed loop begins behind the last element
int backwards(const unsigned char *bytes, unsigned count)
{
    int sum = 0;
    if (!bytes)
        return -1;
#ifdef MENDED
    for (unsigned i = count; i > 0; i--)
        sum += bytes[i - 1];
#else
    for (unsigned i = count; i > 0; i--)
        sum += bytes[i];
#endif
    return sum;
}
