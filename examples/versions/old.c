/* The number at the beginning of a text, 0 where there is none. */
int to_number(const char *text)
{
    int number = 0, is_negative;

    if (!text)
        return 0;
    is_negative = *text == '-';
    if (is_negative)
        text++;
    while (*text >= '0' && *text <= '9' && number < 1000)
        number = number * 10 + (*text++ - '0');
    return is_negative ? -number : number;
}
