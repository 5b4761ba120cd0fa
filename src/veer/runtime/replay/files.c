/* Standard input and files of a test: in memory (files/named.c), with the recorded bytes where they are inputs. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "files/named.c"
#include "replay.h"

enum { STANDARD_INPUT = 0 };
static const char FILE_ROOT[] = "file ", IS_THERE[] = " is there", SIZE_OF[] = "size of "; /* libc/input_files.c */

static void read_from(const void *bytes, uint32_t size) {
    int file = veer_k_memfd("stdin", 0);
    if (file < 0 || veer_k_write(file, bytes, size) != (long)size || veer_k_lseek(file, 0, 0) != 0) veer_k_abort();
    veer_k_dup2(file, STANDARD_INPUT);
    veer_k_close(file);
}

/* What the recorded run had in these two roots. */
static const void *content_of(const char *name, const char *size_name, uint32_t *size) {
    const struct veer_replay_root *root = veer_replay_find(name), *length = veer_replay_find(size_name);
    uint32_t known = root ? root->size : 0;
    if (length) memcpy(size, veer_replay_bytes(length->bytes), length->size < sizeof *size ? length->size : sizeof *size);
    if (*size > known) *size = known;
    return root ? veer_replay_bytes(root->bytes) : "";
}

void veer_symbolic_file(const char *name, const char *size_name, unsigned long most) {
    uint32_t bytes = 0;
    const void *start = content_of(name, size_name, &bytes);
    (void)most;
    if (strcmp(name, "stdin") == 0) read_from(start, bytes);
    else veer_k_file(name, start, bytes);
}

/* The files that the recorded run asked for: those whose names are no inputs by their names, the others in their order. */
static void give(const struct veer_replay_root *there) {
    const char *root = veer_replay_bytes(there->name);
    size_t length = strlen(root) - strlen(IS_THERE);
    char content[REPLAY_NAME], size_name[REPLAY_NAME + sizeof SIZE_OF], name[REPLAY_NAME];
    if (length >= sizeof content) return;
    snprintf(content, sizeof content, "%.*s", (int)length, root);
    snprintf(size_name, sizeof size_name, "%s%s", SIZE_OF, content);
    snprintf(name, sizeof name, "%s", content + strlen(FILE_ROOT));
    uint32_t size = 0;
    const char *bytes = content_of(content, size_name, &size);
    int is_there = *(const char *)veer_replay_bytes(there->bytes), is_named = name[0] == '"';
    if (is_named) name[strlen(name) - 1] = 0;
    if (!is_named) veer_k_next_file(is_there ? bytes : NULL, size);
    else if (is_there) veer_k_file(name + 1, bytes, size);
    else veer_k_missing(name + 1);
}

static int is_question(const char *root) {
    size_t length = strlen(root), end = strlen(IS_THERE);
    return strncmp(root, FILE_ROOT, strlen(FILE_ROOT)) == 0 && length > end && strcmp(root + length - end, IS_THERE) == 0;
}

void veer_allow_files(unsigned long most, unsigned long size) {
    (void)most, (void)size;
    for (uint32_t k = 0; k < veer_replay_data->root_count; k++)
        if (is_question(veer_replay_bytes(veer_replay_root(k)->name))) give(veer_replay_root(k));
}

void veer_replay_begin_files(void) { veer_k_begin(); }

/* In the place of the C library's, unless the program has such a function of its own. */
#define INSTEAD(result, symbol, parameters, answer)                                     \
    __attribute__((weak)) result veer_instead_##symbol parameters __asm__(#symbol); \
    result veer_instead_##symbol parameters { return answer; }
enum { FOR_CREAT = 01101 }; /* O_WRONLY | O_CREAT | O_TRUNC */
INSTEAD(int, open, (const char *name, int flags, unsigned mode), veer_k_open(name, flags, mode))
INSTEAD(int, open64, (const char *name, int flags, unsigned mode), veer_k_open(name, flags, mode))
INSTEAD(int, openat, (int folder, const char *name, int flags, unsigned mode), veer_k_open_at(folder, name, flags, mode))
INSTEAD(int, openat64, (int folder, const char *name, int flags, unsigned mode), veer_k_open_at(folder, name, flags, mode))
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
