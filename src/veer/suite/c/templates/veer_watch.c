/* Puts the events of specifications into preprocessed C, so that the monitors of a suite hear of them. Written by veer, the same for all units.
 *
 *     cc -DVEER_WATCH -E test_f.c | ./veer_watch > test_f_watched.c
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

/* ---- what is watched --------------------------------------------------------------------------------------------- */

static void add(const char *line)
{
    struct watch *made = &watches[watch_count];
    int at = 0;
    memset(made, 0, sizeof *made);
    if (watch_count == MOST_WATCHES ||
        sscanf(line, "%7s %255s %255s %255s %d %7s %n", made->kind, made->name, made->at_call, made->at_return, &made->count, made->result, &at) < 6 ||
        made->count > MOST_VALUES) {
        fprintf(stderr, "veer_watch: this is no event: %s\n", line);
        exit(2);
    }
    for (int k = 0; k < made->count && line[at]; k++) {
        int used = 0;
        sscanf(line + at, " %31[^;];%n", made->types[k], &used);
        at += used;
    }
    watch_count++;
}

/* Whether this line is one of those above; it takes effect. */
static int directive(const char *p, const char *end)
{
    static const char head[] = "#pragma veer_watch ";
    char line[1024];
    size_t size = (size_t)(end - p);
    if (size < sizeof head || memcmp(p, head, sizeof head - 1) != 0)
        return 0;
    size -= sizeof head - 1;
    if (size >= sizeof line)
        size = sizeof line - 1;
    memcpy(line, p + sizeof head - 1, size);
    line[size] = 0;
    if (strcmp(line, "off") == 0)
        is_on = 0;
    else
        add(line);
    return 1;
}

static struct watch *watched(const char *p, const char *end, const char *kind)
{
    for (int k = 0; k < watch_count; k++)
        if (is_word(p, end, watches[k].name) && strlen(watches[k].name) == (size_t)(end - p) && strcmp(watches[k].kind, kind) == 0)
            return &watches[k];
    return NULL;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void put(struct span text) { fwrite(text.begin, 1, (size_t)(text.end - text.begin), stdout); }

/* On one line, without comments and lines of the preprocessor. */
static void put_flat(struct span text)
{
    const char *p = text.begin;
    while (p < text.end) {
        int at_line_start = starts_line(p, text.begin);
        const char *next = behind(p, text.end, at_line_start);
        if (is_silent(p, text.end, at_line_start))
            putchar(' ');
        else
            put((struct span){p, next});
        p = next;
    }
    putchar(' ');
}

/* The parts between commas; their number. */
static int parts(struct span list, const char *text, struct span *found, int most)
{
    int count = 0;
    const char *p = list.begin, *begin = list.begin;
    if (skip(p, list.end, text) == list.end)
        return 0;
    while (count < most) {
        if (p >= list.end || *p == ',') {
            found[count++] = (struct span){begin, p};
            begin = p + 1;
            if (p >= list.end)
                break;
            p++;
        } else if (*p == '(' || *p == '[' || *p == '{')
            p = closing(p, list.end, text);
        else
            p = behind(p, list.end, starts_line(p, text));
    }
    return count;
}

/* The name that a parameter declares: its last one, `f` in `int (*f)(int)`; empty without any. */
static struct span declared(struct span parameter, const char *text)
{
    struct span name = {parameter.end, parameter.end};
    const char *p = parameter.begin;
    while (p < parameter.end) {
        const char *next = behind(p, parameter.end, starts_line(p, text));
        if (is_word(p, next, "__attribute__") || is_word(p, next, "__attribute")) {
            p = closing(skip(next, parameter.end, text), parameter.end, text);
            continue;
        }
        if (*p == '(' && name.begin != parameter.end) {
            const char *star = skip(p + 1, parameter.end, text);
            if (star < parameter.end && *star == '*') {
                struct span inner = {star + 1, closing(p, parameter.end, text) - 1};
                return declared(inner, text);
            }
            break;
        }
        if (*p == '[')
            break;
        if (isalpha((unsigned char)*p) || *p == '_')
            name = (struct span){p, next};
        p = next;
    }
    return name;
}

static void put_values(const struct span *names, int count, int has_more)
{
    for (int k = 0; k < count; k++) {
        put(names[k]);
        if (k + 1 < count || has_more)
            fputs(", ", stdout);
    }
}

/* ---- definitions -------------------------------------------------------------------------------------------------- */

static int can_be_watched(struct span specifiers)
{
    return !has_word(specifiers, "constructor") && !has_word(specifiers, "destructor") && !has_word(specifiers, "typedef") &&
           memchr(specifiers.begin, '{', (size_t)(specifiers.end - specifiers.begin)) == NULL;
}

/* Writes the wrapper of a definition, `specifiers name parameters {`; 0 = it cannot be watched. */
static int wrapper(const struct watch *watch, struct span specifiers, struct span parameters, const char *text)
{
    struct span each[64], names[64];
    struct span inner = {parameters.begin + 1, parameters.end - 1};
    int is_void = strcmp(watch->result, "void") == 0;
    int count = parts(inner, text, each, 64);
    if (count == 1) {
        const char *only = skip(inner.begin, inner.end, text);
        if (is_word(only, inner.end, "void") && skip(only + 4, inner.end, text) == inner.end)
            count = 0;
    }
    for (int k = 0; k < count; k++) {
        names[k] = declared(each[k], text);
        if (names[k].begin == names[k].end)
            return 0;
    }
    if (count == 64 || count < watch->count || !can_be_watched(specifiers))
        return 0;
    put_flat(specifiers);
    printf("veer_body_%s", watch->name);
    put_flat(parameters);
    printf("; ");
    put_flat(specifiers);
    printf("%s", watch->name);
    put_flat(parameters);
    printf("{ ");
    if (strcmp(watch->at_call, "-") != 0) {
        printf("%s(", watch->at_call);
        put_values(names, watch->count, 0);
        printf("); ");
    }
    printf("%sveer_body_%s(", is_void ? "" : "__auto_type veer_r = ", watch->name);
    put_values(names, count, 0);
    printf("); ");
    if (strcmp(watch->at_return, "-") != 0) {
        int has_result = strcmp(watch->result, "value") == 0;
        printf("%s(", watch->at_return);
        put_values(names, watch->count, has_result);
        printf("%s); ", has_result ? "veer_r" : "");
    }
    if (has_word(specifiers, "noreturn") || has_word(specifiers, "_Noreturn") || has_word(specifiers, "__noreturn__"))
        printf("__builtin_unreachable(); ");
    printf("%s} ", is_void ? "" : "return veer_r; ");
    return 1;
}

/* Behind the parameters of a definition whose name ends here; NULL where it is none. */
static const char *defined(const char *behind_name, const char *end, const char *text)
{
    const char *p = skip(behind_name, end, text);
    const char *found;
    if (p >= end || *p != '(')
        return NULL;
    p = found = closing(p, end, text);
    for (;;) {
        const char *next;
        p = skip(p, end, text);
        if (p >= end)
            return NULL;
        next = behind(p, end, 0);
        if (!is_word(p, next, "__attribute__") && !is_word(p, next, "__attribute"))
            break;
        p = closing(skip(next, end, text), end, text);
    }
    return *p == '{' ? found : NULL;
}

/* ---- calls --------------------------------------------------------------------------------------------------------- */

static void expression(struct span in, const char *text);

/* `handler(veer_0, veer_1, more); ` */
static void put_handler(const char *handler, int count, const char *more)
{
    if (strcmp(handler, "-") == 0)
        return;
    printf("%s(", handler);
    for (int k = 0; k < count; k++)
        printf("veer_%d%s", k, k + 1 < count || *more ? ", " : "");
    printf("%s); ", more);
}

/* Writes a call of a watched function with what it is given, each evaluated first; `end`: what is told then, for the program ends. */
static void call(const struct watch *watch, const struct watch *end, struct span name, struct span arguments, const char *text)
{
    struct span each[64];
    int count = parts((struct span){arguments.begin + 1, arguments.end - 1}, text, each, 64);
    const struct watch *of = watch != NULL && (end == NULL || watch->count > end->count) ? watch : end; /* has the types */
    int told = of->count < count ? of->count : count;
    int is_heard = watch != NULL && watch->count <= count;
    int is_void = watch == NULL || strcmp(watch->result, "void") == 0;
    fputs("__extension__ ({ ", stdout);
    for (int k = 0; k < told; k++) {
        printf("%s veer_%d = (", strcmp(of->types[k], "pointer") == 0 ? "const volatile void *" : of->types[k], k);
        expression(each[k], text);
        fputs("); ", stdout);
    }
    if (is_heard)
        put_handler(watch->at_call, watch->count, "");
    if (end != NULL)
        put_handler(end->at_call, 0, "");
    if (!is_void)
        fputs("__auto_type veer_r = ", stdout);
    put(name);
    putchar('(');
    for (int k = 0; k < count; k++) {
        if (k >= told)
            expression(each[k], text);
        else
            printf("%sveer_%d", strcmp(of->types[k], "pointer") == 0 ? "(void *)" : "", k);
        if (k + 1 < count)
            putchar(',');
    }
    fputs("); ", stdout);
    if (is_heard)
        put_handler(watch->at_return, watch->count, strcmp(watch->result, "value") == 0 ? "veer_r" : "");
    fputs(is_void ? "})" : "veer_r; })", stdout);
}

/* Whether what stands before a name says that it is called there: no member, and no declaration. */
static int may_be_called(struct span before)
{
    static const char *const words[] = {"return", "else", "do", "case", "__extension__"};
    if (before.begin == before.end)
        return 1;
    if (*before.begin == '.' || (*before.begin == '>' && before.begin[-1] == '-'))
        return 0;
    if (!is_letter((unsigned char)*before.begin))
        return 1;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (is_word(before.begin, before.end, words[k]))
            return 1;
    return 0;
}

/* Writes code with the calls in it that are watched. */
static void expression(struct span in, const char *text)
{
    const char *p = in.begin, *done = in.begin;
    struct span before = {in.begin, in.begin};
    while (p < in.end) {
        int at_line_start = starts_line(p, text);
        const char *next = behind(p, in.end, at_line_start);
        if (is_letter((unsigned char)*p) && is_on && may_be_called(before)) {
            struct watch *watch = watched(p, next, "call"), *more = watched(p, next, "end");
            const char *open = skip(next, in.end, text);
            if ((watch != NULL || more != NULL) && open < in.end && *open == '(') {
                struct span arguments = {open, closing(open, in.end, text)};
                put((struct span){done, p});
                if (watch != NULL)
                    watch->found = 1;
                call(watch, more, (struct span){p, next}, arguments, text);
                done = next = arguments.end;
            }
        }
        if (!is_silent(p, in.end, at_line_start))
            before = (struct span){p, next};
        p = next;
    }
    put((struct span){done, in.end});
}

/* ---- the file -------------------------------------------------------------------------------------------------------- */

static void file(const char *text, const char *end)
{
    const char *p = text, *done = text, *start = text; /* start: of the declaration */
    char last = ';';
    while (p < end) {
        int at_line_start = starts_line(p, text);
        const char *next = behind(p, end, at_line_start);
        if (at_line_start && *p == '#') {
            if (directive(p, next)) {
                put((struct span){done, p});
                done = next;
            }
            if (skip(start, p, text) == p)
                start = next < end ? next + 1 : end; /* on a line of its own */
        } else if (is_letter((unsigned char)*p)) {
            struct watch *watch = is_on ? watched(p, next, "define") : NULL;
            const char *parameters = watch != NULL ? defined(next, end, text) : NULL;
            if (parameters != NULL) {
                put((struct span){done, start});
                putchar(' ');
                done = start;
                if (wrapper(watch, (struct span){start, p}, (struct span){skip(next, end, text), parameters}, text)) {
                    watch->found = 1;
                    put((struct span){start, p});
                    printf("veer_body_%s", watch->name);
                    done = next;
                }
            }
        } else if (*p == '{') {
            int is_body = last == ')';
            next = closing(p, end, text);
            if (is_body) {
                put((struct span){done, p});
                expression((struct span){p, next}, text);
                done = start = next;
            }
        } else if (*p == '(')
            next = closing(p, end, text);
        else if (*p == ';')
            start = next;
        if (!is_silent(p, end, at_line_start))
            last = next[-1];
        p = next;
    }
    put((struct span){done, end});
}

int main(void)
{
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room + 1);
    while (text != NULL && !feof(stdin) && !ferror(stdin)) {
        size += fread(text + size, 1, room - size, stdin);
        if (size == room)
            text = realloc(text, (room *= 2) + 1);
    }
    if (text == NULL || ferror(stdin)) {
        fputs("veer_watch: what is to be watched cannot be read\n", stderr);
        return 2;
    }
    text[size] = 0;
    file(text, text + size);
    putchar('\n');
    for (int k = 0; k < watch_count; k++)
        if (watches[k].found)
            printf("extern const char veer_watched_%s; __attribute__((weak)) const char veer_watched_%s = 1;\n", watches[k].name, watches[k].name);
    free(text);
    return fflush(stdout) != 0;
}
