/* cJSON_Parse on at most 8 bytes. */
#include "cJSON.h"
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 8
#endif

int main(void) {
    char text[SIZE + 1];
    klee_make_symbolic(text, SIZE, "text");
    text[SIZE] = 0;
    cJSON *json = cJSON_Parse(text);
    int parsed = json != 0;
    cJSON_Delete(json);
    return parsed;
}
