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

