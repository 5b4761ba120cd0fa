// entry: top
// about: SMART's locate and top: 3n - 1 paths for strings of at most n characters' room
static int locate(const char *s, int c) {
    int i = 0;
    while (s[i] != c) {
        if (s[i] == 0)
            return -1;
        i++;
    }
    return i;
}

int top(const char *input) {
    int z;
    if (!input)
        return 2;
    z = locate(input, 'a');
    if (z == -1)
        return -1;
    if (input[z + 1] != ':')
        return 1;
    return 0;
}
