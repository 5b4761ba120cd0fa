/* Characters, an addition over them, a division by zero, and a condition over numbers: what killed searches go on with. */
int mixed(const char *s, int a, int b)
{
    int n = 0;
    for (int i = 0; s[i]; i++) {
        if (s[i] == 'a')
            n++;
        else if (s[i] == 'b')
            n += 2;
        else if (s[i] == 'c')
            n += 3;
        if (n == 5)
            return 7;
    }
    if (n == 9)
        return 1 / (n - 9);
    if (a - n == 77 && b > a)
        return 3;
    return n;
}
