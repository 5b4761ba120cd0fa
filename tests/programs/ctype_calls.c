// entry: kind
// input: unsigned char c: all
#include <ctype.h>
int kind(unsigned char c) {
    if (isdigit(c))
        return 1;
    if (isalpha(c))
        return isupper(c) ? 2 : 3;
    if (isspace(c))
        return 4;
    return toupper(c) == '_' ? 5 : 6;
}
