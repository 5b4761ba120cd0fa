/* What the files of veer's own libc call of each other and of the runtime. They are compiled through the instrumenter, so they are
   ordinary C; each function stands in for the libc function whose name follows `veer_libc_`. What they call by its usual name is the
   machine's libc, concrete. */
#ifndef VEER_LIBC_H
#define VEER_LIBC_H
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "veer_runtime.h"

int veer_digit_of(char c); /* its value as a digit, 36 if it is none */
int veer_libc_tolower(int c);
int veer_libc_isspace(int c);
int veer_libc_isxdigit(int c);
size_t veer_libc_strlen(const char *s);
size_t veer_libc_strnlen(const char *s, size_t most);
int veer_libc_strcmp(const char *a, const char *b);
char *veer_libc_strchr(const char *s, int c);
char *veer_libc_strrchr(const char *s, int c);
size_t veer_libc_strspn(const char *s, const char *set);
size_t veer_libc_strcspn(const char *s, const char *set);
int veer_libc_memcmp(const void *a, const void *b, size_t n);
long veer_libc_strtol(const char *text, char **end, int base);
unsigned long veer_libc_strtoul(const char *text, char **end, int base);
double veer_libc_strtod(const char *text, char **end);
float veer_libc_strtof(const char *text, char **end);
int veer_libc_getchar(void);
int veer_libc_feof(FILE *stream);
int veer_libc_fgetc(FILE *stream);
int veer_libc_ungetc(int c, FILE *stream);
int veer_libc_vsnprintf(char *to, size_t size, const char *format, va_list list);
#endif
