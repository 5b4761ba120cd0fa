/* The brute force's side of a generated program: what its marks become (marked.py), and one run for each line of input.

   Each run starts from the same static variables, which stand in the section `unit`. A line of standard input is a
   vector of integers, one a slot; a line of output is

       path called outcome line result written

   path, called: hashes over the branches, over the called functions that the run passed; result, written: bytes in hexadecimal digits. The last line tells
   the sides of branches that were taken, as `line:side`. Nothing here knows of veer. */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BF_LINES = 4096, BF_SIDES = 16, BF_STEPS = 100000, BF_SLOTS = 128, BF_BYTES = 1024 };

static jmp_buf bf_start;
static uint64_t bf_path, bf_calls;
static const char *bf_outcome;
static int bf_line, bf_steps;
static unsigned char bf_taken[BF_LINES][BF_SIDES];
static unsigned char bf_result[BF_BYTES], bf_written[BF_BYTES];
static int bf_result_size, bf_written_size;
static char *bf_unit;

extern char __start_unit[] __attribute__((weak)), __stop_unit[] __attribute__((weak));

static void bf_run(const long long *slot);

#define BF_UNIT __attribute__((section("unit")))
#define BF_NOT_SANITISED __attribute__((no_sanitize("address", "undefined")))

__attribute__((noreturn, unused)) static void bf_end(int line, const char *outcome) {
    bf_line = line;
    bf_outcome = outcome;
    longjmp(bf_start, 1);
}

BF_NOT_SANITISED static void bf_mix(uint64_t *hash, uint64_t value) {
    *hash = (*hash ^ value) * 0x9e3779b97f4a7c15ull;
    *hash ^= *hash >> 29;
    if (++bf_steps > BF_STEPS)
        bf_end(0, "hang");
}

/* A condition: 0 or 1. */
__attribute__((unused)) static int bf_side(int line, int holds) {
    bf_taken[line][!!holds] = 1;
    bf_mix(&bf_path, (uint64_t)line * BF_SIDES + !!holds);
    return !!holds;
}

/* The operand of a switch: the side is the place of its value among the cases, or their number. */
__attribute__((unused)) static long long bf_switch(int line, long long value, int count, const long long *cases) {
    int side = 0;
    while (side < count && cases[side] != value)
        side++;
    bf_taken[line][side] = 1;
    bf_mix(&bf_path, (uint64_t)line * BF_SIDES + side);
    return value;
}

/* Which function an indirect call reaches. */
#define bf_called(function) ({ __typeof__(function) bf_f = (function); bf_mix(&bf_calls, (uintptr_t)bf_f); bf_f; })

/* What the tested code ends with. */
__attribute__((unused)) static void bf_exit(int line, int code) {
    memcpy(bf_result, &code, sizeof code);
    bf_result_size = sizeof code;
    bf_end(line, "exited");
}

#define abort() bf_end(__LINE__, "abort")
#define exit(code) bf_exit(__LINE__, code)

__attribute__((unused)) static void bf_returns(const void *value, size_t size) {
    memcpy(bf_result, value, size);
    bf_result_size = (int)size;
}

__attribute__((unused)) static void bf_writes(const void *object, size_t size) {
    memcpy(bf_written + bf_written_size, object, size);
    bf_written_size += (int)size;
}

static void bf_print(const unsigned char *bytes, int count) {
    putchar(' ');
    for (int k = 0; k < count; k++)
        printf("%02x", bytes[k]);
    if (!count)
        putchar('-');
}

BF_NOT_SANITISED static void bf_copy(char *to, const char *from, size_t size) {
    for (size_t k = 0; k < size; k++)
        ((volatile char *)to)[k] = from[k];
}

int main(void) {
    static long long slot[BF_SLOTS];
    static char text[4096];
    size_t size = __start_unit ? (size_t)(__stop_unit - __start_unit) : 0;
    bf_unit = malloc(size + 1);
    bf_copy(bf_unit, __start_unit, size);
    while (fgets(text, sizeof text, stdin)) {
        char *at = text;
        for (int k = 0; k < BF_SLOTS; k++)
            slot[k] = strtoll(at, &at, 10);
        bf_copy(__start_unit, bf_unit, size);
        bf_path = bf_calls = bf_line = bf_steps = bf_result_size = bf_written_size = 0;
        bf_outcome = "returned";
        if (!setjmp(bf_start))
            bf_run(slot);
        printf("%016llx %016llx %s %d", (unsigned long long)bf_path, (unsigned long long)bf_calls, bf_outcome, bf_line);
        bf_print(bf_result, bf_result_size);
        bf_print(bf_written, bf_written_size);
        putchar('\n');
    }
    for (int line = 0; line < BF_LINES; line++)
        for (int side = 0; side < BF_SIDES; side++)
            if (bf_taken[line][side])
                printf("%d:%d ", line, side);
    putchar('\n');
    return 0;
}
