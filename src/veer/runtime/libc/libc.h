/* What the files of veer's own libc call of each other and of the runtime. They are compiled through the instrumenter, so they are
   ordinary C; each stands in for the libc function whose name follows `veer_libc_`. */
#ifndef VEER_LIBC_H
#define VEER_LIBC_H
#include <stddef.h>

#include "veer_runtime.h"

int veer_libc_tolower(int c);
int veer_libc_isspace(int c);
size_t veer_libc_strlen(const char *s);
size_t veer_libc_strnlen(const char *s, size_t most);
size_t veer_libc_strspn(const char *s, const char *set);
size_t veer_libc_strcspn(const char *s, const char *set);
int veer_libc_memcmp(const void *a, const void *b, size_t n);
long veer_libc_strtol(const char *text, char **end, int base);
int veer_libc_getchar(void);
#endif
