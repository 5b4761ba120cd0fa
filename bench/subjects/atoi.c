/* atoi on SIZE bytes, and two numbers that only digits reach. */
#include <klee/klee.h>
#include <stdlib.h>
#ifndef SIZE
#define SIZE 6
#endif

int main(void) {
    char text[SIZE + 1];
    klee_make_symbolic(text, SIZE, "text");
    text[SIZE] = 0;
    int number = atoi(text);
    if (number == 4711) return 1;
    return number < -99 ? 2 : 0;
}
