// entry: width
// input: const char *s: string 4 of 'w' 'h' '5' ';'
// option: max_length=4
// outcomes: returned null-dereference out-of-bounds-read
// about: two characters are passed over without a look; the NUL at the bound exists only if they do
int width(const char *s) {
    int sum = 0;
    while (*s != '\0') {
        if (*s != 'w')
            return -1;
        s += 2;
        if (*s == '5')
            sum++, s++;
        if (*s == ';')
            s++;
    }
    return sum;
}
