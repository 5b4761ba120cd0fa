// entry: token
// input: unsigned char c: all
// about: ranges, default in the middle, fallthrough
int token(unsigned char c) {
    int n = 0;
    switch (c) {
    case '0' ... '9':
        n = 1;
        break;
    case ' ':
        n = 5; /* falls through */
    default:
        n += 2;
        break;
    case 'x':
    case 'y':
        n = 3; /* falls through */
    case 'z':
        n += 10;
    }
    return n;
}
