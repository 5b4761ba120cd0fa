/* Functions of the C library as machine code calls them (frontends/machine/bridges.py): formatted output, whose arguments lie where the
   machine's calling convention has them, and glibc's checked functions, which are told how much room there is.

   The campaign has them on veer's own library (machine.c), replays on the machine's (replay/machine_calls.c): MACHINE(name) is what a
   function is called there, WRITE_FORMATTED what writes the text, READ_UNSIGNED what reads a number of 64 bits. */
#ifndef VEER_MACHINE_H
#define VEER_MACHINE_H
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "veer_harness.h"
#include "veer_runtime.h"

enum { MOST_REGISTERS = 8, MOST_ARGUMENTS = 40 };

/* What a bridge knows when such a function is called. `next`: the first register that no named argument has; `above`: the first argument
   on the stack; `word`: bytes of a register; `has_floats`: whether floating-point numbers have registers of their own. */
struct machine_arguments {
    uint64_t registers[MOST_REGISTERS];
    double floats[MOST_REGISTERS];
    uint64_t above;
    uint32_t next, count, word, is_big, has_floats, next_float;
};

struct slots {
    uint64_t values[MOST_ARGUMENTS];
    int count;
};

/* The number of `size` bytes that lies next on the stack. */
static uint64_t from_stack(struct machine_arguments *given, uint32_t size) {
    given->above = (given->above + size - 1) & -(uint64_t)size;
    const unsigned char *at = (const unsigned char *)(uintptr_t)given->above;
    given->above += size;
    if (size == 8 && !given->is_big) return *(const uint64_t *)at;
    if (!given->is_big) return *(const uint32_t *)at;
    uint64_t value = 0;
    for (uint32_t k = 0; k < size; k++) value = value << 8 | at[k];
    return value;
}

/* The next argument that is no floating-point number with a register of its own; one of two registers begins with an even one. */
static uint64_t next_number(struct machine_arguments *given, uint32_t size) {
    if (size <= given->word)
        return given->next < given->count ? given->registers[given->next++] : from_stack(given, given->word);
    given->next += given->next & 1;
    if (given->next + 1 >= given->count) {
        given->next = given->count;
        return from_stack(given, size);
    }
    uint64_t first = given->registers[given->next], second = given->registers[given->next + 1];
    given->next += 2;
    return given->is_big ? first << 32 | second : second << 32 | first;
}

static uint64_t next_float(struct machine_arguments *given) {
    union {
        double number;
        uint64_t bits;
    } value;
    if (!given->has_floats) return next_number(given, 8);
    if (given->next_float == MOST_REGISTERS) return from_stack(given, 8);
    value.number = given->floats[given->next_float++];
    return value.bits;
}

static int is_flag_or_digit(char c) { return c == '-' || c == '+' || c == ' ' || c == '#' || c == '.' || (c >= '0' && c <= '9'); }

static void add(struct slots *slots, uint64_t value) {
    if (slots->count == MOST_ARGUMENTS) veer_refuse("a format with more than 40 arguments");
    slots->values[slots->count++] = value;
}

/* The arguments of one conversion, which stands behind a '%'; where it ends. */
static const char *read_arguments(const char *s, struct machine_arguments *given, struct slots *slots) {
    char length = 0;
    for (;; s++) {
        if (*s == '*') add(slots, next_number(given, 4));
        else if (*s == 'l' || *s == 'h') length = length == *s ? (*s == 'l' ? 'q' : 'h') : *s;
        else if (*s == 'j' || *s == 'q') length = 'q';
        else if (*s == 'z' || *s == 't') length = 'l';
        else if (!is_flag_or_digit(*s)) break;
    }
    uint32_t size = length == 'q' ? 8 : length == 'l' ? given->word : 4;
    switch (*s) {
    case 'd':
    case 'i': {
        uint64_t value = next_number(given, size);
        add(slots, size == 4 ? (uint64_t)(int64_t)(int32_t)value : value);
        break;
    }
    case 'u':
    case 'x':
    case 'X':
    case 'o': {
        uint64_t value = next_number(given, size);
        add(slots, size == 4 ? (uint32_t)value : value);
        break;
    }
    case 'c': add(slots, next_number(given, 4)); break;
    case 's':
    case 'p':
        if (length) veer_refuse("a text of wide characters in a format");
        add(slots, next_number(given, given->word));
        break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G': add(slots, next_float(given)); break;
    case '%': break;
    default: veer_refuse("a conversion of formatted output that machine code has no model of");
    }
    return s + 1;
}

static int formatted(char *to, size_t size, size_t room, const char *format, va_list list) {
    if (size != SIZE_MAX && size > room) abort();
    int length = WRITE_FORMATTED(to, size < room ? size : room, format, list);
    if (size == SIZE_MAX && length >= 0 && (size_t)length >= room) abort();
    return length;
}

/* `size`: SIZE_MAX where the function is not told it; `room`: what the compiler knows of the object, SIZE_MAX where it knows nothing. */
int MACHINE(format)(char *to, size_t size, size_t room, const char *format, const struct machine_arguments *first) {
    struct machine_arguments given = *first;
    struct slots slots = {.count = 0};
    va_list list;
    for (const char *s = format; *s;) s = *s == '%' ? read_arguments(s + 1, &given, &slots) : s + 1;
    list->gp_offset = 48; /* all registers are used: the rest lies in the order of the format */
    list->fp_offset = 176;
    list->overflow_arg_area = slots.values;
    list->reg_save_area = NULL;
    return formatted(to, size, room, format, list);
}

/* The same for a va_list of x86-64, which is veer's own. */
int MACHINE(list)(char *to, size_t size, size_t room, const char *format, va_list list) {
    return formatted(to, size, room, format, list);
}

/* How much a checked function writes: not more than there is room for. */
size_t MACHINE(checked)(size_t size, size_t room) {
    if (size > room) abort();
    return size;
}

/* strtoul of a machine of 32 bits: what is greater than its greatest number is that one. */
unsigned long MACHINE(strtoul)(const char *text, char **end, int base) {
    const char *s = text;
    int error = errno;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r')) s++;
    int is_negative = *s == '-';
    errno = 0;
    unsigned long value = READ_UNSIGNED(text, end, base);
    if ((is_negative ? 0 - value : value) > UINT32_MAX) errno = ERANGE;
    if (errno == ERANGE) return UINT32_MAX;
    if (!errno) errno = error;
    return (uint32_t)value;
}

/* BSD's copies, which glibc has only since 2.38. */
size_t MACHINE(strlcpy)(char *to, const char *from, size_t room) {
    size_t n = 0;
    for (; from[n]; n++)
        if (n + 1 < room) to[n] = from[n];
    if (room) to[n < room ? n : room - 1] = 0;
    return n;
}

size_t MACHINE(strlcat)(char *to, const char *from, size_t room) {
    size_t length = 0;
    while (length < room && to[length]) length++;
    return length + MACHINE(strlcpy)(to + length, from, room - length);
}

void *veer_device_read(void *place, uint32_t size, uint32_t is_computed);
void *veer_device_write(void *place, uint32_t size, uint32_t is_computed);

/* Where an access of `size` bytes goes: to the value of a device's register, or to the address itself. */
void *MACHINE(read)(void *place, uint32_t size) {
    uint64_t address = veer_machine_register(place);
    return address ? veer_device_read((void *)(uintptr_t)address, size, 0) : place;
}

void *MACHINE(write)(void *place, uint32_t size) {
    uint64_t address = veer_machine_register(place);
    return address ? veer_device_write((void *)(uintptr_t)address, size, 0) : place;
}
#endif
