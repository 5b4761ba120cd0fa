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

