/* snprintf and sscanf of veer's own libc against the machine's; prints each difference. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>

#include "libc/scan.h"
#include "libc_compare.h"
#include "concrete_numbers.h"

int veer_libc_snprintf(char *, size_t, const char *, ...);
int veer_libc_sscanf(const char *, const char *, ...);
/* veer's reading of streams, which strings do not need. */
int veer_libc_fgetc(FILE *stream) { return fgetc(stream); }
int veer_libc_ungetc(int c, FILE *stream) { return ungetc(c, stream); }

static long long draw_integer(void) {
    static const long long edges[] = {0, 1, -1, 7, 8, 9, 10, 99, 100, 255, 256, 65535, INT_MAX, INT_MIN, LLONG_MAX, LLONG_MIN, UINT_MAX};
    if (draw(3) == 0) return edges[draw(sizeof edges / sizeof *edges)];
    return (long long)(draw_bits() >> draw(64)) * (draw(2) ? 1 : -1);
}

static double draw_double(void) {
    uint64_t bits = draw_bits();
    double value;
    if (draw(2)) return (double)draw_integer() / (1 + draw(100));
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void draw_conversion(char *format, const char *letters) {
    static const char *const widths[] = {"", "", "", "1", "5", "12", "*", NULL};
    static const char *const precisions[] = {"", "", ".", ".0", ".1", ".3", ".10", ".*", NULL};
    *format++ = '<', *format++ = '%';
    while (draw(3) == 0) *format++ = "-0+ #"[draw(5)];
    strcpy(format, pick(widths));
    strcat(format, pick(precisions));
    format += strlen(format);
    *format++ = '!', *format++ = letters[draw((unsigned)strlen(letters))];
    strcpy(format, ">");
}

static void set_length(char *to, const char *format, const char *length) {
    const char *mark = strchr(format, '!');
    sprintf(to, "%.*s%s%s", (int)(mark - format), format, length, mark + 1);
}

/* Both write into guarded room of the same, possibly too small size. */
#define COMPARE(...)                                                                                                                \
    do {                                                                                                                            \
        char own[700], machine[700];                                                                                                \
        size_t size = draw(4) ? 600 : draw(12);                                                                                    \
        memset(own, 'x', sizeof own), memset(machine, 'x', sizeof machine);                                                        \
        int length = veer_libc_snprintf(own, size, format, __VA_ARGS__), expected = snprintf(machine, size, format, __VA_ARGS__);  \
        if (length != expected || memcmp(own, machine, sizeof own))                                                                 \
            failures++, printf("snprintf(%zu, \"%s\") = %d %.100s, not %d %.100s\n", size, format, length, own, expected, machine); \
    } while (0)

static void compare_formats(void) {
    static const char *const wide[] = {"l", "ll", "j", "z", "t", "q", NULL}, *const narrow[] = {"", "h", "hh", NULL};
    static const char *const texts[] = {"", "a", "abcdefgh", "a longer text with blanks", NULL};
    char made[64], format[64];
    const char *text = draw(8) ? pick(texts) : NULL;
    long long value = draw_integer();
    double number = draw_double();
    void *pointer = draw(3) ? (void *)(uintptr_t)value : NULL;
    int stars[2] = {(int)draw(20) - 10, (int)draw(14) - 4}, count;
    draw_conversion(made, "diuxXo");
#define WITH_STARS(VALUE)                                                                                                           \
    count = 0;                                                                                                                      \
    for (const char *s = format; *s; s++) count += *s == '*';                                                                       \
    if (count == 0) COMPARE(VALUE);                                                                                                 \
    else if (count == 1) COMPARE(stars[0], VALUE);                                                                                  \
    else COMPARE(stars[0], stars[1], VALUE);
    set_length(format, made, pick(wide));
    WITH_STARS(value)
    set_length(format, made, pick(narrow));
    WITH_STARS((int)value)
    draw_conversion(made, "s");
    set_length(format, made, "");
    WITH_STARS(text)
    draw_conversion(made, "p");
    set_length(format, made, "");
    WITH_STARS(pointer)
    draw_conversion(made, "c");
    set_length(format, made, "");
    WITH_STARS((int)value)
    draw_conversion(made, "fFeEgGaA");
    set_length(format, made, draw(2) ? "" : "l");
    WITH_STARS(number)
}

static void compare_mixed(void) {
    const char *format = "%d items, %5.1f%% of %-8s|%#x %c%n";
    int count = -1, expected_count = -1;
    COMPARE(42, 12.5, "total", 255u, '!', &count);
    char text[64];
    snprintf(text, sizeof text, format, 42, 12.5, "total", 255u, '!', &expected_count);
    if (count != expected_count) failures++, printf("%%n: %d, not %d\n", count, expected_count);
    format = "%2$s %1$s %ls"; /* positions: the machine's own */
    COMPARE("one", "two");
}

/* -- sscanf ----------------------------------------------------------------------------------------------------- */

struct values {
    _Alignas(16) unsigned char bytes[4][64];
};

static struct values untouched(void) {
    struct values values;
    memset(&values, 0xaa, sizeof values);
    return values;
}

/* What was read from a text, the error, and, of a stream, how far it was read. */
static void expect_scan(const char *what, const char *text, const char *format, const int own[3], const int machine[3], struct values *mine,
                        struct values *expected) {
    if (memcmp(own, machine, 3 * sizeof *own) == 0 && memcmp(mine, expected, sizeof *mine) == 0) return;
    failures++;
    printf("%s(\"%s\", \"%s\") = %d, errno %d, %d read, %llx %.20s; not %d, errno %d, %d read, %llx %.20s\n", what, text, format, own[0], own[1], own[2],
           *(long long *)mine->bytes[0], (char *)mine->bytes[0], machine[0], machine[1], machine[2], *(long long *)expected->bytes[0],
           (char *)expected->bytes[0]);
}

static int scan_stream(struct source *source, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int stored = veer_scan(source, format, list);
    va_end(list);
    return stored;
}

static void compare_scan(const char *text, const char *format) {
    struct values own = untouched(), machine = untouched();
    int seen[3] = {0}, expected[3] = {0};
    errno = 0;
    seen[0] = veer_libc_sscanf(text, format, own.bytes[0], own.bytes[1], own.bytes[2], own.bytes[3]);
    seen[1] = errno, errno = 0;
    expected[0] = sscanf(text, format, machine.bytes[0], machine.bytes[1], machine.bytes[2], machine.bytes[3]);
    expected[1] = errno;
    expect_scan("sscanf", text, format, seen, expected, &own, &machine);
    if (!*text || !veer_scan_knows(format)) return; /* no stream over nothing */
    own = untouched(), machine = untouched();
    FILE *stream = fmemopen((void *)text, strlen(text), "r");
    struct source source = {.stream = stream};
    errno = 0;
    seen[0] = scan_stream(&source, format, own.bytes[0], own.bytes[1], own.bytes[2], own.bytes[3]);
    seen[1] = errno, seen[2] = (int)ftell(stream);
    rewind(stream), errno = 0;
    expected[0] = fscanf(stream, format, machine.bytes[0], machine.bytes[1], machine.bytes[2], machine.bytes[3]);
    expected[1] = errno, expected[2] = (int)ftell(stream);
    fclose(stream);
    expect_scan("fscanf", text, format, seen, expected, &own, &machine);
}

static void compare_scans(void) {
    static const char *const conversions[] = {"%d", "%i", "%u", "%x", "%o", "%X", "%p", "%hhd", "%hd", "%ld", "%lli", "%zu", "%3d", "%2i", "%1x", "%*d",
                                              "%c", "%3c", "%s", "%4s", "%*s", "%[abc]", "%[^0-9]", "%5[a-f0-9]", "%[]x-]", "%[^]]", "%n", "%f", "%lf", "%4f",
                                              "%le", "%lg", "%6lf", "%*f", "%a", NULL};
    static const char *const between[] = {"", "", " ", ",", ":", "%%", "x", "- ", NULL};
    static const char *const alphabets[] = {"0123456789", " 0123456789-+", "0123456789abcdefxX", "  ,:%x-abc]", "0123456789.eE-+", "infaINFANty()", "\t\n 12,", NULL};
    char format[128] = "", text[64];
    for (unsigned k = draw(4) + 1; k > 0; k--) strcat(strcat(format, pick(between)), pick(conversions));
    strcat(format, pick(between));
    char *end = text;
    for (unsigned k = draw(3) + 1; k > 0; k--) {
        const char *alphabet = pick(alphabets);
        unsigned length = draw(8), letters = (unsigned)strlen(alphabet);
        while (length-- > 0) *end++ = alphabet[draw(letters)];
    }
    *end = 0;
    compare_scan(text, format);
}

int main(void) {
    static const char *const numbers[] = {"", " ", "-", "+", "0x", "0xg", "-0x1f", "0x ", "0x.", "0x.8", "0x1p", "0x1p+", "0x1.8p-3", "1e400", "-1e400", "1e-400", "1e39", "1e-50", "12345678901234567890123", "08", "0", "00x1", "1e", "1e+", "1e5", ".", ".5", "5.", "0x.p1", "0x1p3",
                                          "inf", "infi", "infin", "infinity", "infinityx", "nan(", "nan()", "nan(12)", "nan(a_)", "nan(-)", "nanb", "-nan(3)", "+-1", "1.2.3", "1e+x", "nan", "nanx", "na", "+inf", "-.e1", "99999999999999999999", "-99999999999999999999",
                                          "0000000000000000000000000000000000000000000000000000000000000000000000000000012", NULL};
    static const char *const formats[] = {"%d", "%i", "%x", "%o", "%u", "%p", "%lld", "%hhu", "%f", "%lf", "%3lf", "%2f", "%1d", "%2x%n", "%3x%n", "%2i%n", "%3i%n", "%s%n", "%d%n", NULL};
    for (const char *const *number = numbers; *number; number++)
        for (const char *const *format = formats; *format; format++) compare_scan(*number, *format);
    compare_mixed();
    for (int round = 0; round < 100000; round++) {
        compare_formats();
        compare_scans();
    }
    return failures != 0;
}
