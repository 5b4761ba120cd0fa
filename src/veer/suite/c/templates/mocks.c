
/* ---- mocks: functions that are defined nowhere keep what they are given --------------------------------------- */

enum { VEER_LOOKED_AT = {{ most }} }; /* calls of a test whose arguments are compared */
static unsigned long veer_call_count; /* calls of all mocks */

/* Where a call is kept: the place behind the last one is for those that nobody looks at. */
VEER_UNUSED static unsigned long veer_next_call(unsigned long *count)
{
    unsigned long n = *count;
    *count = n + 1;
    return veer_call_count++ < VEER_LOOKED_AT ? n : VEER_LOOKED_AT;
}

VEER_UNUSED static void veer_keep_text(unsigned long n, char *to, const char *text)
{
    unsigned long i;
    for (i = 0; text != NULL && n < VEER_LOOKED_AT && i < {{ kept - 1 }} && text[i] != '\0'; i++)
        to[i] = text[i];
}

/* `count` elements; of several as many as fit into {{ kept }} bytes. */
VEER_UNUSED static void veer_keep(unsigned long n, void *to, const void *from, long long count, unsigned long size)
{
    unsigned long most = count > 1 && (unsigned long)count > {{ kept }} / size ? {{ kept }} / size : (unsigned long)count;
    if (from != NULL && n < VEER_LOOKED_AT && count > 0)
        __builtin_memcpy(to, from, most * size);
}
