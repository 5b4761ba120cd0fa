// entry: gcd
// input: unsigned char a: 0..31
// input: unsigned char b: 0..31
// claim: paths
// about: Euclid: recursion and division by a symbolic divisor
int gcd(unsigned char a, unsigned char b) {
    a &= 31;
    b &= 31;
    return b == 0 ? a : gcd(b, a % b);
}
