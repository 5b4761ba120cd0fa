/* http_parser_execute on 8 bytes of a request. */
#include "http_parser.h"
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 8
#endif

int main(void) {
    char data[SIZE];
    http_parser parser;
    http_parser_settings settings;
    klee_make_symbolic(data, SIZE, "data");
    http_parser_settings_init(&settings);
    http_parser_init(&parser, HTTP_BOTH);
    http_parser_execute(&parser, &settings, data, SIZE);
    return (int)parser.http_errno;
}
