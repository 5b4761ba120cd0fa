
/* ---- calls that fail where they failed in the recorded run ----------------------------------------------------- */

enum { VEER_NO_ENTRY = 2, VEER_BROKEN = 5, VEER_NO_MEMORY = 12, VEER_FULL = 28 };
extern int *libc_errno(void) __asm__("__errno_location");
extern void *machines_malloc(unsigned long) __asm__("malloc");
extern void *machines_calloc(unsigned long, unsigned long) __asm__("calloc");
extern void *machines_realloc(void *, unsigned long) __asm__("realloc");
extern char *machines_strdup(const char *) __asm__("strdup");
extern char *machines_strndup(const char *, unsigned long) __asm__("strndup");
extern void *machines_fopen(const char *, const char *) __asm__("fopen");
extern long machines_read(int, void *, unsigned long) __asm__("read");
extern long machines_write(int, const void *, unsigned long) __asm__("write");

/* Whether this call fails, with this errno. */
VEER_UNUSED static int veer_fails(const char *input, int error)
{
    int fails;
    veer_take(&fails, sizeof fails, input);
    if (fails)
        *libc_errno() = error;
    return fails;
}

/* A short call moves one byte. */
VEER_UNUSED static unsigned long veer_moved(const char *input, unsigned long size)
{
    int is_short;
    if (size < 2)
        return size;
    veer_take(&is_short, sizeof is_short, input);
    return is_short ? 1 : size;
}

VEER_UNUSED static void *veer_failing_malloc(unsigned long size)
{
    return veer_fails("malloc() fails", VEER_NO_MEMORY) ? NULL : machines_malloc(size);
}

VEER_UNUSED static void *veer_failing_calloc(unsigned long count, unsigned long size)
{
    return veer_fails("calloc() fails", VEER_NO_MEMORY) ? NULL : machines_calloc(count, size);
}

VEER_UNUSED static void *veer_failing_realloc(void *old, unsigned long size)
{
    return veer_fails("realloc() fails", VEER_NO_MEMORY) ? NULL : machines_realloc(old, size);
}

VEER_UNUSED static char *veer_failing_strdup(const char *text)
{
    return veer_fails("strdup() fails", VEER_NO_MEMORY) ? NULL : machines_strdup(text);
}

VEER_UNUSED static char *veer_failing_strndup(const char *text, unsigned long most)
{
    return veer_fails("strndup() fails", VEER_NO_MEMORY) ? NULL : machines_strndup(text, most);
}

VEER_UNUSED static void *veer_failing_fopen(const char *name, const char *mode)
{
    return veer_fails("fopen() fails", VEER_NO_ENTRY) ? NULL : machines_fopen(name, mode);
}

VEER_UNUSED static long veer_failing_read(int file, void *to, unsigned long size)
{
    if (veer_fails("read() fails", VEER_BROKEN))
        return -1;
    return machines_read(file, to, veer_moved("read() is short", size));
}

VEER_UNUSED static long veer_failing_write(int file, const void *from, unsigned long size)
{
    if (veer_fails("write() fails", VEER_FULL))
        return -1;
    return machines_write(file, from, veer_moved("write() is short", size));
}
