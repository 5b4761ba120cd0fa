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

int main(int count, char **words)
{
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room + 1);
    if (count > 2 && (freopen(words[1], "r", stdin) == NULL || freopen(words[2], "w", stdout) == NULL)) {
        fprintf(stderr, "veer_watch: %s cannot be read, or %s not written\n", words[1], words[2]);
        return 2;
    }
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
            printf("extern const char veer_watched_%s; __attribute__((__weak__)) const char veer_watched_%s = 1;\n", watches[k].name, watches[k].name);
    free(text);
    return fflush(stdout) != 0;
}
