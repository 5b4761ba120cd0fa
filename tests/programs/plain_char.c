// entry: kind
// input: char c: all
// about: plain char is signed; ranges of letters
int kind(char c) {
    if (c >= 'a' && c <= 'z')
        return 1;
    if (c >= 'A' && c <= 'Z')
        return 2;
    if (c < 0)
        return 3;
    return c == '_';
}
