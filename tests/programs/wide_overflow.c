// entry: sums
// input: signed char x: all
// input: signed char y: -4..4
// claim: paths
// about: overflow of 128-bit sums and differences
int sums(signed char x, signed char y) {
    __int128 a = (__int128)x << 120, result;
    if (y < -3 || y > 3)
        return 0;
    if (__builtin_add_overflow(a, (__int128)y << 124, &result))
        return 1;
    unsigned __int128 u;
    if (__builtin_sub_overflow((unsigned __int128)a, (unsigned __int128)y, &u))
        return 2;
    return result == 0 ? 3 : 4;
}
