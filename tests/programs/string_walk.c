// entry: number
// input: const char *s: string 3 of '0' '5' '9' '/' ':' '-'
// option: max_length=3
// about: a hand-written atoi
int number(const char *s) {
    int value = 0, sign = 1;
    if (!s)
        return -1000;
    if (*s == '-') {
        sign = -1;
        s++;
    }
    while (*s >= '0' && *s <= '9')
        value = 10 * value + (*s++ - '0');
    return *s ? -2000 : sign * value;
}
