// bug: undefined: an integer multiplication overflowed: minutes of a large number of hours
long seconds(int hours)
{
#ifdef MENDED
    return hours * 3600L;
#else
    return hours * 3600;
#endif
}
