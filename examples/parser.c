/* A reader of settings such as "w=80;h=25": two faults hide behind its syntax.
 *
 *     veer test examples/parser.c --entry parse_settings
 */
#include <stddef.h>

struct settings {
    int width;
    int height;
};

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads a number; returns the place behind it, or NULL if there is none. */
static const char *parse_number(const char *text, int *number)
{
    if (!is_digit(*text))
        return NULL;
    *number = 0;
    while (is_digit(*text))
        *number = *number * 10 + (*text++ - '0');
    return text;
}

/* Returns width / height, or -1 for text that is not a setting. */
int parse_settings(const char *text)
{
    struct settings settings = {80, 25};
    if (text == NULL)
        return -1;
    while (*text != '\0') {
        char name = *text;
        int *target;
        if (name == 'w')
            target = &settings.width;
        else if (name == 'h')
            target = &settings.height;
        else
            return -1;
        text += 2; /* the name and the '=': nobody looks whether it is there */
        text = parse_number(text, target);
        if (text == NULL)
            return -1;
        if (*text == ';')
            text++;
    }
    return settings.width / settings.height; /* h=0 */
}
