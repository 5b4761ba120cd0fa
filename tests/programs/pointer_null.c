// entry: first
// input: const struct pair *p: -> .a=-2..2; .b=0 1
// outcomes: returned null-dereference
struct pair { int a, b; };
int first(const struct pair *p) {
    if (p->a > 0)
        return p->b;
    return p->a;
}
