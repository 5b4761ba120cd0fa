/* Formatted output into memory: each byte that is written carries the constraints of what it was made from. Floating-point numbers
   are formatted by the machine's libc, concretely; so is a whole format with a conversion that is not known here. Output to streams is
   the machine's, for the program never reads it again. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "libc.h"

/* Where the text goes: what does not fit is counted only. */
struct sink {
    char *to;
    size_t room;
    size_t length;
};

/* One conversion: flags, width, precision (-1: none), length modifier ('H' for hh, 'q' for ll), letter. */
struct conversion {
    char has_minus, has_zero, has_plus, has_space, has_hash;
    int width, precision;
    char length, letter;
};

/* A va_list as a value that functions can share. */
struct arguments {
    va_list list;
};

enum { SHORT_NUMBER = 48 }; /* bytes of a floating-point number's text that need no heap */

struct span {
    const char *text;
    long length;
};

static void put(struct sink *sink, char c) {
    if (sink->length < sink->room) sink->to[sink->length] = c;
    sink->length++;
}

static void put_many(struct sink *sink, char c, long count) {
    while (count-- > 0) put(sink, c);
}

static void put_text(struct sink *sink, const char *text, long length) {
    for (long k = 0; k < length; k++) put(sink, text[k]);
}

/* Reads what stands behind a '%'. A width or precision `*` is taken from the arguments if there are any. */
static const char *read_number(const char *s, int *number, struct arguments *arguments) {
    *number = 0;
    if (*s == '*') {
        if (arguments) *number = va_arg(arguments->list, int);
        return s + 1;
    }
    for (; *s >= '0' && *s <= '9'; s++) *number = *number > (INT_MAX - 9) / 10 ? INT_MAX : *number * 10 + (*s - '0');
    return s;
}

static const char *read_length(const char *s, char *length) {
    *length = 0;
    if (s[0] == 'h' && s[1] == 'h') *length = 'H', s += 2;
    else if (s[0] == 'l' && s[1] == 'l') *length = 'q', s += 2;
    else if (*s == 'h' || *s == 'l' || *s == 'j' || *s == 'z' || *s == 't' || *s == 'q' || *s == 'L') *length = *s++;
    return s;
}

static const char *read_conversion(const char *s, struct conversion *made, struct arguments *arguments) {
    *made = (struct conversion){.precision = -1};
    for (;; s++) {
        if (*s == '-') made->has_minus = 1;
        else if (*s == '0') made->has_zero = 1;
        else if (*s == '+') made->has_plus = 1;
        else if (*s == ' ') made->has_space = 1;
        else if (*s == '#') made->has_hash = 1;
        else break;
    }
    s = read_number(s, &made->width, arguments);
    if (made->width < 0) made->has_minus = 1, made->width = -made->width;
    if (*s == '.') {
        s = read_number(s + 1, &made->precision, arguments);
        if (made->precision < 0) made->precision = -1;
    }
    s = read_length(s, &made->length);
    made->letter = *s;
    return *s ? s + 1 : s;
}

static int is_known_letter(char letter, char length) {
    switch (letter) {
    case 'c':
    case 's':
    case 'p':
    case '%': return !length;
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
    case 'n':
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return length != 'L';
    default: return 0;
    }
}

/* Whether all conversions of a format are known here. */
static int is_known(const char *format) {
    struct conversion made;
    while (*format) {
        if (*format++ != '%') continue;
        format = read_conversion(format, &made, NULL);
        if (!is_known_letter(made.letter, made.length) || made.width == INT_MAX || made.precision == INT_MAX) return 0;
    }
    return 1;
}

static long long signed_argument(struct arguments *arguments, char length) {
    if (length == 'H') return (signed char)va_arg(arguments->list, int);
    if (length == 'h') return (short)va_arg(arguments->list, int);
    return length ? va_arg(arguments->list, long long) : va_arg(arguments->list, int);
}

static unsigned long long unsigned_argument(struct arguments *arguments, char length) {
    if (length == 'H') return (unsigned char)va_arg(arguments->list, unsigned);
    if (length == 'h') return (unsigned short)va_arg(arguments->list, unsigned);
    return length ? va_arg(arguments->list, unsigned long long) : va_arg(arguments->list, unsigned);
}

/* Sign, prefix and digits, filled up to the precision with zeros and to the width with zeros or blanks. */
static void put_padded(struct sink *sink, const struct conversion *made, const char *sign, const char *prefix, struct span digits) {
    long zeros = made->precision > digits.length ? made->precision - digits.length : 0;
    long taken = (long)veer_libc_strlen(sign) + (long)veer_libc_strlen(prefix) + zeros + digits.length;
    long fill = made->width > taken ? made->width - taken : 0;
    if (made->has_zero && !made->has_minus && made->precision < 0) zeros = fill, fill = 0;
    if (!made->has_minus) put_many(sink, ' ', fill);
    put_text(sink, sign, (long)veer_libc_strlen(sign));
    put_text(sink, prefix, (long)veer_libc_strlen(prefix));
    put_many(sink, '0', zeros);
    put_text(sink, digits.text, digits.length);
    if (made->has_minus) put_many(sink, ' ', fill);
}

/* The digits are made without tables and without decisions but the one whether there are more. */
static void put_integer(struct sink *sink, const struct conversion *made, unsigned long long value, const char *sign) {
    char digits[24], *first = digits + sizeof digits;
    unsigned base = made->letter == 'o' ? 8 : made->letter == 'x' || made->letter == 'X' || made->letter == 'p' ? 16 : 10;
    int letters = made->letter == 'X' ? 'A' - '9' - 1 : 'a' - '9' - 1;
    int is_set = value != 0, is_empty = made->precision == 0 && !is_set;
    const char *prefix = made->has_hash && base == 16 && is_set ? (made->letter == 'X' ? "0X" : "0x") : "";
    for (; value || first == digits + sizeof digits; value /= base) {
        int digit = (int)(value % base);
        *--first = (char)('0' + digit + (((9 - digit) >> 31) & letters));
    }
    if (is_empty) first = digits + sizeof digits;
    if (made->letter == 'o' && made->has_hash && (is_empty || is_set)) *--first = '0';
    put_padded(sink, made, sign, prefix, (struct span){first, digits + sizeof digits - first});
}

/* The sign of what is not negative. */
static const char *sign_of(const struct conversion *made) { return made->has_plus ? "+" : made->has_space ? " " : ""; }

static void put_signed(struct sink *sink, const struct conversion *made, long long value) {
    int is_negative = value < 0;
    const char *sign = is_negative ? "-" : sign_of(made);
    struct conversion plain = *made;
    plain.has_hash = 0;
    put_integer(sink, &plain, is_negative ? 0 - (unsigned long long)value : (unsigned long long)value, sign);
}

static void put_string(struct sink *sink, const struct conversion *made, const char *text) {
    size_t most = made->precision < 0 ? SIZE_MAX : (size_t)made->precision;
    if (!text) text = most >= 6 ? "(null)" : "";
    struct conversion plain = {.has_minus = made->has_minus, .width = made->width, .precision = -1};
    put_padded(sink, &plain, "", "", (struct span){text, (long)veer_libc_strnlen(text, most)});
}

static void put_pointer(struct sink *sink, const struct conversion *made, const void *pointer) {
    struct conversion shown = *made;
    shown.has_hash = 1;
    if (pointer) {
        put_integer(sink, &shown, (unsigned long long)(uintptr_t)pointer, sign_of(made));
        return;
    }
    shown.precision = -1;
    put_string(sink, &shown, "(nil)");
}

/* The machine's libc makes the text of a floating-point number: its conversion is written out for it again. */
static void put_float(struct sink *sink, const struct conversion *made, double value) {
    char format[16], *end = format, text[SHORT_NUMBER], *long_text = text;
    *end++ = '%';
    if (made->has_minus) *end++ = '-';
    if (made->has_zero) *end++ = '0';
    if (made->has_plus) *end++ = '+';
    if (made->has_space) *end++ = ' ';
    if (made->has_hash) *end++ = '#';
    *end++ = '*', *end++ = '.', *end++ = '*', *end++ = made->letter, *end = 0;
    int length = snprintf(text, sizeof text, format, made->width, made->precision, value);
    if (length >= (int)sizeof text) {
        long_text = veer_malloc((size_t)length + 1);
        if (!long_text) return;
        snprintf(long_text, (size_t)length + 1, format, made->width, made->precision, value);
    }
    put_text(sink, long_text, length);
    if (long_text != text) veer_free(long_text);
}

static void store_length(void *to, char length, size_t count) {
    if (length == 'H') *(signed char *)to = (signed char)count;
    else if (length == 'h') *(short *)to = (short)count;
    else if (length) *(long long *)to = (long long)count;
    else *(int *)to = (int)count;
}

static void put_conversion(struct sink *sink, const struct conversion *made, struct arguments *arguments) {
    char character;
    struct conversion plain = {.has_minus = made->has_minus, .width = made->width, .precision = -1};
    switch (made->letter) {
    case '%': put(sink, '%'); break;
    case 'c':
        character = (char)va_arg(arguments->list, int);
        put_padded(sink, &plain, "", "", (struct span){&character, 1});
        break;
    case 's': put_string(sink, made, va_arg(arguments->list, const char *)); break;
    case 'p': put_pointer(sink, made, va_arg(arguments->list, const void *)); break;
    case 'n': store_length(va_arg(arguments->list, void *), made->length, sink->length); break;
    case 'd':
    case 'i': put_signed(sink, made, signed_argument(arguments, made->length)); break;
    case 'u':
    case 'o':
    case 'x':
    case 'X': put_integer(sink, made, unsigned_argument(arguments, made->length), ""); break;
    default: put_float(sink, made, va_arg(arguments->list, double)); break;
    }
}

int veer_libc_vsnprintf(char *to, size_t size, const char *format, va_list list) {
    struct sink sink = {to, size ? size - 1 : 0, 0};
    struct arguments arguments;
    struct conversion made;
    if (!is_known(format)) return vsnprintf(to, size, format, list);
    va_copy(arguments.list, list);
    while (*format) {
        if (*format != '%') {
            put(&sink, *format++);
            continue;
        }
        format = read_conversion(format + 1, &made, &arguments);
        put_conversion(&sink, &made, &arguments);
    }
    va_end(arguments.list);
    if (size) to[sink.length < size ? sink.length : size - 1] = 0;
    if (sink.length <= INT_MAX) return (int)sink.length;
    errno = EOVERFLOW;
    return -1;
}

int veer_libc_vsprintf(char *to, const char *format, va_list list) { return veer_libc_vsnprintf(to, SIZE_MAX, format, list); }

int veer_libc_snprintf(char *to, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = veer_libc_vsnprintf(to, size, format, list);
    va_end(list);
    return length;
}

int veer_libc_sprintf(char *to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = veer_libc_vsnprintf(to, SIZE_MAX, format, list);
    va_end(list);
    return length;
}

/* The text is made twice: once to measure it. */
int veer_libc_vasprintf(char **to, const char *format, va_list list) {
    va_list again;
    va_copy(again, list);
    int length = veer_libc_vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0 || !(*to = veer_malloc((size_t)length + 1))) return -1;
    return veer_libc_vsnprintf(*to, (size_t)length + 1, format, list);
}

int veer_libc_asprintf(char **to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = veer_libc_vasprintf(to, format, list);
    va_end(list);
    return length;
}
