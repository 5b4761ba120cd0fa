/* After OSMOSE's "triangle": 38 branches, 5 functions, call depth 3. Sides in any order; which kind of triangle? */

static int is_side(int x) {
    if (x <= 0)
        return 0;
    return x <= 1000;
}

static int are_sides(int a, int b, int c) {
    return is_side(a) && is_side(b) && is_side(c);
}

static int closes(int a, int b, int c) {
    if (!are_sides(a, b, c))
        return 0;
    if (a + b <= c)
        return 0;
    if (b + c <= a)
        return 0;
    return a + c > b;
}

static int equal_pairs(int a, int b, int c) {
    int pairs = 0;
    if (a == b)
        pairs++;
    if (b == c)
        pairs++;
    if (a == c)
        pairs++;
    return pairs;
}

int triangle(int a, int b, int c) {
    if (!closes(a, b, c))
        return 0;
    switch (equal_pairs(a, b, c)) {
    case 3:
        return 3;
    case 1:
        return 2;
    default:
        return 1;
    }
}
