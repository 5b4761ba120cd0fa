/* What the eight printers share: names for values, and an end of the packet that is looked at first. */
#include <stdio.h>

struct token {
    unsigned value;
    const char *text;
};

static const char *name_of(const struct token *tokens, unsigned value)
{
    for (; tokens->text; tokens++)
        if (tokens->value == value)
            return tokens->text;
    return "unknown";
}

static void flags(const struct token *tokens, unsigned value)
{
    for (; tokens->text; tokens++)
        if (value & tokens->value)
            puts(tokens->text);
}

static unsigned two(const unsigned char *p) { return (unsigned)p[0] << 8 | p[1]; }

static void host(const unsigned char *p)
{
    if (p[0] == 127)
        puts("loopback");
    else if (p[0] >= 224)
        puts("multicast");
    else if (p[0] == 10)
        puts("private");
    else
        puts("host");
}
