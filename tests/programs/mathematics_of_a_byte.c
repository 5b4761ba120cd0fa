// entry: power
// input: char digit: all
// input: int n: 0 4 5 6
// claim: paths
// about: what a byte leads to is tried value by value through functions of the mathematical library
#include <math.h>
int power(char digit, int n) {
    int x = digit - '0';
    if (pow(x, 2) == 49 && x > 0)
        return 1;
    if (x > 0 && log(x) > 4.4)
        return n == 5 ? 2 : 3;
    return sin(x * 3.14159265358979 / 30) > 0.5 ? 4 : 5;
}
