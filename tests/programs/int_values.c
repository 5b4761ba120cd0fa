// entry: relate
// input: int a: -2147483648 -1 0 1 2147483647
// input: unsigned b: 0 1 2147483647 2147483648 4294967295
// about: signed and unsigned meet in one comparison
int relate(int a, unsigned b) {
    if (a < b) /* a becomes unsigned */
        return (int)b < a;
    if ((unsigned)a == b)
        return 7;
    return 3;
}
