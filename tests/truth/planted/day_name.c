// bug: out-of-bounds-read: days are counted from 1, the table from 0
static const char *const names[7] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
static char first_letter(const char *const *table, int index) { return table[index][0]; }
int day_name(unsigned char day)
{
    if (day < 1 || day > 7)
        return '?';
#ifdef MENDED
    return first_letter(names, day - 1);
#else
    return first_letter(names, day);
#endif
}
