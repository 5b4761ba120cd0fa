// bug: stack-overflow: an odd number never comes to zero
unsigned pairs_below(unsigned char n)
{
#ifdef MENDED
    if (n <= 1)
#else
    if (n == 0)
#endif
        return 0;
    return 1 + pairs_below((unsigned char)(n - 2));
}
