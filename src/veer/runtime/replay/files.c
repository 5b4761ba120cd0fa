/* Standard input and files of a test: in memory (files/named.c), with the recorded bytes where they are inputs. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "files/named.c"
#include "replay.h"

enum { STANDARD_INPUT = 0 };
static const char FILE_ROOT[] = "file ", FOLDER_ROOT[] = "folder ", IS_THERE[] = " is there", SIZE_OF[] = "size of "; /* libc/input_files.c */

static void read_from(const void *bytes, uint32_t size) {
    int file = veer_k_memfd("stdin", 0);
    if (file < 0 || veer_k_write(file, bytes, size) != (long)size || veer_k_lseek(file, 0, 0) != 0) veer_k_abort();
    char place[VEER_K_PLACE];
    int reading = (int)veer_k_syscall(2, veer_k_place(file, place), 0, 0); /* it can be read alone */
    veer_k_dup2(reading < 0 ? file : reading, STANDARD_INPUT);
    veer_k_close(reading);
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

/* The name in a root "file \"list.txt\" is there"; NULL in "file 1 is there". */
static const char *name_in(const char *root, char name[REPLAY_NAME]) {
    const char *begin = strchr(root, '"'), *end = strrchr(root, '"');
    if (!begin || end == begin) return NULL;
    snprintf(name, REPLAY_NAME, "%.*s", (int)(end - begin - 1), begin + 1);
    return name;
}

/* A file that the recorded run asked for, by its name; where that is an input, the next one. */
static void give_file(const struct veer_replay_root *there, int is_there) {
    const char *root = veer_replay_bytes(there->name);
    char content[REPLAY_NAME], size_name[REPLAY_NAME + sizeof SIZE_OF], kept[REPLAY_NAME];
    const char *name = name_in(root, kept);
    uint32_t size = 0;
    if (!name && !strchr("0123456789", root[strlen(FILE_ROOT)])) return; /* a parameter's */
    snprintf(content, sizeof content, "%.*s", (int)(strlen(root) - strlen(IS_THERE)), root);
    snprintf(size_name, sizeof size_name, "%s%s", SIZE_OF, content);
    const char *bytes = content_of(content, size_name, &size);
    if (!name) veer_k_next_file(is_there ? bytes : NULL, size);
    else if (is_there) veer_k_file(name, bytes, size);
    else veer_k_missing(name);
}

static void give_folder(const struct veer_replay_root *there, int is_there) {
    char kept[REPLAY_NAME];
    const char *name = name_in(veer_replay_bytes(there->name), kept);
    if (!name) veer_k_next_folder(is_there);
    else if (is_there) veer_k_folder(name);
    else veer_k_missing(name);
}

int veer_given_descriptor(const char *name, unsigned long most, int may_be_none) {
    char content[REPLAY_NAME], there[REPLAY_NAME + sizeof IS_THERE], size_name[REPLAY_NAME + sizeof SIZE_OF];
    uint32_t size = 0;
    (void)most;
    snprintf(content, sizeof content, "%s%s", FILE_ROOT, name);
    snprintf(there, sizeof there, "%s%s", content, IS_THERE);
    snprintf(size_name, sizeof size_name, "%s%s", SIZE_OF, content);
    const struct veer_replay_root *root = may_be_none ? veer_replay_find(there) : NULL;
    if (root && !*(const char *)veer_replay_bytes(root->bytes)) return -1;
    const void *bytes = content_of(content, size_name, &size);
    return veer_k_descriptor_of(bytes, size);
}

void *veer_given_stream(const char *name, unsigned long most, int may_be_none) {
    int number = veer_given_descriptor(name, most, may_be_none);
    return number < 0 ? NULL : veer_k_fdopen(number, "r+");
}

static int is_question(const char *root, const char *kind) {
    size_t length = strlen(root), end = strlen(IS_THERE);
    return strncmp(root, kind, strlen(kind)) == 0 && length > end && strcmp(root + length - end, IS_THERE) == 0;
}

void veer_allow_files(unsigned long most, unsigned long size) {
    (void)most, (void)size;
    for (uint32_t k = 0; k < veer_replay_data->root_count; k++) {
        const struct veer_replay_root *root = veer_replay_root(k);
        const char *name = veer_replay_bytes(root->name);
        if (is_question(name, FILE_ROOT)) give_file(root, *(const char *)veer_replay_bytes(root->bytes));
        if (is_question(name, FOLDER_ROOT)) give_folder(root, *(const char *)veer_replay_bytes(root->bytes));
    }
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
INSTEAD(int, chdir, (const char *name), veer_k_chdir(name))
INSTEAD(int, chmod, (const char *name, unsigned mode), veer_k_chmod(name, mode))
INSTEAD(int, utime, (const char *name, const void *times), veer_k_touch(132, name, times))
INSTEAD(int, utimes, (const char *name, const void *times), veer_k_touch(235, name, times))
INSTEAD(int, chown, (const char *name, unsigned owner, unsigned group), veer_k_own(92, name, owner, group))
INSTEAD(int, lchown, (const char *name, unsigned owner, unsigned group), veer_k_own(94, name, owner, group))
INSTEAD(int, truncate, (const char *name, long size), veer_k_truncate(name, size))
INSTEAD(int, truncate64, (const char *name, long size), veer_k_truncate(name, size))
