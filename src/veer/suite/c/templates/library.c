/* ---- the C library ------------------------------------------------------------------------------------------- */

/* The C library under names that cannot clash with those of the included source. */
extern void *libc_malloc(unsigned long) __asm__("malloc");
extern int libc_dprintf(int, const char *, ...) __asm__("dprintf");
extern int libc_strcmp(const char *, const char *) __asm__("strcmp");
extern int libc_strncmp(const char *, const char *, unsigned long) __asm__("strncmp");
extern unsigned long libc_strlen(const char *) __asm__("strlen");
extern unsigned long libc_strtoul(const char *, char **, int) __asm__("strtoul");
extern void libc_exit(int) __asm__("exit");
extern void libc_abort(void) __asm__("abort");
extern int libc_fork(void) __asm__("fork");
extern int libc_waitpid(int, int *, int) __asm__("waitpid");
extern unsigned int libc_alarm(unsigned int) __asm__("alarm");
extern int libc_fcntl(int, int, ...) __asm__("fcntl");
extern int libc_dup2(int, int) __asm__("dup2");
extern int libc_open64(const char *, int, ...) __asm__("open64");
extern int libc_pipe(int *) __asm__("pipe");
extern int libc_close(int) __asm__("close");
extern int libc_memfd_create(const char *, unsigned int) __asm__("memfd_create");
extern long libc_write(int, const void *, unsigned long) __asm__("write");
extern long libc_lseek(int, long, int) __asm__("lseek");
extern void *libc_mmap(void *, unsigned long, int, int, int, long) __asm__("mmap");

VEER_UNUSED static int veer_output = 1; /* where results are written: a copy of stdout that the unit cannot close */
VEER_UNUSED static int veer_failures;
VEER_UNUSED static const char *veer_current = ""; /* the test that runs */
static struct veer_kept { void *block; struct veer_kept *before; } *veer_kept; /* the inputs stay reachable for leak checkers */

VEER_UNUSED static void veer_keep_block(void *block)
{
    struct veer_kept *kept = (struct veer_kept *)libc_malloc(sizeof *kept);
    if (kept == NULL)
        libc_abort();
    kept->block = block;
    kept->before = veer_kept;
    veer_kept = kept;
}

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
/* Where a block is too large AddressSanitizer ends the process, unless it is told that malloc answers NULL, as elsewhere. */
const char *veer_asan_options(void) __asm__("__asan_default_options");
__attribute__((__weak__, used, visibility("default"))) const char *veer_asan_options(void)
{
    return "allocator_may_return_null=1";
}
#endif
