/* Integers of formatted input: their characters are collected, then strtol reads them. */
#include <errno.h>
#include <limits.h>

#include "libc.h"
#include "scan.h"

void veer_scan_add(struct field *field, int c) {
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
    veer_scan_add(field, '0');
    return 1;
}

/* Sign, prefix and digits into the field; gives the base. */
static int collect_integer(struct source *source, struct conversion *made, int base, struct field *field) {
    int c = veer_scan_next(source);
    made->width--;
    if (c == '-' || c == '+') {
        veer_scan_add(field, c);
        c = veer_scan_more(source, made);
    }
    if (made->letter == 'p' && c == '(' && field->length == 0 && made->width >= (int)sizeof "nil") {
        collect_nil(source, field);
        return base;
    }
    if ((base == 0 || base == 16) && c == '0') {
        veer_scan_add(field, c);
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
        veer_scan_add(field, c);
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

enum result veer_scan_number(struct source *source, struct conversion *made, void *to) {
    struct field field = {.text = field.short_text, .room = SHORT_TEXT};
    char letter = made->letter;
    int is_integer = letter == 'd' || letter == 'i' || letter == 'u' || letter == 'x' || letter == 'X' || letter == 'o' || letter == 'p';
    enum result result = is_integer ? collected_integer(source, made, to, &field) : veer_scan_float(source, made, to, &field);
    if (field.text != field.short_text) veer_free(field.text);
    return result;
}
