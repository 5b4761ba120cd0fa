// entry: shown
// input: unsigned char x: all
// claim: none
// about: the digits of a floating-point number are made by an uninstrumented function
#include <stdio.h>
int shown(unsigned char x) {
    char text[8];
    snprintf(text, sizeof text, "%.0f", (double)x);
    return text[0] == '7' ? 1 : 0;
}
