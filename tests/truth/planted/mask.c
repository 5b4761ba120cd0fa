// bug: undefined: a shift by too much: a mask of all 32 bits
unsigned mask(unsigned char bits)
{
    if (bits > 32)
        return 0;
#ifdef MENDED
    if (bits == 32)
        return ~0u;
#endif
    return (1u << bits) - 1;
}
