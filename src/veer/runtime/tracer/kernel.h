/* System calls of veer's own: the guard tells them from the unit's by the place where they are made. */
#ifndef VEER_KERNEL_H
#define VEER_KERNEL_H

/* As the kernel answers: minus the error where it fails. */
long veer_kernel(long number, long a, long b, long c, long d, long e, long f);
extern const char veer_kernel_place[]; /* behind its instruction */

#define VEER_KERNEL(number, a, b, c, d, e, f) veer_kernel(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#endif
