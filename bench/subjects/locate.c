/* SMART's locate and top on a string with room for SIZE characters. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 40
#endif

static int locate(const char *s, int c) {
    int i = 0;
    while (s[i] != c) {
        if (s[i] == 0)
            return -1;
        i++;
    }
    return i;
}

static int top(const char *input) {
    int z = locate(input, 'a');
    if (z == -1)
        return -1;
    if (input[z + 1] != ':')
        return 1;
    return 0;
}

int main(void) {
    char text[SIZE + 1];
    klee_make_symbolic(text, SIZE, "text");
    text[SIZE] = 0;
    return top(text);
}
