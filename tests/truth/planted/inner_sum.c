// bug: undefined: an array index is out of bounds: one less than the unsigned zero is the largest number
int inner_sum(unsigned n)
{
    static const char text[4] = "abc";
    int sum = 0;
    if (n > 4) return -1;
#ifdef MENDED
    for (unsigned i = 0; i + 1 < n; i++)
#else
    for (unsigned i = 0; i < n - 1; i++)
#endif
        sum += text[i];
    return sum;
}
