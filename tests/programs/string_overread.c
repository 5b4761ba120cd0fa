// entry: third
// input: const char *s: string 3 of 'a' 'b'
// option: max_length=3
// outcomes: returned out-of-bounds-read null-dereference
// about: a string that is too short
int third(const char *s) {
    return s[2] == 'b';
}
