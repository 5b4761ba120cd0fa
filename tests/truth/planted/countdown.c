// bug: hang: an unsigned number is never below zero
int countdown(unsigned char from)
{
    int steps = 0;
#ifdef MENDED
    for (unsigned char i = from; i > 0; i--)
#else
    for (unsigned char i = from; i >= 0; i--)
#endif
        steps = (steps + 1) & 0xff;
    return steps;
}
