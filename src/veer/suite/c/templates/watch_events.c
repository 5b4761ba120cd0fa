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

