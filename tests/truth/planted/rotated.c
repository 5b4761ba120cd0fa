// bug: undefined: a shift by too much: a rotation by nothing shifts by the whole width
unsigned rotated(unsigned value, unsigned char by)
{
    by &= 31;
#ifdef MENDED
    return (value << by) | (value >> (-by & 31));
#else
    return (value << by) | (value >> (32 - by));
#endif
}
