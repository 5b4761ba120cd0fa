/* yajl_parse and yajl_complete_parse on 8 bytes. */
#include "api/yajl_parse.h"
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 8
#endif

int main(void) {
    unsigned char text[SIZE];
    static const yajl_callbacks nothing;
    klee_make_symbolic(text, SIZE, "text");
    yajl_handle parser = yajl_alloc(&nothing, 0, 0);
    yajl_status status = yajl_parse(parser, text, SIZE);
    if (status == yajl_status_ok)
        status = yajl_complete_parse(parser);
    yajl_free(parser);
    return (int)status;
}
