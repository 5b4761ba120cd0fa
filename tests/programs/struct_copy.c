// entry: swap
// input: struct pair p: .a=-2..2; .b=-2..2
// about: struct assignment carries symbolic bytes
struct pair { short a; short b; };
struct pair global_pair;
int swap(struct pair p) {
    struct pair q[2];
    q[1] = p;
    global_pair = q[1];
    q[0].a = global_pair.b;
    q[0].b = global_pair.a;
    if (q[0].a > q[0].b)
        return 1;
    return q[0].a == p.b ? 2 : 3;
}
