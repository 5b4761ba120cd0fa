#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
/* System calls that no function of the C library stands before, and addresses of veer's (runtime/include/veer_wire.h). */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SHARED 0x300000000000ul
#define ENGINE 0x200000000000ul
#define SHADOW 0x100000000000ul
#define HOT 0x7f000000ul

static long raw(long number, long a, long b, long c, long d, long e, long f)
{
    long answer;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall" : "=a"(answer) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
    return answer;
}
#define RAW(number, a, b, c, d) raw(number, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
