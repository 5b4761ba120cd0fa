/* Puts the events of specifications into preprocessed C, so that the monitors of a suite hear of them. Written by veer, the same for all units.
 *
 *     cc -DVEER_WATCH -E test_f.c | ./veer_watch > test_f_watched.c          or: ./veer_watch test_f.i test_f_watched.c
 *
 *     #pragma veer_watch define lock veer_watch_call_lock - 1 void            a function of the unit: a wrapper takes its name
 *         static void lock(int m) {...}    becomes    static void veer_body_lock(int m) {...}, called by
 *                                                     static void lock(int m) { veer_watch_call_lock(m); veer_body_lock(m); }
 *     #pragma veer_watch call free veer_watch_call_free - 1 void pointer;     a function that no source defines
 *         free(p)                          becomes    ({ const volatile void *veer_1 = (p); veer_watch_call_free(veer_1); ... })
 *     #pragma veer_watch end exit veer_watch_end - 1 void int;                what ends the program asks what must hold at the end
 *     #pragma veer_watch off                                                  what follows is not the unit's
 *
 * All stays on its line. What cannot be followed (a definition in the old style, a variadic one, a name that a macro hides) is left as it is;
 * `veer_watched_lock` is defined where lock was found, and the suite looks for it.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WATCHES = 256, MOST_VALUES = 16, NAME = 256 };

struct watch {
    char kind[8], name[NAME], at_call[NAME], at_return[NAME], result[8]; /* result: value, other, void */
    int count, found;
    char types[MOST_VALUES][32];
};

struct span {
    const char *begin, *end;
};

static struct watch watches[MOST_WATCHES];
static int watch_count, is_on = 1;

/* ---- words ------------------------------------------------------------------------------------------------------ */

static int is_letter(int c) { return isalnum(c) || c == '_' || c == '$'; }

/* Behind the word that begins here: a blank, a comment, a line of the preprocessor, a literal, a name or number, a mark. */
static const char *behind(const char *p, const char *end, int at_line_start)
{
    if (at_line_start && *p == '#') {
        while (p < end && *p != '\n')
            p++;
        return p;
    }
    if (end - p > 1 && p[0] == '/' && p[1] == '*') {
        for (p += 2; p < end && !(p[-1] == '/' && p[-2] == '*'); p++)
            ;
        return p;
    }
    if (end - p > 1 && p[0] == '/' && p[1] == '/') {
        while (p < end && *p != '\n')
            p++;
        return p;
    }
    if (*p == '"' || *p == '\'') {
        char quote = *p++;
        while (p < end && *p != quote)
            p += *p == '\\' ? 2 : 1;
        return p < end ? p + 1 : end;
    }
    if (is_letter((unsigned char)*p)) {
        while (p < end && is_letter((unsigned char)*p))
            p++;
        return p;
    }
    return p + 1;
}

static int starts_line(const char *p, const char *text)
{
    while (p > text && (p[-1] == ' ' || p[-1] == '\t'))
        p--;
    return p == text || p[-1] == '\n';
}

static int is_silent(const char *p, const char *end, int at_line_start)
{
    return isspace((unsigned char)*p) || (at_line_start && *p == '#') || (end - p > 1 && p[0] == '/' && (p[1] == '*' || p[1] == '/'));
}

/* The next word that means something, or `end`. */
static const char *skip(const char *p, const char *end, const char *text)
{
    while (p < end && is_silent(p, end, starts_line(p, text)))
        p = behind(p, end, starts_line(p, text));
    return p;
}

/* Behind the bracket that closes the one here; `end` without any. */
static const char *closing(const char *p, const char *end, const char *text)
{
    int depth = 0;
    while (p < end) {
        int at_line_start = starts_line(p, text);
        if (!is_silent(p, end, at_line_start))
            depth += (*p == '(' || *p == '[' || *p == '{') - (*p == ')' || *p == ']' || *p == '}');
        p = behind(p, end, at_line_start);
        if (depth == 0)
            return p;
    }
    return end;
}

static int is_word(const char *p, const char *end, const char *word)
{
    size_t size = strlen(word);
    return (size_t)(end - p) >= size && memcmp(p, word, size) == 0 && (p + size == end || !is_letter((unsigned char)p[size]));
}

static int has_word(struct span in, const char *word)
{
    const char *p = in.begin;
    while (p < in.end) {
        const char *next = behind(p, in.end, starts_line(p, in.begin));
        if (is_word(p, next, word))
            return 1;
        p = next;
    }
    return 0;
}

