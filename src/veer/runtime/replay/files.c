/* Standard input and files whose contents are inputs: files in memory with the recorded bytes. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "replay.h"

enum { FILES = 16 };

static struct {
    const char *name;
    const void *bytes;
    uint32_t size;
} files[FILES];
static uint32_t file_count;

static int in_memory(const void *bytes, uint32_t size) {
    int file = memfd_create("input", 0);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size || lseek(file, 0, SEEK_SET) != 0) abort();
    return file;
}

static void read_from(const void *bytes, uint32_t size) {
    int file = in_memory(bytes, size);
    dup2(file, STDIN_FILENO);
    close(file);
}

void veer_symbolic_file(const char *name, const char *size_name, unsigned long size) {
    const struct veer_replay_root *root = veer_replay_find(name), *length = veer_replay_find(size_name);
    uint32_t known = root ? root->size : 0, bytes = 0;
    (void)size;
    if (length) memcpy(&bytes, veer_replay_bytes(length->bytes), length->size < sizeof bytes ? length->size : sizeof bytes);
    if (bytes > known) bytes = known;
    const void *start = root ? veer_replay_bytes(root->bytes) : "";
    if (strcmp(name, "stdin") == 0) {
        read_from(start, bytes);
    } else if (file_count < FILES) {
        files[file_count].name = name;
        files[file_count].bytes = start;
        files[file_count++].size = bytes;
    }
}

extern FILE *machines_fopen(const char *name, const char *mode) __asm__("_IO_fopen");

/* In the place of fopen, unless the program has one of its own: a file in memory for those names, when it is opened for reading. */
__attribute__((weak)) FILE *fopen(const char *name, const char *mode) {
    for (uint32_t k = 0; name && mode[0] == 'r' && !strchr(mode, '+') && k < file_count; k++)
        if (strcmp(files[k].name, name) == 0) return fdopen(in_memory(files[k].bytes, files[k].size), mode);
    return machines_fopen(name, mode);
}

__attribute__((weak)) FILE *fopen64(const char *name, const char *mode) { return fopen(name, mode); }
