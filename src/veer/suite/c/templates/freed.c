/* ---- what the unit allocates and frees -------------------------------------------------------------------------- */

/* The unit's allocator is these functions, by the names that the test file gives them: they note the blocks, and do what the C library's do. */
extern void libc_free(void *) __asm__("free");
extern void *libc_realloc(void *, __SIZE_TYPE__) __asm__("realloc");
extern void *libc_allocate(__SIZE_TYPE__) __asm__("malloc");
extern void *libc_calloc(__SIZE_TYPE__, __SIZE_TYPE__) __asm__("calloc");
extern char *libc_strdup(const char *) __asm__("strdup");
extern char *libc_strndup(const char *, __SIZE_TYPE__) __asm__("strndup");

#define VEER_MOST_FREED 256
static __UINTPTR_TYPE__ veer_freed[VEER_MOST_FREED];
static unsigned int veer_freed_count;
VEER_UNUSED static int veer_blocks; /* allocated less those freed */

VEER_UNUSED static void veer_note_freed(__UINTPTR_TYPE__ block)
{
    if (block != 0 && veer_freed_count < VEER_MOST_FREED)
        veer_freed[veer_freed_count++] = block;
    veer_blocks -= block != 0;
}

void veer_frees(void *block) __asm__("veer_frees");
void veer_frees(void *block)
{
    veer_note_freed((__UINTPTR_TYPE__)block);
    libc_free(block);
}

/* A block that was allocated, or NULL. */
VEER_UNUSED static void *veer_allocated(void *block)
{
    veer_blocks += block != NULL;
    return block;
}

/* What realloc made of a block, or NULL. */
VEER_UNUSED static void *veer_moved(__UINTPTR_TYPE__ before, __SIZE_TYPE__ size, void *moved)
{
    if (moved != NULL || size == 0)
        veer_note_freed(before);
    return veer_allocated(moved);
}

void *veer_moves(void *block, __SIZE_TYPE__ size) __asm__("veer_moves");
void *veer_moves(void *block, __SIZE_TYPE__ size)
{
    __UINTPTR_TYPE__ before = (__UINTPTR_TYPE__)block;
    return veer_moved(before, size, libc_realloc(block, size));
}

void *veer_allocates(__SIZE_TYPE__ size) __asm__("veer_allocates");
void *veer_allocates(__SIZE_TYPE__ size)
{
    return veer_allocated(libc_allocate(size));
}

void *veer_clears(__SIZE_TYPE__ count, __SIZE_TYPE__ size) __asm__("veer_clears");
void *veer_clears(__SIZE_TYPE__ count, __SIZE_TYPE__ size)
{
    return veer_allocated(libc_calloc(count, size));
}

char *veer_copies(const char *text) __asm__("veer_copies");
char *veer_copies(const char *text)
{
    return (char *)veer_allocated(libc_strdup(text));
}

char *veer_copies_some(const char *text, __SIZE_TYPE__ most) __asm__("veer_copies_some");
char *veer_copies_some(const char *text, __SIZE_TYPE__ most)
{
    return (char *)veer_allocated(libc_strndup(text, most));
}

VEER_UNUSED static int veer_is_freed(const void *block)
{
    unsigned int i = 0;
    while (i < veer_freed_count && veer_freed[i] != (__UINTPTR_TYPE__)block)
        i++;
    return i < veer_freed_count;
}

VEER_UNUSED static void veer_expect_freed(const char *what, const void *block)
{
    if (!veer_is_freed(block)) {
        veer_failures++;
        libc_dprintf(veer_output, "# %s: %s was not freed\n", veer_current, what);
    }
}
