/* A tour of C: each function takes symbolic input and prints what it computes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void veer_input(void *cell, uint64_t size, const char *name);

#define INPUT(type, name) \
    type name;            \
    veer_input(&name, sizeof name, #name)
#define SHOW(expression) printf("%d %lld\n", __LINE__, (long long)(expression))

static void arithmetic(void) {
    INPUT(int, a);
    INPUT(unsigned, b);
    INPUT(short, s);
    INPUT(unsigned char, c);
    INPUT(long, l);
    INPUT(unsigned long, u);
    SHOW((long)a + b - s * c);
    SHOW(a / (int)(c | 1));
    SHOW(a % (int)(c | 1));
    SHOW(b / (c | 1u));
    SHOW(u % (b | 1));
    SHOW(l / -3);
    SHOW((a ^ s) & ~c);
    SHOW(b << (c & 31));
    SHOW(l >> (c & 63));
    SHOW(u >> 7);
    SHOW((unsigned short)(s * 3));
    SHOW(a < s && b > c ? l : -1);
    SHOW((a > 0) + (b > 5u) * 2 + (l <= s) * 4 + (u >= b) * 8);
    SHOW(-a);
    SHOW(!a);
    SHOW(~l);
}

static void floats(void) {
    INPUT(int, a);
    INPUT(unsigned short, n);
    INPUT(unsigned long, u);
    double d = a / 16.0, e = n + 0.5;
    float f = (float)d * 2 - n;
    SHOW(d * e);
    SHOW(d / e + f);
    SHOW(-d < e);
    SHOW(d != e || f >= 3);
    SHOW((unsigned)(e * 3));
    SHOW((float)u > 1e18f);
    SHOW(__builtin_fabs(d) + __builtin_sqrt(e) * 100);
    SHOW(__builtin_isnan(d) + 2 * __builtin_isinf(f) + 4 * __builtin_isfinite(e) + 8 * __builtin_signbit(f));
    SHOW(__builtin_copysign(e, d));
    double nothing = (d - d) / (e - e);
    SHOW(__builtin_isnan(nothing) + (nothing == nothing) + !(nothing < 1) * 4);
}

static void builtins(void) {
    INPUT(int, a);
    INPUT(unsigned, b);
    INPUT(long, l);
    INPUT(unsigned long, u);
    INPUT(unsigned short, s);
    SHOW(__builtin_bswap32(b));
    SHOW(__builtin_bswap64(u));
    SHOW(__builtin_bswap16(s));
    SHOW(__builtin_popcount(b) + __builtin_popcountll(u));
    SHOW(__builtin_clz(b | 1) + __builtin_ctz(b | 16) + __builtin_clzll(u | 1) + __builtin_ctzll(u | 256));
    SHOW(__builtin_ffs(a));
    SHOW(abs(a) + labs(l));
    SHOW(__builtin_rotateleft32(b, a) + __builtin_rotateright32(b, 5));
    SHOW(__builtin_bitreverse32(b));
    int i;
    unsigned v;
    long w;
    unsigned long x;
    SHOW(__builtin_add_overflow(a, (int)b, &i) + 2 * i);
    SHOW(__builtin_sub_overflow(b, (unsigned)a, &v) + 2 * v);
    SHOW(__builtin_mul_overflow(a, (int)b, &i) + 2 * i);
    SHOW(__builtin_add_overflow(l, a, &w) + 2 * w);
    SHOW(__builtin_mul_overflow(l, (long)b, &w) + 2 * w);
    SHOW(__builtin_mul_overflow(u, (unsigned long)s, &x) + 2 * x);
    SHOW(__builtin_mul_overflow(-l, (long)s, &w) + 2 * w);
    SHOW(__builtin_sub_overflow(l, (long)u, &w) + 2 * w);
    SHOW(__builtin_elementwise_max(a, (int)b) + __builtin_elementwise_min(b, (unsigned)s));
    SHOW(__builtin_expect(a > 3, 1));
}

struct bits {
    unsigned a : 3;
    int b : 7;
    unsigned long c : 40;
    _Bool d : 1;
};
struct __attribute__((packed)) packed {
    char a;
    int b;
    short c[2];
    double d;
};
struct big {
    int a[20];
    char c;
};
struct three {
    unsigned char r, g, b;
};
struct five {
    char c[5];
};
struct seven {
    unsigned char c[7];
};
struct mixed {
    long a;
    int b;
};
struct pair {
    float x, y;
};
struct two {
    double x;
    long n;
};
union any {
    int i;
    float f;
    unsigned char c[8];
    long l;
};

static struct big by_value(struct big b, int i) {
    b.a[i & 15] += 7;
    b.c ^= 1;
    return b;
}
static struct three turn(struct three t) {
    struct three r = {t.b, t.r, (unsigned char)(t.g + 1)};
    return r;
}
static struct five five(struct five f) {
    f.c[4] += f.c[0];
    return f;
}
static struct seven seven(struct seven s) {
    s.c[6] ^= s.c[1];
    return s;
}
static struct mixed mixed(struct mixed m, int k) {
    m.a += m.b;
    m.b *= k;
    return m;
}
static struct pair pair(struct pair p) {
    struct pair q = {p.y, p.x + 1};
    return q;
}
static struct two two(long n, struct two t) {
    t.n += n;
    t.x *= 2;
    return t;
}
struct big (*indirect)(struct big, int) = by_value;

static void structs(void) {
    INPUT(struct big, b);
    INPUT(int, i);
    struct bits bits = {0};
    bits.a = (unsigned)i;
    bits.b = i >> 3;
    bits.c = (unsigned long)b.a[2] * 77;
    bits.d = i > 5;
    SHOW(bits.a + bits.b + (long)bits.c + bits.d);
    struct packed p[2];
    memset(p, i, sizeof p);
    p[1].b = i;
    p[1].c[1] = (short)i;
    p[1].d = i;
    SHOW(p[1].b + p[1].c[1] + p[1].d + p[0].b);
    struct big c = by_value(b, i), d = indirect(c, 3);
    SHOW(c.a[i & 15] - d.a[3] + d.c + (b.c == c.c));
    INPUT(struct three, t);
    t = turn(turn(t));
    SHOW(t.r * 65536 + t.g * 256 + t.b);
    INPUT(struct five, f);
    f = five(f);
    SHOW(f.c[4] + f.c[2]);
    INPUT(struct seven, s);
    s = seven(s);
    SHOW(s.c[6] * 256 + s.c[5]);
    struct mixed m = {b.a[0], i};
    m = mixed(m, 3);
    SHOW(m.a + m.b);
    struct pair q = {(float)i / 1024, (float)b.a[1] / 4096};
    q = pair(pair(q));
    SHOW(q.x * 3 + q.y);
    struct two w = {i * 0.25, b.a[5]};
    w = two(i, w);
    SHOW(w.x + w.n);
    union any any;
    any.l = i;
    any.c[1] ^= 3;
    SHOW(any.i + any.c[0] + any.l);
}

static int sum(int n, ...) {
    va_list list, copy;
    int total = 0;
    va_start(list, n);
    va_copy(copy, list);
    for (int k = 0; k < n; k++) total += va_arg(list, int);
    for (int k = 0; k < n; k++) total -= va_arg(copy, int) / 2;
    va_end(copy);
    va_end(list);
    return total;
}

static int choose(int x) {
    switch (x & 15) {
    case 1: return 5;
    case 2:
    case 7: return x;
    case 3: x++; /* fall through */
    case 9: return x * 2;
    default: return x < 0 ? 3 : 4;
    }
}
static int chooses_wide(long x) {
    switch (x) {
    case -1: return 1;
    case 0x7fffffffffffL: return 2;
    default: return 0;
    }
}
static int computed(int x) {
    static void *const table[] = {&&first, &&second, &&third};
    int steps = 0;
next:
    if (steps++ > 5) return steps;
    goto *table[(x >> steps) % 3 & 3];
first:
    x += 3;
    goto next;
second:
    x -= 7;
    goto next;
third:
    return x;
}
static int arrays(int n) {
    int a[(n & 7) + 1], total = 0;
    for (int i = 0; i <= (n & 7); i++) a[i] = i * n;
    for (int i = 0; i < 3; i++) {
        char *b = __builtin_alloca((size_t)i + 1);
        memset(b, n, (size_t)i + 1);
        total += b[i];
    }
    for (int i = 0; i <= (n & 7); i++) {
        int inner[i + 1];
        inner[i] = a[i];
        total += inner[i];
    }
    return total + a[n & 7];
}
static jmp_buf place;
static int deep(int n) {
    volatile int local = n;
    if (n == 0) longjmp(place, 7);
    return deep(n - 1) + local;
}
static int jumps(int x) {
    volatile int y = x;
    int got = setjmp(place);
    if (got) return y + got;
    return deep(x & 7);
}
static int recurse(unsigned n) { return n < 2 ? (int)n : recurse(n - 1) + recurse(n - 2); }
static void control(void) {
    INPUT(int, x);
    INPUT(signed char, small);
    SHOW(sum(3, x, 4, small));
    for (int k = 0; k < 10; k++) SHOW(choose(x + k));
    SHOW(chooses_wide(x) + chooses_wide(x - x - 1));
    SHOW(computed(x & 1023));
    SHOW(arrays(x));
    SHOW(jumps(x));
    SHOW(recurse(x & 7));
    int total = 0;
    do {
        total += x & 3;
        if (total == 100) continue;
        x >>= 1;
    } while (x > 4);
    for (const char *p = "some text"; *p; p++) total = total * 31 + *p;
    SHOW(total);
    SHOW((x && small) + (x || small) * 2 + (x ? 10 : 20) + (small > 3 ? x : -x));
}

static _Thread_local int local_to_thread = 5;
static int counter;
int tentative;
const char *names[] = {"abc", "def", "ghi"};
struct flexible {
    int n;
    int data[];
} flexible = {2, {10, 20}};
static int zeroes[100];
int *pointers[] = {&zeroes[3], &tentative, (int *)((char *)zeroes + 8)};
__attribute__((weak)) int weak_value = 9;
static int count(void) {
    static int calls = 3;
    return ++calls;
}
static void globals(void) {
    INPUT(int, x);
    zeroes[x & 63] = x;
    tentative = x + 1;
    counter += x;
    local_to_thread += x;
    SHOW(zeroes[x & 63] + *pointers[1] + *pointers[0] + counter + local_to_thread + weak_value);
    SHOW(names[(x & 1) + 1][1] + flexible.data[1] + flexible.n + count() + count());
    int *p = malloc(10 * sizeof *p), *q = p + (x & 7);
    for (int k = 0; k < 10; k++) p[k] = k * x;
    SHOW(*q + (q - p) + (q >= p));
    char buffer[16];
    memcpy(buffer, &x, sizeof x);
    memmove(buffer + 2, buffer, 4);
    SHOW(buffer[3] + buffer[5]);
    SHOW(((uintptr_t)q & 3) + (size_t)((char *)q - (char *)p));
    free(p);
}

typedef int four __attribute__((vector_size(16)));
static four added(four a, four b) { return a + b * 2; }
static __int128 wide(__int128 a, long b) { return a * b + 1; }
static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void unsupported(void) {
    INPUT(int, x);
    four v = {x, 1, 2, 3}, w = added(v, v);
    SHOW(w[0] + w[2]);
    SHOW((long)(wide(x, 1000000007) >> 3));
    long double e = x;
    SHOW(e * 3 / 2);
    _Complex double z = x + 2.0i;
    z = z * z;
    SHOW(__real__ z + __imag__ z);
    int y = 1;
    __asm__("addl %1,%0" : "+r"(y) : "r"(x));
    __asm__("incl %0" : "+m"(y));
    __asm__ volatile("" ::: "memory");
    SHOW(y);
    int numbers[] = {x, 3, -x, 7, 5};
    qsort(numbers, 5, sizeof *numbers, ascending);
    SHOW(numbers[0] - numbers[4]);
    char text[40];
    snprintf(text, sizeof text, "%d", x);
    SHOW(text[0] + strtol(text, NULL, 10));
    int (*print)(const char *, ...) = printf;
    print("%d\n", x);
}
static void atomics(void) {
    INPUT(int, x);
    _Atomic int a = x;
    int b = x, expected = x, fresh = x * 3;
    long *p = (long *)&counter, *q = p;
    a += 5;
    SHOW(a);
    SHOW(__atomic_fetch_sub(&b, 3, __ATOMIC_SEQ_CST) + __atomic_nand_fetch(&b, x, __ATOMIC_SEQ_CST));
    SHOW(__atomic_compare_exchange_n(&b, &expected, 4, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) + expected);
    SHOW(__sync_lock_test_and_set(&b, fresh) + __sync_val_compare_and_swap(&b, fresh, 9) + b);
    SHOW(__atomic_compare_exchange_n(&p, &q, (long *)&tentative, 0, 0, 0) + (p == (long *)&tentative));
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
static _Bool flag(_Bool *p, int x) {
    *p = x;
    return *p && x > 3;
}
static int old_style(a, b) int a;
char b;
{
    return a * b;
}
static void rest(void) {
    INPUT(int, x);
    _Bool b = x & 1;
    SHOW(flag(&b, x) + b);
    SHOW(old_style(x, (char)x));
    int matrix[3][4], (*row)[4] = matrix;
    for (int i = 0; i < 12; i++) matrix[i / 4][i % 4] = x + i;
    SHOW(row[x & 1][x & 3] + sizeof matrix / sizeof *row);
    enum { RED, GREEN = 5 } colour = x & 4 ? GREEN : RED;
    SHOW(colour);
    struct mixed literal = (struct mixed){.b = x}, *at = &literal;
    at->a = (long)at->b << 3;
    SHOW(at->a + (at == &literal) + (int)offsetof(struct mixed, b));
    const char *text = x > 0 ? "positive" : "negative";
    SHOW(text[x & 3]);
}

int program(void) {
    arithmetic();
    floats();
    builtins();
    structs();
    control();
    globals();
    unsupported();
    atomics();
    rest();
    fflush(stdout);
    return counter;
}
