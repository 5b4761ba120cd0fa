/* A small parser of JSON's grammar: values, arrays, objects, strings with escapes, numbers, three keywords. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 10
#endif

static const char *at;

static int value(int depth);

static void space(void) {
    while (*at == ' ' || *at == '\n' || *at == '\t')
        at++;
}

static int word(const char *text) {
    for (; *text; text++, at++)
        if (*at != *text)
            return 0;
    return 1;
}

static int digits(void) {
    if (*at < '0' || *at > '9')
        return 0;
    while (*at >= '0' && *at <= '9')
        at++;
    return 1;
}

static int number(void) {
    if (*at == '-')
        at++;
    if (!digits())
        return 0;
    if (*at == '.') {
        at++;
        if (!digits())
            return 0;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        if (*at == '+' || *at == '-')
            at++;
        return digits();
    }
    return 1;
}

static int string(void) {
    for (at++; *at != '"'; at++) {
        if (*at == '\0')
            return 0;
        if (*at == '\\') {
            at++;
            if (*at != 'n' && *at != 't' && *at != '"' && *at != '\\')
                return 0;
        }
    }
    at++;
    return 1;
}

static int array(int depth) {
    at++;
    space();
    if (*at == ']') {
        at++;
        return 1;
    }
    for (;;) {
        if (!value(depth + 1))
            return 0;
        space();
        if (*at == ']') {
            at++;
            return 1;
        }
        if (*at++ != ',')
            return 0;
    }
}

static int object(int depth) {
    at++;
    space();
    if (*at == '}') {
        at++;
        return 1;
    }
    for (;;) {
        space();
        if (*at != '"' || !string())
            return 0;
        space();
        if (*at++ != ':' || !value(depth + 1))
            return 0;
        space();
        if (*at == '}') {
            at++;
            return 1;
        }
        if (*at++ != ',')
            return 0;
    }
}

static int value(int depth) {
    space();
    if (depth > 20)
        return 0;
    switch (*at) {
    case '{':
        return object(depth);
    case '[':
        return array(depth);
    case '"':
        return string();
    case 't':
        return word("true");
    case 'f':
        return word("false");
    case 'n':
        return word("null");
    default:
        return number();
    }
}

int main(void) {
    char text[SIZE + 1];
    klee_make_symbolic(text, SIZE, "text");
    text[SIZE] = 0;
    at = text;
    if (!value(0))
        return 1;
    space();
    return *at ? 2 : 0;
}
