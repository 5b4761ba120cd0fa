// entry: forever
// outcomes: hang
int forever(unsigned char x) {
    if (x == 5)
        while (1)
            ;
    if (x > 100)
        return 1;
    return 0;
}
