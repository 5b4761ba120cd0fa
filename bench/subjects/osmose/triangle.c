/* After OSMOSE's "triangle": 38 branches, 5 functions, call depth 3. Sides in any order; which kind of triangle? */
enum { LONGEST = 1000 };

static int larger(int x, int y) {
    if (x > y)
        return x;
    return y;
}

static int largest(int x, int y, int z) { return larger(larger(x, y), z); }

static int flatness(int a, int b, int c) {
    int longest = largest(a, b, c), rest = a + b + c - longest;
    if (10 * longest > 9 * rest)
        return 2;
    if (3 * longest > 2 * rest)
        return 1;
    return 0;
}

static int size(int around) {
    if (around < 10)
        return 0;
    if (around < 100)
        return 1;
    return 2;
}

int triangle(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0)
        return -1;
    if (a > LONGEST || b > LONGEST || c > LONGEST)
        return -2;
    if (a + b <= c || b + c <= a || a + c <= b)
        return -3;
    int form = 10 * size(a + b + c) + flatness(a, b, c);
    if (a == b && b == c)
        return form + 300;
    if (a == b || b == c || a == c)
        return form + 200;
    return form + 100;
}
