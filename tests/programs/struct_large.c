// entry: total
// input: struct big b: .a=0..5 9223372036854775807; .b=-2..2; .c=0..3; .d=0 1 9; .e=0 1
// about: a struct that travels in memory (byval), copied and changed
// outcomes: returned undefined
struct big { long a; int b; short c; long d; long e; };
static long take(struct big copy) { copy.a += copy.b; return copy.a; }
int total(struct big b) {
    struct big saved = b;
    long sum = take(b);
    if (sum != saved.a + b.b)
        return 99;
    if (sum > 4 && b.c < 2)
        return 1;
    return b.d == 9 && b.e ? 2 : 3;
}
