/* Calls about files of a run that open nothing and move no position: sizes, names, places of their own (files.h). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "files.h"
#include "libc.h"

enum { BLOCK = 512, MARKS = 6 };

static int failed(int error) {
    errno = error;
    return -1;
}

/* -- bytes at a place ------------------------------------------------------------------------------------------------- */

/* A copy of the description, at the place; NULL with errno where there is no such place. */
static struct description *at(int number, off_t offset, struct description *placed) {
    struct description *file = NULL;
    if (offset < 0) errno = EINVAL;
    else if (!(file = veer_description(number))) return NULL;
    else if (file->node->kind == PIPE) errno = ESPIPE;
    else if (file->node->kind == OUTSIDE) veer_refuse("standard output is used at a place");
    else {
        *placed = *file;
        placed->position = (size_t)offset;
        return placed;
    }
    return NULL;
}

ssize_t veer_libc_pread(int number, void *to, size_t size, off_t offset) {
    struct description placed;
    return at(number, offset, &placed) ? veer_take_bytes(&placed, to, size) : -1;
}

ssize_t veer_libc_pwrite(int number, const void *from, size_t size, off_t offset) {
    struct description placed;
    return at(number, offset, &placed) ? veer_give_bytes(&placed, from, size) : -1;
}

static int cut(struct node *node, off_t size) {
    size = (off_t)veer_fixed((size_t)size);
    if (size < 0 || node->kind != REGULAR) return failed(EINVAL);
    if (size > INT_MAX) veer_refuse("a very large file");
    veer_change_node(node, 0);
    veer_resize_node(node, (size_t)size);
    return 0;
}

int veer_libc_ftruncate(int number, off_t size) {
    if (size < 0) return failed(EINVAL);
    struct description *file = veer_description(number);
    if (!file) return -1;
    if ((file->flags & O_ACCMODE) == O_RDONLY) return failed(EINVAL);
    return cut(file->node, size);
}

int veer_libc_truncate(const char *name, off_t size) {
    struct node *node = veer_node_asked(name);
    if (size < 0) return failed(EINVAL);
    return node ? cut(node, size) : failed(ENOENT);
}

int veer_libc_fsync(int number) {
    struct description *file = veer_description(number);
    if (!file) return -1;
    return file->node->kind == REGULAR ? 0 : failed(EINVAL);
}

int veer_libc_fdatasync(int number) { return veer_libc_fsync(number); }

int veer_libc_isatty(int number) {
    struct description *file = veer_description(number);
    if (!file) return 0;
    if (file->node->kind == OUTSIDE) return isatty(file->node->outside);
    errno = ENOTTY;
    return 0;
}

/* -- what is known of a file ------------------------------------------------------------------------------------------ */

static void tell(struct node *node, struct stat *status) {
    veer_memset(status, 0, sizeof *status);
    status->st_ino = veer_number_of(node);
    status->st_mode = node->mode | (node->kind == PIPE ? S_IFIFO : node->kind == NOTHING_THERE ? S_IFCHR : S_IFREG);
    status->st_nlink = node->links + (node->kind == PIPE || node->kind == INPUT_END);
    status->st_size = node->kind == PIPE ? 0 : (off_t)node->size;
    status->st_blksize = STREAM_ROOM;
    status->st_blocks = (status->st_size + BLOCK - 1) / BLOCK;
}

int veer_libc_fstat(int number, struct stat *status) {
    struct description *file = veer_description(number);
    if (!file) return -1;
    if (file->node->kind == OUTSIDE) return fstat(file->node->outside, status);
    tell(file->node, status);
    return 0;
}

int veer_libc_stat(const char *name, struct stat *status) {
    struct node *node = veer_node_asked(name);
    if (!node) return failed(ENOENT);
    tell(node, status);
    return 0;
}

int veer_libc_lstat(const char *name, struct stat *status) { return veer_libc_stat(name, status); }

/* Whoever runs the program may read and write its files. */
int veer_libc_access(const char *name, int mode) {
    struct node *node = veer_node_asked(name);
    if (!node) return failed(ENOENT);
    return (mode & X_OK) && !(node->mode & 0111) ? failed(EACCES) : 0;
}

int veer_libc_fchmod(int number, mode_t mode) {
    struct description *file = veer_description(number);
    if (!file) return -1;
    if (file->node->kind != REGULAR) veer_refuse("fchmod of what is no file");
    file->node->mode = (unsigned)veer_fixed(mode & 07777);
    return 0;
}

/* -- what changes nothing that a run can see, or its mode ---------------------------------------------------------------- */

int veer_libc_chmod(const char *name, mode_t mode) {
    struct node *node = veer_node_asked(name);
    if (!node) return failed(ENOENT);
    if (node->kind != REGULAR) veer_refuse("chmod of what is no file");
    node->mode = (unsigned)veer_fixed(mode & 07777);
    return 0;
}

static int is_missing(const char *name) { return veer_node_asked(name) ? 0 : failed(ENOENT); }

int veer_libc_utime(const char *name, const struct utimbuf *times) { return is_missing(name); }
int veer_libc_utimes(const char *name, const struct timeval *times) { return is_missing(name); }
int veer_libc_chown(const char *name, uid_t owner, gid_t group) { return is_missing(name); }
int veer_libc_lchown(const char *name, uid_t owner, gid_t group) { return is_missing(name); }

int veer_libc_chdir(const char *name) {
    if (!name) return failed(EFAULT);
    if (!veer_folder_asked(name)) return -1;
    veer_leave_folder();
    return 0;
}

/* -- names ------------------------------------------------------------------------------------------------------------ */

int veer_libc_unlink(const char *name) {
    veer_node_asked(name);
    return veer_forget_name(name) ? failed(ENOENT) : 0;
}

int veer_libc_remove(const char *name) { return veer_libc_unlink(name); }

int veer_libc_rename(const char *old, const char *new) {
    struct node *node = veer_node_asked(old);
    if (!node || !*new) return failed(ENOENT);
    if (veer_node_named(new) == node) return 0;
    veer_name_node(new, node);
    return veer_forget_name(old);
}

static unsigned temporary_count;

/* Numbers in the place of the Xs: no two of a run are the same. */
int veer_libc_mkstemp(char *name) {
    size_t length = veer_libc_strlen(name);
    char *mark = name + length - MARKS;
    if (length < MARKS || veer_libc_strcmp(mark, "XXXXXX") != 0) return failed(EINVAL);
    unsigned number = ++temporary_count;
    for (int k = MARKS - 1; k >= 0; k--, number /= 10) mark[k] = (char)('0' + number % 10);
    return veer_open_named(name, veer_node_named(name), O_RDWR | O_CREAT | O_EXCL, 0600);
}

FILE *veer_libc_tmpfile(void) {
    struct node *node = veer_new_node(REGULAR);
    node->mode = 0600;
    return veer_stream_on(veer_open_node(node, O_RDWR), "w+");
}
