// bug: uninitialised: a table is filled up to the day before the last
static int fill(short days[], int count)
{
    int sum = 0;
#ifdef MENDED
    for (int i = 0; i <= count; i++)
#else
    for (int i = 0; i < count; i++)
#endif
        days[i] = (short)(sum += i % 7);
    return count;
}

int calendar(unsigned char day)
{
    short days[400];
    int last = fill(days, 31);
    if (day > last)
        return -1;
    return days[day] > 40 ? 1 : 0;
}
