// entry: classes
// input: signed char c: all
// claim: paths
// about: classes and cases of characters are terms with glibc's values, those of negative characters, too
#include <ctype.h>
int classes(signed char c) {
    int sum = isalnum(c) + isalpha(c) + isdigit(c) + ispunct(c) + isgraph(c) + isprint(c) + isspace(c);
    sum += isupper(c) + islower(c) + isxdigit(c) + iscntrl(c) + isblank(c);
    if (isxdigit(c) && !isdigit(c))
        return sum + (toupper(c) == 'C');
    if (tolower(c) != c)
        return c < 0 ? -1 : sum + 2;
    return isspace(c) ? sum + 3 : ispunct(c) ? sum + 4 : sum;
}
