// entry: classify
// input: long x: -9223372036854775808 -1 0 4294967295 4294967296 9223372036854775807
// about: 64-bit comparisons and a narrowing
int classify(long x) {
    if (x < 0)
        return (unsigned long)x > 9223372036854775808ul ? 1 : 2;
    if ((int)x == -1)
        return 3;
    return x > 4294967295l ? 4 : 5;
}
