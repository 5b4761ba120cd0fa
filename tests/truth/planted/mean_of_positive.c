// bug: division: no value may be positive
int mean_of_positive(const short *values, unsigned char count)
{
    int sum = 0, many = 0;
    if (!values)
        return -1;
    for (int i = 0; i < count; i++)
        if (values[i] > 0) {
            sum += values[i];
            many++;
        }
#ifdef MENDED
    if (!many)
        return 0;
#endif
    return sum / many;
}
