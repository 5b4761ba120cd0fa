/* ---- the board: one process, no files, no memory mapping ------------------------------------------------------ */

/* What a project may say ahead of this: -D'VEER_PUT(character)=uart_put(character)' where results go; -DVEER_MEMORY=4096 bytes for the
   inputs of one test; -DVEER_TEST=3 to run that test alone. */
#ifndef VEER_PUT
extern int libc_putchar(int) __asm__("putchar");
#define VEER_PUT(character) libc_putchar(character)
#endif
#ifndef VEER_MEMORY
#define VEER_MEMORY 16384
#endif
#define VEER_MOST_INPUTS 1024

#include <setjmp.h>
#include <stdarg.h>

static jmp_buf veer_end_of_test;
static volatile int veer_exit_code;
enum { veer_output = 1 };
VEER_UNUSED static int veer_failures;
VEER_UNUSED static const char *veer_current = ""; /* the test that runs */

/* Ends the test that runs. */
VEER_UNUSED __attribute__((__noreturn__)) void veer_board_exit(int code)
{
    veer_exit_code = code & 0xff;
    longjmp(veer_end_of_test, 1);
}
#define libc_exit veer_board_exit

VEER_UNUSED static unsigned long libc_strlen(const char *text)
{
    unsigned long length = 0;
    while (text[length] != '\0')
        length++;
    return length;
}

VEER_UNUSED static int libc_strncmp(const char *one, const char *other, unsigned long most)
{
    unsigned long i;
    for (i = 0; i < most; i++)
        if (one[i] != other[i] || one[i] == '\0')
            return (unsigned char)one[i] - (unsigned char)other[i];
    return 0;
}

VEER_UNUSED static int libc_strcmp(const char *one, const char *other)
{
    return libc_strncmp(one, other, ~0UL);
}

VEER_UNUSED static unsigned long libc_strtoul(const char *text, char **end, int base)
{
    unsigned long number = 0;
    while (*text >= '0' && *text <= '9')
        number = number * (unsigned long)base + (unsigned long)(*text++ - '0');
    if (end != NULL)
        *end = (char *)text;
    return number;
}

static void veer_put_text(const char *text)
{
    while (*text != '\0')
        VEER_PUT(*text++);
}

static void veer_put_number(unsigned long long number, unsigned int base)
{
    char digits[24];
    unsigned int count = 0;
    do {
        digits[count++] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number != 0);
    while (count > 0)
        VEER_PUT(digits[--count]);
}

/* As much of printf as the tests use: %s %d %u %c %x %#x %o %ld %lu %lld %llu, and %a as the bits of a double. */
VEER_UNUSED static void libc_dprintf(int file, const char *format, ...)
{
    va_list given;
    (void)file;
    va_start(given, format);
    for (; *format != '\0'; format++) {
        int longs = 0;
        if (*format != '%') {
            VEER_PUT(*format);
            continue;
        }
        for (format++; *format == '#' || *format == 'l' || (*format >= '0' && *format <= '9'); format++)
            longs += *format == 'l';
        if (*format == 's') {
            veer_put_text(va_arg(given, const char *));
        } else if (*format == 'c') {
            VEER_PUT(va_arg(given, int));
        } else if (*format == 'a') {
            double value = va_arg(given, double);
            unsigned long long bits;
            __builtin_memcpy(&bits, &value, sizeof bits);
            veer_put_text("a double with the bits 0x");
            veer_put_number(bits, 16);
        } else if (*format == 'd') {
            long long number = longs > 1 ? va_arg(given, long long) : longs ? va_arg(given, long) : va_arg(given, int);
            if (number < 0)
                VEER_PUT('-');
            veer_put_number(number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number, 10);
        } else {
            unsigned long long number = longs > 1 ? va_arg(given, unsigned long long)
                                        : longs   ? va_arg(given, unsigned long)
                                                  : va_arg(given, unsigned int);
            if (*format == 'x')
                veer_put_text("0x");
            veer_put_number(number, *format == 'x' ? 16 : *format == 'o' ? 8 : 10);
        }
    }
    va_end(given);
}

VEER_UNUSED static void libc_abort(void)
{
    libc_dprintf(veer_output, "# %s: it cannot go on\n", veer_current);
    veer_board_exit(125);
}

#ifdef VEER_FREES /* the unit frees blocks, so they are the library's */
extern void *libc_malloc(__SIZE_TYPE__) __asm__("malloc");
static void veer_forget_blocks(void) {}
#else
static unsigned long veer_memory_used;
static unsigned char veer_memory[VEER_MEMORY] __attribute__((__aligned__(16)));

static void veer_forget_blocks(void)
{
    veer_memory_used = 0;
}

VEER_UNUSED static void *libc_malloc(unsigned long size)
{
    void *block = veer_memory + veer_memory_used;
    if (size > sizeof veer_memory - veer_memory_used) {
        libc_dprintf(veer_output, "# %s: its inputs need more than %lu bytes: -DVEER_MEMORY=...\n", veer_current, (unsigned long)sizeof veer_memory);
        return NULL;
    }
    veer_memory_used += (size + 15) / 16 * 16;
    return block;
}
#endif

VEER_UNUSED static void veer_keep_block(void *block)
{
    (void)block;
}

/* Keeps what a variable begins with, and sets it back. */
VEER_UNUSED static void veer_set_back(void *first, volatile void *variable, unsigned long size, int is_start)
{
    if (is_start)
        __builtin_memcpy(first, (const void *)variable, size);
    else
        __builtin_memcpy((void *)variable, first, size);
}

