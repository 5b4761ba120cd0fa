// bug: undefined: an array index is out of bounds: one too many in an array inside of a struct
struct window { int samples[4]; int sum; };
int window(unsigned char count, int step)
{
    struct window w = {{0}, 0};
#ifdef MENDED
    for (int i = 0; i < count && i < 4; i++)
#else
    for (int i = 0; i < count && i <= 4; i++)
#endif
        w.samples[i] = step > 0 ? 1 : 2;
    for (int i = 0; i < 4; i++)
        w.sum += w.samples[i];
    return w.sum;
}
