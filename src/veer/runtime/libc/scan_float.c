/* Floating-point numbers of formatted input. Their characters are collected by a table of states, so that a path says where the number ends,
   and not which of all numbers it is; strtod and strtof read them where somebody uses the value (tracer/deferred.c). */
#include <errno.h>
#include <limits.h>

#include "libc.h"
#include "scan.h"

/* Kinds of characters. 'e' and 'a' to 'f' are hexadecimal digits, too. */
enum kind { OTHER, ZERO, DIGIT, SIGN, POINT, E, A, F, HEXADECIMAL, I, N, P, T, Y, X, BLANK, KINDS };

#define KINDS_BUT_X                                                                                                              \
    ['0'] = ZERO, ['1' ... '9'] = DIGIT, ['+'] = SIGN, ['-'] = SIGN, ['.'] = POINT, ['e'] = E, ['E'] = E, ['a'] = A, ['A'] = A,   \
    ['f'] = F, ['F'] = F, ['b' ... 'd'] = HEXADECIMAL, ['B' ... 'D'] = HEXADECIMAL, ['i'] = I, ['I'] = I, ['n'] = N, ['N'] = N,   \
    [' '] = BLANK, ['\t' ... '\r'] = BLANK, ['p'] = P, ['P'] = P, ['t'] = T, ['T'] = T, ['y'] = Y, ['Y'] = Y

/* The second one where more characters may be read: an x at the end of a width is none of the number's. */
static const unsigned char kinds[2][256] = {{KINDS_BUT_X}, {KINDS_BUT_X, ['x'] = X, ['X'] = X}};

/* What was read. Of a number it may end behind those from NUMBER on, behind COMPLETE it does. LEFT: the character is none of the number's;
   TAKEN: it is none, and is lost, as in glibc. */
enum state {
    START, SIGNED, ONLY_POINT, ZERO_X, /* blanks, "-", ".", "0x" */
    WORD_N, WORD_NA, WORD_I, WORD_IN, INFI, INFIN, INFINI, INFINIT, /* parts of "nan" and "infinity" */
    NUMBER, /* "inf" */
    LEADING_ZERO = NUMBER + 1, WHOLE, FRACTION, EXPONENT, EXPONENT_SIGN, EXPONENT_DIGITS, /* "0", "12", "1.", "1e", "1e-", "1e-2" */
    ZERO_X_POINT, HEXADECIMAL_WHOLE, HEXADECIMAL_FRACTION, POWER, POWER_SIGN, POWER_DIGITS, /* "0x.", "0xa", "0xa.", "0xap", ... */
    COMPLETE, /* "nan", "infinity" */
    LEFT, TAKEN
};

#define ALL(state) [0 ... KINDS - 1] = state
#define DECIMAL_DIGITS(state) [ZERO] = state, [DIGIT] = state
#define HEXADECIMAL_DIGITS(state) DECIMAL_DIGITS(state), [A] = state, [E] = state, [F] = state, [HEXADECIMAL] = state

#pragma clang diagnostic ignored "-Winitializer-overrides"
static const unsigned char after[COMPLETE][KINDS] = {
    [START] = {ALL(LEFT), [ZERO] = LEADING_ZERO, [DIGIT] = WHOLE, [SIGN] = SIGNED, [POINT] = ONLY_POINT, [N] = WORD_N, [I] = WORD_I, [BLANK] = START},
    [SIGNED] = {ALL(LEFT), [ZERO] = LEADING_ZERO, [DIGIT] = WHOLE, [POINT] = ONLY_POINT, [N] = WORD_N, [I] = WORD_I},
    [ONLY_POINT] = {ALL(LEFT), DECIMAL_DIGITS(FRACTION)},
    [ZERO_X] = {ALL(LEFT), HEXADECIMAL_DIGITS(HEXADECIMAL_WHOLE), [POINT] = ZERO_X_POINT},
    [WORD_N] = {ALL(TAKEN), [A] = WORD_NA},
    [WORD_NA] = {ALL(TAKEN), [N] = COMPLETE},
    [WORD_I] = {ALL(TAKEN), [N] = WORD_IN},
    [WORD_IN] = {ALL(TAKEN), [F] = NUMBER},
    [INFI] = {ALL(TAKEN), [N] = INFIN},
    [INFIN] = {ALL(TAKEN), [I] = INFINI},
    [INFINI] = {ALL(TAKEN), [T] = INFINIT},
    [INFINIT] = {ALL(TAKEN), [Y] = COMPLETE},
    [NUMBER] = {ALL(LEFT), [I] = INFI},
    [LEADING_ZERO] = {ALL(LEFT), DECIMAL_DIGITS(WHOLE), [POINT] = FRACTION, [E] = EXPONENT, [X] = ZERO_X},
    [WHOLE] = {ALL(LEFT), DECIMAL_DIGITS(WHOLE), [POINT] = FRACTION, [E] = EXPONENT},
    [FRACTION] = {ALL(LEFT), DECIMAL_DIGITS(FRACTION), [E] = EXPONENT},
    [EXPONENT] = {ALL(LEFT), DECIMAL_DIGITS(EXPONENT_DIGITS), [SIGN] = EXPONENT_SIGN},
    [EXPONENT_SIGN] = {ALL(LEFT), DECIMAL_DIGITS(EXPONENT_DIGITS)},
    [EXPONENT_DIGITS] = {ALL(LEFT), DECIMAL_DIGITS(EXPONENT_DIGITS)},
    [ZERO_X_POINT] = {ALL(LEFT), HEXADECIMAL_DIGITS(HEXADECIMAL_FRACTION)},
    [HEXADECIMAL_WHOLE] = {ALL(LEFT), HEXADECIMAL_DIGITS(HEXADECIMAL_WHOLE), [POINT] = HEXADECIMAL_FRACTION, [P] = POWER},
    [HEXADECIMAL_FRACTION] = {ALL(LEFT), HEXADECIMAL_DIGITS(HEXADECIMAL_FRACTION), [P] = POWER},
    [POWER] = {ALL(LEFT), DECIMAL_DIGITS(POWER_DIGITS), [SIGN] = POWER_SIGN},
    [POWER_SIGN] = {ALL(LEFT), DECIMAL_DIGITS(POWER_DIGITS)},
    [POWER_DIGITS] = {ALL(LEFT), DECIMAL_DIGITS(POWER_DIGITS)},
};

/* The characters of a number into the field. */
static enum result collect(struct source *source, struct conversion *made, struct field *field) {
    unsigned state = START;
    while (state != COMPLETE) {
        int c = veer_scan_more(source, made);
        if (c == EOF && state == START) return AT_END;
        if (c == EOF) break;
        unsigned next = after[state][kinds[made->width > 0][c]];
        if (next >= LEFT) {
            if (next == TAKEN) return MISMATCH;
            veer_scan_back(source, c);
            break;
        }
        veer_scan_add(field, c);
        state = next;
    }
    return state >= NUMBER ? DONE : MISMATCH;
}

/* A number of a concrete string, taken as strtod takes it: only when what follows cannot belong to a longer one of scanf's. */
static int read_plain(struct source *source, const struct conversion *made, double *value) {
    float narrow = 0;
    int error = errno;
    if (source->stream || made->width != INT_MAX || veer_libc_isspace((unsigned char)*source->text)) return 0;
    long length = made->length == 'l' ? veer_read_double(source->text, value) : veer_read_float(source->text, &narrow);
    if (length <= 0 || source->text[length - 1] == ')') return 0;
    char next = source->text[length];
    if (next && next != ',' && next != ']' && next != '}' && next != ';' && !veer_libc_isspace((unsigned char)next)) return 0;
    if (made->length != 'l') *value = (double)narrow;
    source->text += length;
    source->read += (int)length;
    if (!next) source->is_over = 1, source->error = error; /* the number ends where the text does: that was seen first */
    return 1;
}

static void store(void *to, char length, double value) {
    if (length == 'l') *(double *)to = value;
    else *(float *)to = (float)value;
}

/* Texts of numbers that nobody has used yet. */
enum { MOST_KEPT = 16 };

static struct kept {
    char length; /* of the conversion */
    char text[SHORT_TEXT];
    union {
        float narrow;
        double wide;
    } value;
} kept[MOST_KEPT];
static unsigned kept_count;

static void read_kept(unsigned number) {
    struct kept *each = &kept[number];
    if (each->length == 'l') each->value.wide = veer_libc_strtod(each->text, NULL);
    else each->value.narrow = veer_libc_strtof(each->text, NULL);
}

/* Leaves the number for who uses it; 0 = this cannot be. */
static int defer(void *to, char length, const struct field *field) {
    if (kept_count == MOST_KEPT || field->length >= SHORT_TEXT) return 0;
    struct kept *each = &kept[kept_count];
    veer_memcpy(each->text, field->text, field->length + 1);
    each->length = length;
    unsigned size = length == 'l' ? sizeof each->value.wide : sizeof each->value.narrow;
    if (!veer_defer_number(to, &each->value, size, kept_count, read_kept, each->text)) return 0;
    kept_count++;
    return 1;
}

/* What a number that nobody wants leaves behind: errno, where it does not fit. */
static void forget(char length, const struct field *field) {
    if (&veer_reads_errno == NULL) return;
    if (length == 'l') veer_libc_strtod(field->text, NULL);
    else veer_libc_strtof(field->text, NULL);
}

enum result veer_scan_float(struct source *source, struct conversion *made, void *to, struct field *field) {
    double value = 0;
    if (read_plain(source, made, &value)) {
        if (to) store(to, made->length, value);
        return DONE;
    }
    enum result result = collect(source, made, field);
    if (result != DONE) return result;
    if (!to) {
        forget(made->length, field);
        return DONE;
    }
    store(to, made->length, 0);
    if (!defer(to, made->length, field))
        store(to, made->length, made->length == 'l' ? veer_libc_strtod(field->text, NULL) : (double)veer_libc_strtof(field->text, NULL));
    return DONE;
}
