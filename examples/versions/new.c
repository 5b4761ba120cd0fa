/* The number at the beginning of a text, 0 where there is none. Rewritten: a sign may be a plus, too. */
int to_number(const char *text)
{
    int number = 0, sign = 1;

    if (!text)
        return 0;
    if (*text == '-' || *text == '+')
        sign = *text++ == '-' ? -1 : 1;
    for (; *text >= '0' && *text <= '9' && number < 1000; text++)
        number = number * 10 + *text - '0';
    return sign * number;
}
