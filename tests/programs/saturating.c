// entry: saturating
// input: signed char a: all
// input: unsigned char b: all
// claim: paths
// about: saturating sums and differences, signed and unsigned
int saturating(signed char a, unsigned char b) {
    signed char up = __builtin_elementwise_add_sat(a, (signed char)100);
    signed char down = __builtin_elementwise_sub_sat(a, (signed char)90);
    unsigned char more = __builtin_elementwise_add_sat(b, (unsigned char)200);
    unsigned char less = __builtin_elementwise_sub_sat(b, (unsigned char)30);
    if (up == 127)
        return more == 255 ? 1 : 2;
    if (down == -128)
        return less == 0 ? 3 : 4;
    return __builtin_elementwise_max(a, (signed char)3) == 3 ? 5 : 6;
}
