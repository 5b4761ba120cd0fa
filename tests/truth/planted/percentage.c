// bug: division: the total may be zero
int percentage(unsigned char part, unsigned char total)
{
#ifdef MENDED
    if (total == 0)
        return 0;
#endif
    return 100 * part / total;
}
