/* ---- what the unit frees ------------------------------------------------------------------------------------- */

/* The unit's free and realloc are these two, by the names that the test file gives them: they note the blocks, and do what the C library's do. */
extern void libc_free(void *) __asm__("free");
extern void *libc_realloc(void *, __SIZE_TYPE__) __asm__("realloc");

#define VEER_MOST_FREED 256
static __UINTPTR_TYPE__ veer_freed[VEER_MOST_FREED];
static unsigned int veer_freed_count;

VEER_UNUSED static void veer_note_freed(__UINTPTR_TYPE__ block)
{
    if (block != 0 && veer_freed_count < VEER_MOST_FREED)
        veer_freed[veer_freed_count++] = block;
}

void veer_frees(void *block) __asm__("veer_frees");
void veer_frees(void *block)
{
    veer_note_freed((__UINTPTR_TYPE__)block);
    libc_free(block);
}

void *veer_moves(void *block, __SIZE_TYPE__ size) __asm__("veer_moves");
void *veer_moves(void *block, __SIZE_TYPE__ size)
{
    __UINTPTR_TYPE__ before = (__UINTPTR_TYPE__)block;
    void *moved = libc_realloc(block, size);
    if (moved != NULL || size == 0)
        veer_note_freed(before);
    return moved;
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
