/* csv_parse on at most SIZE bytes; the first one chooses the options. */
#include "csv.h"
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 8
#endif

static void field(void *text, size_t length, void *user) { *(size_t *)user += text ? length : 1; }
static void row(int end, void *user) { *(size_t *)user += end >= 0; }

int main(void) {
    unsigned char text[SIZE];
    size_t seen = 0;
    struct csv_parser parser;
    klee_make_symbolic(text, SIZE, "text");
    if (csv_init(&parser, text[0])) return -1;
    csv_parse(&parser, text + 1, SIZE - 1, field, row, &seen);
    csv_fini(&parser, field, row, &seen);
    int error = csv_error(&parser);
    csv_free(&parser);
    return error;
}
