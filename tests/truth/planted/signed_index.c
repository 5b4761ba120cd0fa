// bug: undefined: an array index is out of bounds: a character of the upper half is a negative number
static const int weight[128];
int signed_index(signed char c)
{
#ifdef MENDED
    if (c < 0) return 0;
#endif
    return weight[c] + 1;
}
