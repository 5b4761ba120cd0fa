/* Standard input and files of a test: in memory (files/named.c), with the recorded bytes where they are inputs. */
#include <stdint.h>
#include <string.h>

#include "files/named.c"
#include "replay.h"

enum { STANDARD_INPUT = 0 };

static void read_from(const void *bytes, uint32_t size) {
    int file = veer_k_memfd("stdin", 0);
    if (file < 0 || veer_k_write(file, bytes, size) != (long)size || veer_k_lseek(file, 0, 0) != 0) veer_k_abort();
    veer_k_dup2(file, STANDARD_INPUT);
    veer_k_close(file);
}

void veer_symbolic_file(const char *name, const char *size_name, unsigned long size) {
    const struct veer_replay_root *root = veer_replay_find(name), *length = veer_replay_find(size_name);
    uint32_t known = root ? root->size : 0, bytes = 0;
    (void)size;
    if (length) memcpy(&bytes, veer_replay_bytes(length->bytes), length->size < sizeof bytes ? length->size : sizeof bytes);
    if (bytes > known) bytes = known;
    const void *start = root ? veer_replay_bytes(root->bytes) : "";
    if (strcmp(name, "stdin") == 0) read_from(start, bytes);
    else veer_k_file(name, start, bytes);
}

void veer_replay_begin_files(void) { veer_k_begin(); }

/* In the place of the C library's, unless the program has such a function of its own. */
#define INSTEAD(result, symbol, parameters, answer)                                     \
    __attribute__((weak)) result veer_instead_##symbol parameters __asm__(#symbol); \
    result veer_instead_##symbol parameters { return answer; }
enum { FOR_CREAT = 01101 }; /* O_WRONLY | O_CREAT | O_TRUNC */
INSTEAD(int, open, (const char *name, int flags, unsigned mode), veer_k_open(name, flags, mode))
INSTEAD(int, open64, (const char *name, int flags, unsigned mode), veer_k_open(name, flags, mode))
INSTEAD(int, creat, (const char *name, unsigned mode), veer_k_open(name, FOR_CREAT, mode))
INSTEAD(int, creat64, (const char *name, unsigned mode), veer_k_open(name, FOR_CREAT, mode))
INSTEAD(void *, fopen, (const char *name, const char *mode), veer_k_stream(name, mode))
INSTEAD(void *, fopen64, (const char *name, const char *mode), veer_k_stream(name, mode))
INSTEAD(void *, freopen, (const char *name, const char *mode, void *stream), veer_k_restream(name, mode, stream))
INSTEAD(void *, tmpfile, (void), veer_k_temporary_stream())
INSTEAD(void *, tmpfile64, (void), veer_k_temporary_stream())
INSTEAD(int, mkstemp, (char *name), veer_k_mkstemp(name))
INSTEAD(int, mkstemp64, (char *name), veer_k_mkstemp(name))
INSTEAD(int, unlink, (const char *name), veer_k_unlink(name))
INSTEAD(int, remove, (const char *name), veer_k_unlink(name))
INSTEAD(int, rename, (const char *old, const char *new_name), veer_k_rename(old, new_name))
INSTEAD(int, access, (const char *name, int mode), veer_k_access(name, mode))
INSTEAD(int, stat, (const char *name, void *status), veer_k_stat(name, status))
INSTEAD(int, stat64, (const char *name, void *status), veer_k_stat(name, status))
INSTEAD(int, lstat, (const char *name, void *status), veer_k_stat(name, status))
INSTEAD(int, lstat64, (const char *name, void *status), veer_k_stat(name, status))
INSTEAD(int, truncate, (const char *name, long size), veer_k_truncate(name, size))
INSTEAD(int, truncate64, (const char *name, long size), veer_k_truncate(name, size))
