/* Descriptors: open, read, write, pipe, dup and their like on the files of a run (files.h), with the kernel's numbers and errors. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include "files.h"
#include "libc.h"
#include "veer_harness.h"

enum { PIPE_ROOM = 65536, KEPT_FLAGS = O_ACCMODE | O_APPEND | O_NONBLOCK };

struct descriptor {
    struct description *description; /* NULL: not open */
    int is_closed_on_exec;
};

static struct node outside[2] = {{.kind = OUTSIDE, .outside = 1}, {.kind = OUTSIDE, .outside = 2}};
static struct description descriptions[MOST_DESCRIPTORS];
static struct descriptor descriptors[MOST_DESCRIPTORS];
static int is_ready;

static int failed(int error) {
    errno = error;
    return -1;
}

/* -- numbers ---------------------------------------------------------------------------------------------------------- */

static struct description *describe(struct node *node, int flags) {
    struct description *made = descriptions;
    while (made < descriptions + MOST_DESCRIPTORS && made->uses) made++;
    if (made == descriptions + MOST_DESCRIPTORS) veer_refuse("more open files than veer follows");
    *made = (struct description){.node = node, .flags = (int)veer_fixed((size_t)(flags & KEPT_FLAGS))};
    node->uses++;
    if ((flags & O_ACCMODE) != O_WRONLY) node->readers++;
    if ((flags & O_ACCMODE) != O_RDONLY) node->writers++;
    return made;
}

static void attach(int number, struct description *description, int is_closed_on_exec) {
    if ((number == 1 || number == 2) && description->node->kind != OUTSIDE)
        veer_refuse("the unit opens a file in the place of its standard output");
    descriptors[number] = (struct descriptor){description, is_closed_on_exec};
    description->uses++;
}

/* Standard input, output and error, before anything else. */
static void begin(void) {
    if (is_ready) return;
    is_ready = 1;
    attach(0, describe(veer_input_node(), O_RDONLY), 0);
    attach(1, describe(&outside[0], O_RDWR), 0);
    attach(2, describe(&outside[1], O_RDWR), 0);
}

static int lowest(int from) {
    begin();
    while (from < MOST_DESCRIPTORS && descriptors[from].description) from++;
    if (from == MOST_DESCRIPTORS) veer_refuse("more open files than veer follows");
    return from;
}

/* The machine gives numbers out; one that is an input is none of them. */
int veer_is_machines(int number) { return !veer_is_symbolic((size_t)number) && number >= MOST_DESCRIPTORS; }

/* The number of an open descriptor; -1 with errno for any other. An input is told from those that are open, and not
   tried value by value: there are few of them, and 2^32 others. */
static int open_number(int number) {
    int open = 0;
    begin();
    if (veer_is_symbolic((size_t)number))
        while (open < MOST_DESCRIPTORS && !(descriptors[open].description && number == open)) open++;
    else
        open = number >= 0 && number < MOST_DESCRIPTORS && descriptors[number].description ? number : MOST_DESCRIPTORS;
    return open < MOST_DESCRIPTORS ? open : failed(EBADF);
}

struct description *veer_description(int number) {
    int open = open_number(number);
    return open < 0 ? NULL : descriptors[open].description;
}

/* The same for calls that a stream on the same open file would have to know of. */
static struct description *without_stream(int number) {
    struct description *found = veer_description(number);
    if (found && found->held) veer_refuse("a descriptor is used beside its stream");
    return found;
}

int veer_open_node(struct node *node, int flags) {
    int number = lowest(0);
    attach(number, describe(node, flags), (flags & O_CLOEXEC) != 0);
    return number;
}

/* -- open and close --------------------------------------------------------------------------------------------------- */

int veer_open_named(const char *name, struct node *node, int flags, unsigned mode) {
    if (!node && !(flags & O_CREAT)) return failed(ENOENT);
    if (!node && !*name) return failed(ENOENT);
    if (node && (flags & O_CREAT) && (flags & O_EXCL)) return failed(EEXIST);
    if (!node) {
        node = veer_new_node(REGULAR);
        node->mode = mode & 0755;
        veer_name_node(name, node);
    } else if ((flags & O_TRUNC) && node->kind == REGULAR) {
        veer_change_node(node, 0);
        veer_resize_node(node, 0);
    }
    return veer_open_node(node, flags);
}

/* Whether it matters what was there before: to who only writes, or cuts it, and may make it, it does not (files/named.c has the same). */
static int asks(int flags) {
    if (!(flags & O_CREAT) || (flags & O_EXCL)) return 1;
    return (flags & O_ACCMODE) != O_WRONLY && !(flags & O_TRUNC);
}

int veer_libc_open(const char *name, int flags, ...) {
    unsigned mode = 0;
    if (flags & O_CREAT) {
        va_list list;
        va_start(list, flags);
        mode = va_arg(list, unsigned);
        va_end(list);
    }
    if (!name) return failed(EFAULT);
    if (flags & (O_DIRECTORY | O_PATH)) veer_refuse("a directory is opened");
    return veer_open_named(name, asks(flags) ? veer_node_asked(name) : veer_node_named(name), flags, mode);
}

int veer_libc_creat(const char *name, mode_t mode) { return veer_libc_open(name, O_WRONLY | O_CREAT | O_TRUNC, mode); }

static void release(struct description *description) {
    struct node *node = description->node;
    if (--description->uses) return;
    if ((description->flags & O_ACCMODE) != O_WRONLY) node->readers--;
    if ((description->flags & O_ACCMODE) != O_RDONLY) node->writers--;
    node->uses--;
    veer_drop_node(node);
}

int veer_libc_close(int number) {
    if (veer_is_machines(number)) return close(number);
    int open = open_number(number);
    if (open < 0) return -1;
    struct description *closed = descriptors[open].description;
    if (closed->held && closed->uses == 1) veer_refuse("a descriptor is closed under its stream");
    descriptors[open].description = NULL;
    release(closed);
    return 0;
}

static int make_pipe(int *ends, int flags) {
    struct node *node = veer_new_node(PIPE);
    node->mode = 0600;
    ends[0] = veer_open_node(node, O_RDONLY | flags);
    ends[1] = veer_open_node(node, O_WRONLY | flags);
    return 0;
}

int veer_libc_pipe(int *ends) { return make_pipe(ends, 0); }

int veer_libc_pipe2(int *ends, int flags) { return make_pipe(ends, flags); }

/* -- copies of descriptors -------------------------------------------------------------------------------------------- */

static int copy_from(int number, int first, int is_closed_on_exec) {
    struct description *copied = veer_description(number);
    if (!copied) return -1;
    if (first < 0 || first >= 1024) return failed(EINVAL);
    int made = lowest(first);
    attach(made, copied, is_closed_on_exec);
    return made;
}

int veer_libc_dup(int number) { return copy_from(number, 0, 0); }

static int copy_to(int number, int made, int is_closed_on_exec) {
    int open = open_number(number);
    if (open < 0) return -1;
    struct description *copied = descriptors[open].description;
    if (made < 0 || made >= 1024) return failed(EBADF);
    if (made >= MOST_DESCRIPTORS) veer_refuse("more open files than veer follows");
    made = (int)veer_fixed((size_t)made);
    if (open == made) return made;
    if (descriptors[made].description) veer_libc_close(made);
    attach(made, copied, is_closed_on_exec);
    return made;
}

int veer_libc_dup2(int number, int made) { return copy_to(number, made, 0); }

int veer_libc_dup3(int number, int made, int flags) {
    if (number == made || (flags & ~O_CLOEXEC)) return failed(EINVAL);
    return copy_to(number, made, (flags & O_CLOEXEC) != 0);
}

int veer_libc_fcntl(int number, int command, ...) {
    va_list list;
    va_start(list, command);
    long argument = va_arg(list, long);
    va_end(list);
    if (veer_is_machines(number)) return fcntl(number, command, argument);
    int open = open_number(number);
    if (open < 0) return -1;
    struct descriptor *descriptor = &descriptors[open];
    struct description *file = descriptor->description;
    switch (command) {
    case F_DUPFD: return copy_from(number, (int)argument, 0);
    case F_DUPFD_CLOEXEC: return copy_from(number, (int)argument, 1);
    case F_GETFD: return descriptor->is_closed_on_exec ? FD_CLOEXEC : 0;
    case F_SETFD: descriptor->is_closed_on_exec = ((int)argument & FD_CLOEXEC) != 0; return 0;
    case F_GETFL:
        if (file->node->kind == OUTSIDE) veer_refuse("the flags of standard output are asked for");
        return file->flags | (file->node->kind == PIPE ? 0 : 0100000 /* O_LARGEFILE of the kernel's */);
    case F_SETFL:
        if (file->held) veer_refuse("the flags of an open file are changed under its stream");
        file->flags = (file->flags & O_ACCMODE) | ((int)argument & (O_APPEND | O_NONBLOCK));
        return 0;
    default: veer_refuse("a command of fcntl that veer does not model");
    }
}

/* -- bytes ------------------------------------------------------------------------------------------------------------ */

static ssize_t read_pipe(struct description *from, void *to, size_t size) {
    struct node *pipe = from->node;
    if (pipe->size == pipe->start && size) {
        if (!pipe->writers) return 0;
        if (from->flags & O_NONBLOCK) return failed(EAGAIN);
        veer_refuse("a read from an empty pipe, which nobody else writes to, waits for ever");
    }
    size_t got = veer_copy_out(pipe, pipe->start, to, size);
    pipe->start += got;
    if (pipe->start == pipe->size) pipe->start = pipe->size = 0;
    return (ssize_t)got;
}

ssize_t veer_take_bytes(struct description *from, void *to, size_t size) {
    if ((from->flags & O_ACCMODE) == O_WRONLY) return failed(EBADF);
    if (from->node->kind == PIPE) return read_pipe(from, to, size);
    if (from->node->kind == OUTSIDE) veer_refuse("standard output is read");
    if (from->position >= from->node->size) return 0;
    from->position = veer_fixed(from->position);
    size_t got = veer_copy_out(from->node, from->position, to, size);
    from->position += got;
    return (ssize_t)got;
}

static ssize_t write_pipe(struct description *to, const void *from, size_t size) {
    struct node *pipe = to->node;
    if (!size) return 0;
    if (!pipe->readers) veer_refuse("a write to a pipe that nobody reads from ends the program by a signal");
    if (pipe->size - pipe->start + size > PIPE_ROOM) veer_refuse("a write to a full pipe, which nobody else reads from, waits for ever");
    veer_copy_in(pipe, pipe->size, from, size);
    return (ssize_t)size;
}

ssize_t veer_give_bytes(struct description *to, const void *from, size_t size) {
    if ((to->flags & O_ACCMODE) == O_RDONLY) return failed(EBADF);
    if (to->node->kind == OUTSIDE) {
        write(to->node->outside, from, size); /* quietly: nobody asks how many were written */
        return (ssize_t)size;
    }
    veer_needs(from, size);
    size = veer_fixed(size);
    if (to->node->kind == PIPE) return write_pipe(to, from, size);
    if (to->node->kind == NOTHING_THERE || !size) return (ssize_t)size;
    veer_change_node(to->node, to->held);
    if (to->flags & O_APPEND) to->position = to->node->size = veer_fixed(to->node->size);
    to->position = veer_fixed(to->position);
    veer_copy_in(to->node, to->position, from, size);
    to->position += size;
    return (ssize_t)size;
}

ssize_t veer_libc_read(int number, void *to, size_t size) {
    if (veer_is_machines(number)) return read(number, to, size);
    struct description *file = without_stream(number);
    return file ? veer_take_bytes(file, to, size) : -1;
}

ssize_t veer_libc_write(int number, const void *from, size_t size) {
    if (veer_is_machines(number)) return write(number, from, size);
    struct description *file = without_stream(number);
    return file ? veer_give_bytes(file, from, size) : -1;
}

off_t veer_seek(struct description *file, off_t offset, int origin) {
    struct node *node = file->node;
    if (node->kind == OUTSIDE) veer_refuse("a place in standard output is sought");
    if (node->kind == PIPE) return failed(ESPIPE);
    if (node->kind == NOTHING_THERE) return 0;
    if (origin == SEEK_DATA || origin == SEEK_HOLE) veer_refuse("a hole in a file is sought");
    size_t base = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? file->position : node->size;
    if (origin < SEEK_SET || origin > SEEK_END) return failed(EINVAL);
    if (__builtin_add_overflow((off_t)base, offset, &offset) || offset < 0) return failed(offset < 0 ? EINVAL : EOVERFLOW);
    if (offset > INT_MAX) veer_refuse("a place far behind the end of a file is sought");
    file->position = (size_t)offset;
    return offset;
}

off_t veer_libc_lseek(int number, off_t offset, int origin) {
    struct description *file = without_stream(number);
    return file ? veer_seek(file, offset, origin) : -1;
}
