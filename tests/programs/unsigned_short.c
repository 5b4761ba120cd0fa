// entry: bucket
// input: unsigned short x: all
// paths: 5
int bucket(unsigned short x) {
    if (x < 10)
        return 0;
    if (x >= 65000)
        return x == 65535 ? 4 : 3;
    return (x & 0xff) == 7 ? 2 : 1;
}
