// bug: use-after-free: the address of a local variable is kept
static const int *kept;
static void keep(int value)
{
#ifdef MENDED
    static int place;
#else
    int place;
#endif
    place = value;
    kept = &place;
}
int returned_local(int value)
{
    keep(value);
    return *kept > 3;
}
