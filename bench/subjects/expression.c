/* An expression evaluator: a lexer, precedence climbing and functions over doubles, on SIZE symbolic bytes. */
#include <klee/klee.h>
#include <math.h>
#ifndef SIZE
#define SIZE 8
#endif

enum { END, NUMBER, NAME, SYMBOL };
enum { MAX_NAME = 8, MAX_DEPTH = 16 };

struct parser {
    const char *at;
    int kind; /* of the current token */
    double number;
    char name[MAX_NAME];
    int symbol;
    int depth;
    int failed;
};

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_letter(char c) { return c >= 'a' && c <= 'z'; }

/* digits [. digits] [e [+|-] digits] */
static void read_number(struct parser *p) {
    double value = 0, scale = 1;
    while (is_digit(*p->at)) value = value * 10 + (*p->at++ - '0');
    if (*p->at == '.')
        for (p->at++; is_digit(*p->at); p->at++) value += (*p->at - '0') * (scale /= 10);
    if (*p->at == 'e') {
        int negative = 0, exponent = 0;
        p->at++;
        if (*p->at == '+' || *p->at == '-') negative = *p->at++ == '-';
        if (!is_digit(*p->at)) p->failed = 1;
        while (is_digit(*p->at) && exponent < 100) exponent = exponent * 10 + (*p->at++ - '0');
        while (exponent-- > 0) value = negative ? value / 10 : value * 10;
    }
    p->number = value;
    p->kind = NUMBER;
}

static void read_name(struct parser *p) {
    int length = 0;
    while (is_letter(*p->at)) {
        if (length < MAX_NAME - 1) p->name[length++] = *p->at;
        else p->failed = 1;
        p->at++;
    }
    p->name[length] = 0;
    p->kind = NAME;
}

static void next(struct parser *p) {
    while (*p->at == ' ' || *p->at == '\t') p->at++;
    if (!*p->at) {
        p->kind = END;
    } else if (is_digit(*p->at) || *p->at == '.') {
        read_number(p);
    } else if (is_letter(*p->at)) {
        read_name(p);
    } else {
        p->kind = SYMBOL;
        p->symbol = *p->at++;
    }
}

static int is_symbol(const struct parser *p, int symbol) { return p->kind == SYMBOL && p->symbol == symbol; }

static int same(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

static double sum(struct parser *p, int least);

static double call(struct parser *p) {
    static const struct {
        const char *name;
        double value;
    } constants[] = {{"pi", 3.141592653589793}, {"e", 2.718281828459045}};
    char name[MAX_NAME];
    for (int k = 0; k < MAX_NAME; k++) name[k] = p->name[k];
    next(p);
    for (unsigned k = 0; k < sizeof constants / sizeof *constants; k++)
        if (same(name, constants[k].name)) return constants[k].value;
    if (!is_symbol(p, '(')) return p->failed = 1;
    next(p);
    double x = sum(p, 0);
    if (!is_symbol(p, ')')) return p->failed = 1;
    next(p);
    if (same(name, "abs")) return fabs(x);
    if (same(name, "sqrt")) return x < 0 ? (p->failed = 1, 0) : sqrt(x);
    if (same(name, "floor")) return floor(x);
    if (same(name, "sq")) return x * x;
    return p->failed = 1;
}

static double primary(struct parser *p) {
    double value = 0;
    if (++p->depth > MAX_DEPTH) return p->failed = 1;
    if (p->kind == NUMBER) {
        value = p->number;
        next(p);
    } else if (p->kind == NAME) {
        value = call(p);
    } else if (is_symbol(p, '-')) {
        next(p);
        value = -primary(p);
    } else if (is_symbol(p, '(')) {
        next(p);
        value = sum(p, 0);
        if (!is_symbol(p, ')')) p->failed = 1;
        next(p);
    } else {
        p->failed = 1;
    }
    p->depth--;
    return value;
}

static int strength(const struct parser *p) {
    if (p->kind != SYMBOL) return 0;
    switch (p->symbol) {
    case '<':
    case '>': return 1;
    case '+':
    case '-': return 2;
    case '*':
    case '/': return 3;
    default: return 0;
    }
}

/* Operators that bind more strongly than `least`. */
static double sum(struct parser *p, int least) {
    double left = primary(p);
    while (!p->failed && strength(p) > least) {
        int symbol = p->symbol, own = strength(p);
        next(p);
        double right = sum(p, own);
        switch (symbol) {
        case '<': left = left < right; break;
        case '>': left = left > right; break;
        case '+': left += right; break;
        case '-': left -= right; break;
        case '*': left *= right; break;
        default:
            if (right == 0) p->failed = 1;
            else left /= right;
        }
    }
    return left;
}

int main(void) {
    char text[SIZE + 1];
    klee_make_symbolic(text, SIZE, "text");
    text[SIZE] = 0;
    struct parser p = {.at = text};
    next(&p);
    double value = sum(&p, 0);
    if (p.failed || p.kind != END) return 1;
    if (value == 42) return 42;
    return value > 1e6 ? 3 : value < -0.5 ? 2 : 0;
}
