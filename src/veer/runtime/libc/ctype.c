/* Character classes of the C locale, as sums of comparisons that a solver understands (glibc's are tables): without a branch, so that
   `if (isalpha(c))` has two runs and not one for each range of characters. The numbers are those that glibc returns. */
#include "libc.h"

/* The bits of the classes in glibc's numbers. */
enum { BLANK, CNTRL, PUNCT, ALNUM, UPPER = 8, LOWER, ALPHA, DIGIT, XDIGIT, SPACE, PRINT, GRAPH };

/* Whether c is one of the `count` characters from `first` on. */
#define AMONG(c, first, count) ((unsigned)(c) - (unsigned)(first) < (unsigned)(count))
#define IS_DIGIT(c) AMONG(c, '0', 10)
#define IS_LOWER(c) AMONG(c, 'a', 26)
#define IS_UPPER(c) AMONG(c, 'A', 26)
#define IS_ALPHA(c) (IS_LOWER(c) | IS_UPPER(c))
#define IS_ALNUM(c) (IS_ALPHA(c) | IS_DIGIT(c))
#define IS_GRAPH(c) AMONG(c, '!', '~' - '!' + 1)

/* A class of characters, of wide ones, too: in the C locale, only ASCII has classes. */
#define CLASS(NAME, WIDE, BIT, CONDITION)                              \
    int veer_libc_##NAME(int c) { return (CONDITION) << BIT; } \
    int veer_libc_##WIDE(unsigned c) { return (CONDITION) << BIT; }
int veer_libc_isdigit(int c) { return IS_DIGIT(c) << DIGIT; }
int veer_libc_iswdigit(unsigned c) { return IS_DIGIT(c); }
CLASS(islower, iswlower, LOWER, IS_LOWER(c))
CLASS(isupper, iswupper, UPPER, IS_UPPER(c))
CLASS(isalpha, iswalpha, ALPHA, IS_ALPHA(c))
CLASS(isalnum, iswalnum, ALNUM, IS_ALNUM(c))
CLASS(isspace, iswspace, SPACE, (c == ' ') | AMONG(c, '\t', 5))
CLASS(isblank, iswblank, BLANK, (c == ' ') | (c == '\t'))
CLASS(isprint, iswprint, PRINT, AMONG(c, ' ', '~' - ' ' + 1))
CLASS(isgraph, iswgraph, GRAPH, IS_GRAPH(c))
CLASS(iscntrl, iswcntrl, CNTRL, AMONG(c, 0, 32) | (c == 127))
CLASS(ispunct, iswpunct, PUNCT, IS_GRAPH(c) & !IS_ALNUM(c))
CLASS(isxdigit, iswxdigit, XDIGIT, IS_DIGIT(c) | AMONG(c, 'a', 6) | AMONG(c, 'A', 6))
int veer_libc_isascii(int c) { return (c & ~127) == 0; }
int veer_libc_toascii(int c) { return c & 127; }

/* -128 .. -2 are what a plain char holds: glibc's tables give the character as an unsigned one. */
#define AS_UNSIGNED(c) (AMONG(c, -128, 127) << 8)
int veer_libc_tolower(int c) { return c + (IS_UPPER(c) << 5) + AS_UNSIGNED(c); }
int veer_libc_toupper(int c) { return c - (IS_LOWER(c) << 5) + AS_UNSIGNED(c); }
unsigned veer_libc_towlower(unsigned c) { return c + (IS_UPPER(c) << 5); }
unsigned veer_libc_towupper(unsigned c) { return c - (IS_LOWER(c) << 5); }

/* The value of a character as a digit, or 36. */
static const unsigned char digits[256] = {
#define LETTERS(first) [first] = 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35
    [0 ... '0' - 1] = 36, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, [':' ... '@'] = 36, LETTERS('A'), ['[' ... '`'] = 36, LETTERS('a'), ['{' ... 255] = 36};

int veer_digit_of(char c) { return digits[(unsigned char)c]; }
