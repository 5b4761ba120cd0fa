// entry: clamp
// input: signed char x: all
// input: signed char low: -2 0 5 
// input: signed char high: -1 0 7
// about: nested comparisons of three signed bytes
int clamp(signed char x, signed char low, signed char high) {
    if (low > high)
        return 1000;
    if (x < low)
        return low;
    if (x > high)
        return high;
    return x;
}
