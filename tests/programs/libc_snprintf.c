// entry: shown
// input: signed char x: all
// input: char c: 32..126
// claim: paths
#include <stdio.h>
#include <string.h>
int shown(signed char x, char c) {
    char text[8];
    int length = snprintf(text, sizeof text, "%d%c%3s", x, c, "u");
    if (strncmp(text, "-12%", 4) == 0)
        return length;
    return text[0] == '7' ? 1 : 0;
}
