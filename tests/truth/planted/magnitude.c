// bug: undefined: an integer negation overflowed: the least number has no opposite
int magnitude(int x)
{
#ifdef MENDED
    if (x == -2147483647 - 1)
        return 2147483647;
#endif
    if (x < 0)
        x = -x;
    return x;
}
