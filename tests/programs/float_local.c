// entry: settle
// input: unsigned char x: all
// paths: 2
// about: floating point that no input reaches
int settle(unsigned char x) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += 0.5 * i;
    if (sum > 1.0 && x > 9)
        return 1;
    return 5;
}
