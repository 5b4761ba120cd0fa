/* What is not modelled of descriptors and names of a run (files.h) ends the run; on descriptors of the machine's it is the machine's. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "files.h"
#include "libc.h"

/* Standard input, output and error have the machine's answers to what they are asked here. */
static int is_machines(int number) { return number < 3 || veer_is_machines(number); }

static void refuse_files(int number, const char *what) {
    if (!is_machines(number)) veer_refuse(what);
}

int veer_libc_ioctl(int number, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    refuse_files(number, "ioctl of a file of the run");
    return ioctl(number, request, argument);
}

int veer_libc_poll(struct pollfd *of, nfds_t count, int timeout) {
    for (nfds_t k = 0; k < count; k++) refuse_files(of[k].fd, "poll of a file of the run");
    return poll(of, count, timeout);
}

int veer_libc_select(int count, fd_set *reading, fd_set *writing, fd_set *others, struct timeval *timeout) {
    if (count > 3) veer_refuse("select");
    return select(count, reading, writing, others, timeout);
}

ssize_t veer_libc_readv(int number, const struct iovec *parts, int count) {
    if (number == 0) veer_refuse("readv of standard input");
    refuse_files(number, "readv of a file of the run");
    return readv(number, parts, count);
}

ssize_t veer_libc_writev(int number, const struct iovec *parts, int count) {
    refuse_files(number, "writev of a file of the run");
    return writev(number, parts, count);
}

int veer_libc_flock(int number, int operation) {
    refuse_files(number, "flock of a file of the run");
    return flock(number, operation);
}

int veer_libc_lockf(int number, int command, off_t size) {
    refuse_files(number, "lockf of a file of the run");
    return lockf(number, command, size);
}

int veer_libc_openat(int folder, const char *name, int flags, ...) {
    va_list list;
    va_start(list, flags);
    unsigned mode = va_arg(list, unsigned);
    va_end(list);
    if (folder != AT_FDCWD && name && *name != '/') veer_refuse("openat in a directory");
    return veer_libc_open(name, flags, mode);
}
