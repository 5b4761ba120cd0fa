// entry: divide
// input: signed char x: all
// input: short y: -300..300
// option: no_check=all
// outcomes: returned division
// about: 128-bit quotients and remainders by short and long divisors, signed and unsigned
int divide(signed char x, short y) {
    __int128 dividend = ((__int128)x << 66) + 12345;
    __int128 by_word = dividend / y;
    unsigned __int128 long_divisor = ((unsigned __int128)(unsigned short)y << 62) + 1;
    unsigned quotient = (unsigned)((unsigned __int128)dividend / long_divisor);
    if (quotient == 7)
        return 1;
    if (dividend % y == -3)
        return 2;
    return (long)(by_word >> 64) == 2 ? 3 : 4;
}
