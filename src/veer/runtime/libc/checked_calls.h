/* Checks around calls of the C library, which frontends/c/formats.py and memberarrays.py put there.

   The campaign has them as terms (checked_calls.c), replays as they are (replay/checked_calls.c): LENGTH(text) is how the length
   of a text is found. */
#ifndef VEER_CHECKED_CALLS_H
#define VEER_CHECKED_CALLS_H
#include <stddef.h>

/* Ends a run as a check of the compiler's does; clang has no other name for it. */
_Noreturn void veer_check_fails(unsigned char kind) __asm__("llvm.ubsantrap");
enum { NULL_ARGUMENT = 16, LONGER_THAN_ITS_ARRAY = 200, WITHOUT_ARGUMENT = 203 }; /* frontends/c/traps.py */
enum { LONGEST = 256 }; /* characters that are looked at */

/* Flags, width, precision, length. */
static int is_within(char c) {
    return ((c >= '0') & (c <= '9')) | (c == '-') | (c == '+') | (c == ' ') | (c == '#') | (c == '\'') | (c == '.') | (c == 'h') |
           (c == 'j') | (c == 'l') | (c == 'L') | (c == 'q') | (c == 't') | (c == 'z');
}

/* Ends the run where there is no format, or a conversion takes an argument behind the ones that are given. Only the length of
   the text decides how far it goes; all else is one condition over its characters. Arguments by number (`%2$d`) are not
   counted, but one there must be. */
void veer_format_takes(const char *format, size_t given) {
    size_t taken = 0;
    int is_open = 0, has_numbers = 0;
    if (!format) veer_check_fails(NULL_ARGUMENT);
    for (size_t k = 0; k < LONGEST && format[k]; k++) {
        char c = format[k];
        int is_percent = c == '%', is_star = is_open & (c == '*'), is_number = is_open & (c == '$');
        int ends = is_open & !is_within(c) & !is_star & !is_number;
        taken += (size_t)(is_star + (ends & !is_percent & (c != 'm')));
        has_numbers |= is_number;
        is_open = (!is_open & is_percent) | (is_open & !ends);
    }
    if (has_numbers ? !given : taken > given) veer_check_fails(WITHOUT_ARGUMENT);
}

/* A string of the unit's is in an array of so many characters within an object. */
void veer_text_within(const char *text, size_t room) {
    if (LENGTH(text) >= room) veer_check_fails(LONGER_THAN_ITS_ARRAY);
}

/* So many characters are written to it. */
void veer_count_within(size_t count, size_t room) {
    if (count > room) veer_check_fails(LONGER_THAN_ITS_ARRAY);
}
#endif
