// entry: check
// input: unsigned char a: all
// input: unsigned char b: 0 1 76 77 78 255
int check(unsigned char a, unsigned char b) {
    for (int i = 0; i < 3; i++) {
        if (a == 50 + i)
            return i;
        if (i == 1 && b == 77)
            break;
        if (b < 1)
            continue;
        a++;
    }
    return -1;
}
