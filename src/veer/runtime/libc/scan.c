/* Formatted input as glibc reads it: each character is decided upon where it is looked at, numbers are strtol's and strtod's. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "libc.h"
#include "scan.h"

int veer_scan_next(struct source *source) {
    if (source->is_over) {
        errno = source->error;
        return EOF;
    }
    int c = source->stream ? veer_libc_fgetc(source->stream) : (unsigned char)*source->text;
    if (c == (source->stream ? EOF : 0)) {
        source->is_over = 1;
        source->error = errno;
        return EOF;
    }
    if (!source->stream) source->text++;
    source->read++;
    return c;
}

void veer_scan_back(struct source *source, int c) {
    if (c == EOF) return;
    source->read--;
    if (source->stream) veer_libc_ungetc(c, source->stream);
    else source->text--;
}

int veer_scan_more(struct source *source, struct conversion *made) {
    if (made->width == 0) return EOF;
    made->width--;
    return veer_scan_next(source);
}

static void skip_blanks(struct source *source) {
    int c;
    do c = veer_scan_next(source);
    while (c != EOF && veer_libc_isspace(c));
    veer_scan_back(source, c);
}

/* Blanks before a conversion: glibc reads them with no error, and the end keeps the error that was there when it was met. */
static void skip_to_field(struct source *source) {
    int error = errno;
    errno = 0;
    skip_blanks(source);
    errno = error;
}

/* -- the format ------------------------------------------------------------------------------------------------- */

static const char *read_set(const char *s, struct conversion *made) {
    made->is_negated = *s == '^';
    if (made->is_negated) s++;
    made->set = s;
    if (*s == ']') s++;
    while (*s && *s != ']') s++;
    return *s ? s + 1 : s;
}

static const char *read_conversion(const char *s, struct conversion *made) {
    *made = (struct conversion){.width = INT_MAX};
    if (*s == '*') made->is_suppressed = 1, s++;
    if (*s >= '0' && *s <= '9') {
        made->width = 0;
        for (; *s >= '0' && *s <= '9'; s++) made->width = made->width > (INT_MAX - 9) / 10 ? INT_MAX : made->width * 10 + (*s - '0');
        if (made->width == 0) made->width = INT_MAX;
    }
    if (s[0] == 'h' && s[1] == 'h') made->length = 'H', s += 2;
    else if (s[0] == 'l' && s[1] == 'l') made->length = 'q', s += 2;
    else if (*s == 'h' || *s == 'l' || *s == 'j' || *s == 'z' || *s == 't' || *s == 'q' || *s == 'L') made->length = *s++;
    made->letter = *s;
    if (*s) s++;
    return made->letter == '[' ? read_set(s, made) : s;
}

int veer_scan_knows(const char *format) {
    struct conversion made;
    while (*format) {
        if (*format++ != '%') continue;
        format = read_conversion(format, &made);
        int is_number = made.letter && veer_libc_strchr("diuxXopnfFeEgGaA", made.letter) && made.length != 'L';
        int is_text = made.letter && veer_libc_strchr("cs[%", made.letter) && !made.length;
        if (!is_number && !is_text) return 0;
    }
    return 1;
}

/* -- text ------------------------------------------------------------------------------------------------------- */

static enum result scan_characters(struct source *source, struct conversion *made, char *to) {
    int width = made->width == INT_MAX ? 1 : made->width;
    for (int k = 0; k < width; k++) {
        int c = veer_scan_next(source);
        if (c == EOF) return k ? DONE : AT_END;
        if (to) to[k] = (char)c;
    }
    return DONE;
}

static int is_in_set(const struct conversion *made, int c) {
    const char *s = made->set;
    for (int is_first = 1; *s && (is_first || *s != ']'); s++, is_first = 0) {
        int is_range = s[1] == '-' && s[2] && s[2] != ']' && (unsigned char)s[0] <= (unsigned char)s[2];
        if (is_range && c >= (unsigned char)s[0] && c <= (unsigned char)s[2]) return !made->is_negated;
        if (is_range) s += 2;
        else if (c == (unsigned char)*s) return !made->is_negated;
    }
    return made->is_negated;
}

/* %s and %[: the characters of a word or of a set. */
static enum result scan_text(struct source *source, struct conversion *made, char *to) {
    size_t count = 0;
    int c;
    while ((c = veer_scan_more(source, made)) != EOF) {
        if (made->set ? !is_in_set(made, c) : veer_libc_isspace(c)) {
            veer_scan_back(source, c);
            break;
        }
        if (to) to[count] = (char)c;
        count++;
    }
    if (count == 0) return MISMATCH;
    if (to) to[count] = 0;
    return DONE;
}

/* -- one format --------------------------------------------------------------------------------------------------- */

static enum result scan_conversion(struct source *source, struct conversion *made, void *to) {
    if (made->letter == 'c') return scan_characters(source, made, to);
    int c = veer_scan_next(source);
    if (c == EOF) return AT_END;
    veer_scan_back(source, c);
    if (made->letter == '[' || made->letter == 's') return scan_text(source, made, to);
    return veer_scan_number(source, made, to);
}

void veer_scan_store(void *to, char length, unsigned long long value) {
    if (length == 'H') *(unsigned char *)to = (unsigned char)value;
    else if (length == 'h') *(unsigned short *)to = (unsigned short)value;
    else if (length) *(unsigned long long *)to = value;
    else *(unsigned *)to = (unsigned)value;
}

/* A character of the format that is no conversion and no blank. */
static enum result scan_literal(struct source *source, char wanted) {
    int c = veer_scan_next(source);
    if (c == (unsigned char)wanted) return DONE;
    veer_scan_back(source, c);
    return c == EOF ? AT_END : MISMATCH;
}

/* Whether the conversion reads the blanks before it itself, which makes fewer paths. Who asks for errno sees a difference (skip_to_field). */
static int takes_blanks(const struct source *source, const struct conversion *made) {
    return source->stream && made->width == INT_MAX && &veer_reads_errno == NULL && made->letter && veer_libc_strchr("fFeEgGaA", made->letter);
}

int veer_scan(struct source *source, const char *format, va_list list) {
    struct conversion made;
    enum result result = DONE;
    int stored = 0;
    while (*format && result == DONE) {
        int is_blank = 0; /* blanks of the format are read with what stands behind them */
        for (; veer_libc_isspace((unsigned char)*format); format++) is_blank = 1;
        if (*format != '%') {
            if (is_blank) skip_blanks(source);
            if (*format) result = scan_literal(source, *format++);
            continue;
        }
        format = read_conversion(format + 1, &made);
        if (!takes_blanks(source, &made) && (is_blank || !veer_libc_strchr("c[n", made.letter))) skip_to_field(source);
        if (made.letter == '%') {
            result = scan_literal(source, '%');
        } else if (made.letter == 'n') {
            if (!made.is_suppressed) veer_scan_store(va_arg(list, void *), made.length, (unsigned)source->read);
        } else {
            result = scan_conversion(source, &made, made.is_suppressed ? NULL : va_arg(list, void *));
            if (result == DONE && !made.is_suppressed) stored++;
        }
    }
    return result == AT_END && stored == 0 ? EOF : stored;
}

int veer_libc_vsscanf(const char *text, const char *format, va_list list) {
    struct source source = {.text = text};
    if (!veer_scan_knows(format)) return vsscanf(text, format, list);
    return veer_scan(&source, format, list);
}

int veer_libc_sscanf(const char *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int stored = veer_libc_vsscanf(text, format, list);
    va_end(list);
    return stored;
}
