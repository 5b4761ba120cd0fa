// entry: triangle_number
// paths: 16
// input: unsigned char n: all
// about: a loop that the input bounds, a concrete second loop
int triangle_number(unsigned char n) {
    int sum = 0;
    n &= 15;
    for (int i = 0; i < n; i++)
        sum += i;
    for (int i = 0; i < 2; i++)
        sum++;
    return sum;
}
