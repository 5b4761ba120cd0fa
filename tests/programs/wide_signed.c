// entry: divide
// input: signed char x: -6..6
// input: signed char y: -2..2
// option: no_check=all
// claim: paths
// outcomes: returned division
// about: signed 128-bit quotients and remainders, by a constant and by an input
int divide(signed char x, signed char y) {
    __int128 dividend = ((__int128)x << 66) + 12345;
    if (dividend % 1000 == -439)
        return 1;
    if ((long)((dividend / y) >> 64) == 8)
        return 2;
    return (long)(dividend >> 64) / 5 == -3 ? 3 : 4;
}
