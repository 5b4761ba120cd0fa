
/* ---- recorded inputs ------------------------------------------------------------------------------------------ */

struct veer_input {
    const char *name;
    unsigned int occurrence;
    unsigned long size;
    const char *bytes;
};
static const struct veer_input *veer_inputs;
static unsigned long veer_input_count;
VEER_UNUSED static int veer_is_fed; /* whether a test has begun */
#ifndef VEER_MOST_INPUTS
#define VEER_MOST_INPUTS 65536
#endif
static unsigned char veer_taken[VEER_MOST_INPUTS]; /* one mark an input */
static struct { const char *name; unsigned long count; } veer_counted[256];

VEER_UNUSED static void veer_feed(const struct veer_input *inputs, unsigned long count)
{
    veer_is_fed = 1;
    veer_inputs = inputs;
    veer_input_count = count;
    __builtin_memset(veer_taken, 0, sizeof veer_taken);
    __builtin_memset(veer_counted, 0, sizeof veer_counted);
}

/* How often an input of that name was asked for: how often a function that is defined nowhere was called. */
VEER_UNUSED static unsigned long veer_calls(const char *name)
{
    unsigned long i;
    for (i = 0; i < sizeof veer_counted / sizeof veer_counted[0] && veer_counted[i].name != NULL; i++)
        if (libc_strcmp(veer_counted[i].name, name) == 0)
            return veer_counted[i].count;
    return 0;
}

static void veer_count(const char *name)
{
    unsigned long i;
    for (i = 0; i < sizeof veer_counted / sizeof veer_counted[0]; i++) {
        if (veer_counted[i].name == NULL || libc_strcmp(veer_counted[i].name, name) == 0) {
            veer_counted[i].name = name;
            veer_counted[i].count++;
            return;
        }
    }
}

/* The next recorded input of that name; zeros when the recorded run took none. */
VEER_UNUSED static void veer_take(void *cell, unsigned long size, const char *name)
{
    unsigned long i;
    veer_count(name);
    __builtin_memset(cell, 0, size);
    for (i = 0; i < veer_input_count && i < sizeof veer_taken; i++) {
        if (!veer_taken[i] && libc_strcmp(veer_inputs[i].name, name) == 0) {
            veer_taken[i] = 1;
            __builtin_memcpy(cell, veer_inputs[i].bytes, size < veer_inputs[i].size ? size : veer_inputs[i].size);
            return;
        }
    }
}

/* A precondition that fails: the input is none, the test ends. */
VEER_UNUSED static void veer_precondition(int holds)
{
    if (!holds) {
        libc_dprintf(veer_output, "# %s: a precondition does not hold\n", veer_current);
        libc_exit(125);
    }
}

VEER_UNUSED static int veer_within(int begin, int value, int end)
{
    return begin <= value && value < end;
}

VEER_UNUSED static void *veer_block_or_null(unsigned long made)
{
    return made ? veer_block(8) : NULL;
}

VEER_UNUSED static void veer_assertion(int holds, const char *text)
{
    if (!holds) {
        libc_dprintf(2, "Assertion failed: %s\n", text);
        libc_abort();
    }
}
