// bug: undefined: an array index is out of bounds: the first month is 1
static const short before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
int day_of_year(int month, int day)
{
    if (month < 0 || month > 12 || day < 1 || day > 31)
        return -1;
#ifdef MENDED
    if (month == 0)
        return -1;
#endif
    return before[month - 1] + day;
}
