// entry: classify
// claim: paths
// outcomes: returned
// paths: 6
// input: signed char a: -3..3
// input: signed char b: -3..3
// input: signed char c: -3..3
// about: a quadratic equation's kind of solution, by its discriminant in doubles
int classify(signed char a, signed char b, signed char c) {
    double x = a, y = b, z = c;
    if (x == 0.0) {
        if (y == 0.0)
            return z == 0.0 ? 3 : 4;
        return 5;
    }
    double discriminant = y * y - 4.0 * x * z;
    if (discriminant < 0.0)
        return 0;
    return discriminant == 0.0 ? 1 : 2;
}
