/* mmap of files of a run: a copy of their bytes, in whole pages. What is written there comes to no file, so nobody may share it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "files.h"
#include "libc.h"

enum { PAGE = 4096, MOST_MAPPINGS = 32 };

static struct {
    unsigned char *bytes; /* NULL: unused */
    size_t size;
} mappings[MOST_MAPPINGS];

static void *failed(int error) {
    errno = error;
    return MAP_FAILED;
}

static size_t in_pages(size_t size) { return (size + PAGE - 1) / PAGE * PAGE; }

/* The pages of the file from a place on: behind the last one an access ends the program. */
static void *copy_of(struct node *node, size_t size, size_t offset) {
    unsigned k = 0;
    node->size = veer_fixed(node->size);
    size_t left = offset < node->size ? in_pages(node->size - offset) : 0;
    size_t room = in_pages(size) < left ? in_pages(size) : left;
    while (k < MOST_MAPPINGS && mappings[k].bytes) k++;
    if (k == MOST_MAPPINGS) veer_refuse("more mapped files than veer follows");
    unsigned char *bytes = room ? veer_aligned_alloc(PAGE, room) : NULL;
    if (!bytes) veer_refuse("mmap of what lies behind the end of a file, or is larger than memory");
    veer_memset(bytes, 0, room);
    veer_copy_out(node, offset, bytes, room);
    mappings[k].bytes = bytes;
    mappings[k].size = in_pages(size);
    return bytes;
}

void *veer_libc_mmap(void *place, size_t size, int protection, int flags, int number, off_t offset) {
    if ((flags & MAP_ANONYMOUS) || veer_is_machines(number)) return mmap(place, size, protection, flags, number, offset);
    struct description *file = veer_description(number);
    if (!file) return MAP_FAILED;
    size = veer_fixed(size);
    if (!size || offset % PAGE) return failed(EINVAL);
    if ((file->flags & O_ACCMODE) == O_WRONLY) return failed(EACCES);
    if (file->node->kind != REGULAR) veer_refuse("mmap of what is no file");
    if ((flags & MAP_FIXED) || ((flags & MAP_SHARED) && (protection & PROT_WRITE))) veer_refuse("mmap at a place, or to change the file");
    return copy_of(file->node, size, (size_t)offset);
}

int veer_libc_munmap(void *place, size_t size) {
    unsigned k = 0;
    while (k < MOST_MAPPINGS && (!mappings[k].bytes || mappings[k].bytes != place)) k++;
    if (k == MOST_MAPPINGS) return munmap(place, size);
    if (in_pages(veer_fixed(size)) != mappings[k].size) veer_refuse("munmap of a part of a mapped file");
    veer_free(mappings[k].bytes);
    mappings[k].bytes = NULL;
    return 0;
}
