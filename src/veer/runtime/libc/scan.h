/* What the files of formatted input share: where characters come from, and one conversion. */
#ifndef VEER_SCAN_H
#define VEER_SCAN_H
#include <stdarg.h>
#include <stdio.h>

/* Characters, one at a time: a stream that this libc reads, or a string. */
struct source {
    FILE *stream;     /* NULL for a string */
    const char *text; /* its next character */
    int read; /* characters taken so far */
    int is_over, error; /* whether the end was met, and errno then: who asks again gets both again */
};

enum result { DONE, MISMATCH, AT_END };
enum { SHORT_TEXT = 64 };

/* The characters of a number; more than SHORT_TEXT - 1 of them move to the heap. */
struct field {
    char *text;
    size_t length, room;
    char short_text[SHORT_TEXT];
};

/* One conversion. `width`: what may still be read. `length`: 'H' for hh, 'q' for ll. */
struct conversion {
    int is_suppressed;
    int width;
    char length, letter;
    const char *set; /* of `[`: behind the bracket and the ^ */
    int is_negated;
};

/* vsscanf and vfscanf for formats that veer_scan_knows: what scanf returns. */
int veer_scan(struct source *source, const char *format, va_list list);
int veer_scan_knows(const char *format);

int veer_scan_next(struct source *source);
void veer_scan_back(struct source *source, int c);
/* The next character within the conversion's width, EOF behind it. */
int veer_scan_more(struct source *source, struct conversion *made);

/* Stores an integer in the width of a length modifier. */
void veer_scan_store(void *to, char length, unsigned long long value);
/* A number that begins with the next character; `to` is NULL when the value is not wanted. */
enum result veer_scan_number(struct source *source, struct conversion *made, void *to);
/* A floating-point number, whose characters go into the field. */
enum result veer_scan_float(struct source *source, struct conversion *made, void *to, struct field *field);
void veer_scan_add(struct field *field, int c);
#endif
