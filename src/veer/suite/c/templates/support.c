/* ---- inputs ------------------------------------------------------------------------------------------------- */

/* A zeroed heap block of exactly `size` bytes, so that sanitizers see an access behind its end. */
VEER_UNUSED static void *veer_block(unsigned long size)
{
    void *block = libc_malloc(size);
    if (block == NULL)
        libc_abort();
    __builtin_memset(block, 0, size);
    veer_keep_block(block);
    return block;
}

VEER_UNUSED static void *veer_copy(const void *bytes, unsigned long size)
{
    void *block = veer_block(size);
    __builtin_memcpy(block, bytes, size);
    return block;
}

/* Sets the first elements of an array: veer_set(p->key, 1, 2, 3). */
#define veer_set(array, ...) \
    __builtin_memcpy((void *)(array), (const void *)((const __typeof__((array)[0])[]){__VA_ARGS__}), \
                     sizeof((const __typeof__((array)[0])[]){__VA_ARGS__}))

/* A heap copy of a string: its characters and the NUL, nothing behind it. */
VEER_UNUSED static char *veer_string(const char *text)
{
    return (char *)veer_copy(text, libc_strlen(text) + 1);
}

/* A float or double by its bits (for NaN). */
VEER_UNUSED static float veer_float(unsigned int bits)
{
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

VEER_UNUSED static double veer_double(unsigned long long bits)
{
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/* Equal bit for bit, so that 0.0 differs from -0.0; any NaN is as good as another, for C fixes neither sign nor payload. */
VEER_UNUSED static int veer_same_double(double got, double expected)
{
    return __builtin_memcmp(&got, &expected, sizeof got) == 0 || (got != got && expected != expected);
}
