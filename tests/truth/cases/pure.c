struct pair { int a, b; };
__attribute__((pure)) int first(const char *s) { return s[0] == 'x'; }
static __attribute__((const)) int quotient(int a, int b) { return a / b; }
__attribute__((pure)) const char *next(const char *s) { return s[0] ? s + 1 : s; }
__attribute__((pure)) struct pair swapped(const struct pair *p) { return (struct pair){ p->b, p->a }; }
int use(int x) { return quotient(7, x); }
