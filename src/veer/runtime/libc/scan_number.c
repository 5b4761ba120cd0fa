/* Numbers of formatted input: their characters are collected, then strtol and strtod read them. */
#include <errno.h>
#include <limits.h>

#include "libc.h"
#include "scan.h"

enum { SHORT_TEXT = 64 };

/* The characters of one field; more than SHORT_TEXT - 1 of them move to the heap. */
struct field {
    char *text;
    size_t length, room;
    char short_text[SHORT_TEXT];
};

static void add(struct field *field, int c) {
    if (field->length + 1 >= field->room) {
        char *grown = veer_malloc(2 * field->room);
        if (!grown) return;
        veer_memcpy(grown, field->text, field->length);
        if (field->text != field->short_text) veer_free(field->text);
        field->text = grown;
        field->room *= 2;
    }
    field->text[field->length++] = (char)c;
    field->text[field->length] = 0;
}

/* -- integers --------------------------------------------------------------------------------------------------- */

static int is_digit_of(int c, int base) {
    if (base == 16) return veer_libc_isxdigit(c);
    return (unsigned)(c - '0') < (unsigned)base; /* one question, not two: what is no digit is one path */
}

/* The rest of "(nil)", which %p reads as 0; the first character that is not of it is left. */
static int collect_nil(struct source *source, struct field *field) {
    for (const char *rest = "nil)"; *rest; rest++) {
        int c = veer_scan_next(source);
        if (c == EOF || veer_libc_tolower(c) != *rest) {
            veer_scan_back(source, c);
            return 0;
        }
    }
    add(field, '0');
    return 1;
}

/* Sign, prefix and digits into the field; gives the base. */
static int collect_integer(struct source *source, struct conversion *made, int base, struct field *field) {
    int c = veer_scan_next(source);
    made->width--;
    if (c == '-' || c == '+') {
        add(field, c);
        c = veer_scan_more(source, made);
    }
    if (made->letter == 'p' && c == '(' && field->length == 0 && made->width >= (int)sizeof "nil") {
        collect_nil(source, field);
        return base;
    }
    if ((base == 0 || base == 16) && c == '0') {
        add(field, c);
        c = veer_scan_more(source, made);
        if (c == 'x' || c == 'X') {
            base = 16;
            c = veer_scan_more(source, made);
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0) base = 10;
    while (c != EOF && is_digit_of(c, base)) {
        add(field, c);
        c = veer_scan_more(source, made);
    }
    veer_scan_back(source, c);
    return base;
}

static enum result collected_integer(struct source *source, struct conversion *made, void *to, struct field *field) {
    char letter = made->letter;
    int base = letter == 'd' || letter == 'u' ? 10 : letter == 'i' ? 0 : letter == 'o' ? 8 : 16;
    base = collect_integer(source, made, base, field);
    int has_sign = field->length && (field->text[0] == '-' || field->text[0] == '+');
    if (field->length == (size_t)has_sign) return MISMATCH;
    if (!to) return DONE;
    int is_signed = letter == 'd' || letter == 'i';
    unsigned long long value = is_signed ? (unsigned long long)veer_libc_strtol(field->text, NULL, base)
                                         : veer_libc_strtoul(field->text, NULL, base);
    veer_scan_store(to, letter == 'p' ? 'l' : made->length, value);
    return DONE;
}

/* -- floating-point numbers --------------------------------------------------------------------------------------- */

/* The rest of a word, of which the first letter was read. The first character that is not of it is taken, too, as glibc takes it. */
static int collect_word(struct source *source, struct conversion *made, const char *rest, struct field *field) {
    for (; *rest; rest++) {
        int c = veer_scan_more(source, made);
        if (c == EOF || veer_libc_tolower(c) != *rest) return 0;
        add(field, c);
    }
    return 1;
}

static int collect_infinity(struct source *source, struct conversion *made, struct field *field) {
    if (!collect_word(source, made, "nf", field)) return 0;
    int c = veer_scan_more(source, made);
    if (c == EOF || veer_libc_tolower(c) != 'i') {
        veer_scan_back(source, c);
        return 1;
    }
    add(field, c);
    return collect_word(source, made, "nity", field);
}

/* Digits, point, exponent; `c` is the first of them. */
static int collect_digits(struct source *source, struct conversion *made, int c, struct field *field) {
    int has_digit = 0, has_point = 0, has_exponent = 0, is_hexadecimal = 0;
    size_t start = field->length;
    if (is_digit_of(c, 10)) { /* whether it is 0 matters before an x alone, and is not asked elsewhere */
        int first = c;
        add(field, c);
        c = veer_scan_more(source, made);
        is_hexadecimal = veer_libc_tolower(c) == 'x' && made->width > 0 && first == '0';
        has_digit = !is_hexadecimal;
        if (is_hexadecimal) {
            add(field, c);
            c = veer_scan_more(source, made);
        }
    }
    int exponent = is_hexadecimal ? 'p' : 'e';
    for (; c != EOF; c = veer_scan_more(source, made)) {
        if (is_digit_of(c, is_hexadecimal && !has_exponent ? 16 : 10)) {
            has_digit = 1;
        } else if (has_exponent && field->text[field->length - 1] == exponent && (c == '-' || c == '+')) {
        } else if (has_digit && !has_exponent && veer_libc_tolower(c) == exponent) {
            has_exponent = has_point = 1;
            c = exponent;
        } else if (!has_point && c == '.') {
            has_point = 1;
        } else {
            veer_scan_back(source, c);
            break;
        }
        add(field, c);
    }
    return field->length > start + (is_hexadecimal ? 2 : 0);
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

static void store_float(void *to, char length, double value) {
    if (to && length == 'l') *(double *)to = value;
    else if (to) *(float *)to = (float)value;
}

static enum result collected_float(struct source *source, struct conversion *made, void *to, struct field *field) {
    double value = 0;
    if (read_plain(source, made, &value)) {
        store_float(to, made->length, value);
        return DONE;
    }
    int is_number, c = veer_scan_next(source);
    char *end;
    made->width--;
    if (c == '-' || c == '+') {
        add(field, c);
        c = veer_scan_more(source, made);
        if (c == EOF) return MISMATCH;
    }
    if (veer_libc_tolower(c) == 'n') {
        add(field, c);
        is_number = collect_word(source, made, "an", field);
    } else if (veer_libc_tolower(c) == 'i') {
        add(field, c);
        is_number = collect_infinity(source, made, field);
    } else {
        is_number = collect_digits(source, made, c, field);
    }
    if (!is_number) return MISMATCH;
    value = made->length == 'l' ? veer_libc_strtod(field->text, &end) : (double)veer_libc_strtof(field->text, &end);
    if (end == field->text) return MISMATCH;
    store_float(to, made->length, value);
    return DONE;
}

enum result veer_scan_number(struct source *source, struct conversion *made, void *to) {
    struct field field = {.text = field.short_text, .room = SHORT_TEXT};
    char letter = made->letter;
    int is_integer = letter == 'd' || letter == 'i' || letter == 'u' || letter == 'x' || letter == 'X' || letter == 'o' || letter == 'p';
    enum result result = is_integer ? collected_integer(source, made, to, &field) : collected_float(source, made, to, &field);
    if (field.text != field.short_text) veer_free(field.text);
    return result;
}
