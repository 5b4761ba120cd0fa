// bug: stack-overflow: the end of the recursion is missed by a negative number
int depth(signed char n)
{
#ifdef MENDED
    if (n <= 0)
#else
    if (n == 0)
#endif
        return 0;
    return 1 + depth((signed char)(n < 0 ? n : n - 1));
}
