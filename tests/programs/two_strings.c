// entry: prefix
// paths: 11
// input: const char *a: string 2 of 'a' 'b'
// input: const char *b: string 2 of 'a' 'b'
// option: max_length=2
// about: two strings: the second may be the first
int prefix(const char *a, const char *b) {
    if (!a || !b)
        return -1;
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == 0;
}
