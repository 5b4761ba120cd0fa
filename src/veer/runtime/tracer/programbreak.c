/* Where the memory of the program break begins. The kernel puts it up to 1 GiB behind the executable, at a place of its choice: what lies
   between is nobody's, or the machine's whose code is run. */
#include "programbreak.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel.h"
#include "veer_wire.h"

enum { FIELD = 47, NAME_FIELD = 2, ROOM = 1024, BEFORE = 0x10000 };

/* The number in /proc/self/stat, or 0. The name of the program, in parentheses, may hold blanks. */
static uint64_t told(void) {
    char text[ROOM];
    long file = VEER_KERNEL(SYS_openat, AT_FDCWD, "/proc/self/stat", O_RDONLY | O_CLOEXEC, 0, 0, 0);
    if (file < 0) return 0;
    long size = VEER_KERNEL(SYS_read, file, text, sizeof text - 1, 0, 0, 0);
    VEER_KERNEL(SYS_close, file, 0, 0, 0, 0, 0);
    if (size <= 0) return 0;
    text[size] = 0;
    const char *at = strrchr(text, ')');
    for (int field = NAME_FIELD; at && field < FIELD; field++) at = strchr(at + 1, ' ');
    return at ? strtoull(at + 1, NULL, 10) : 0;
}

/* Where the kernel does not say it: the C library has taken memory before, for what belongs to the thread. */
uint64_t veer_program_break_begin(void) {
    uint64_t begin = told(), now = (uint64_t)(uintptr_t)sbrk(0);
    return begin && begin <= now ? begin : (now & ~(uint64_t)(VEER_PAGE - 1)) - BEFORE;
}
